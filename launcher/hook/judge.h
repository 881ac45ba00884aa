/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_HOOK_JUDGE_H
#define BRIDLE_HOOK_JUDGE_H

#include "decide/decide.h"
#include "hook/event.h"

enum hook_opinion {
	HOOK_NONE, /* the tool is not known: the agent does as it would without bridle */
	HOOK_ALLOW,
	HOOK_DENY
};

struct hook_verdict {
	enum hook_opinion opinion;
	char reason[2048]; /* of HOOK_DENY: the rule, what it is about, and what to do */
	char *key;         /* of a shell tool's line or argv in its input, from malloc; NULL: no shell tool */
};

/*
 * What the policy says of a tool's use. question: of prepare(), without a command. The working directory must be that of
 * the event; a shell tool with a folder of its own is judged there. False with the reason in failure when the event does
 * not say what must be known. free(ret_verdict->key) either way.
 */
bool hook_judge(const struct hook_event *event, const struct question *question, struct hook_verdict *ret_verdict,
		struct failure *failure);

#endif
