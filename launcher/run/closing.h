/* SPDX-License-Identifier: MIT */
/* What is said about a session when it is over: why it ended as it did, and what was denied. */
#ifndef BRIDLE_CLOSING_H
#define BRIDLE_CLOSING_H

#include <stdbool.h>
#include <stddef.h>

#include "decide/decide.h"
#include "forward/forward.h"
#include "image.h"
#include "options.h"
#include "policy/policy.h"
#include "run/outcome.h"
#include "session/session.h"

struct closing {
	const struct options *options;
	const struct outcome *outcome;
	struct forward *forward;
	const struct session_page *page;
	const struct policy *policy;
	const struct image *image;
	const struct verdict *verdict;
	const char *unguarded; /* the program */
};

/* With --verbose: what is in force. */
void closing_greet(const struct options *options, const struct policy *policy, const struct session *session,
		   const char *backstop);

/* Why the command was refused, not started or ended, in words with a remedy; "" when it simply ended. */
void closing_reason(const struct closing *closing, char *text, size_t size);

/* Report lines for the limits that cut in. */
void closing_limits(const struct closing *closing, const struct session *session, bool truncated);

/* On stderr: the reason, and the closing line when anything was denied or lost. */
void closing_say(const struct closing *closing, const char *reason);

#endif
