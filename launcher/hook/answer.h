/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_HOOK_ANSWER_H
#define BRIDLE_HOOK_ANSWER_H

#include <jansson.h>

#include "hook/judge.h"

#define HOOK_STATUS_BLOCK 2 /* each of them takes it for a refusal, and tells its model what stands on stderr */

/* What an agent is told. */
struct hook_answer {
	enum hook_opinion opinion;
	const char *reason; /* of HOOK_DENY, or a word on what was allowed; NULL: none */
	json_t *input;      /* the tool's input as it shall be instead; NULL: as it is; borrowed */
};

/* The answer in the agent's own format. event: the name of its event. NULL without memory. */
json_t *hook_answer_json(enum hook_agent agent, const char *event, const struct hook_answer *answer);

/* The status that bridle exits with, so that the agent takes the answer. */
int hook_answer_status(enum hook_agent agent, const struct hook_answer *answer);

#endif
