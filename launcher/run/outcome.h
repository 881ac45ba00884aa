/* SPDX-License-Identifier: MIT */
/* What became of a command, and the numbers that say so (design 1.2 and 1.3). */
#ifndef BRIDLE_OUTCOME_H
#define BRIDLE_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decision.h"

/* exit_code in the result, beside a command's own statuses. */
#define EXIT_CODE_DENIED (-100)
#define EXIT_CODE_TIMED_OUT (-101)

enum outcome_kind {
	OUTCOME_DENIED,    /* refused; nothing was started */
	OUTCOME_UNSTARTED, /* could not be started: error */
	OUTCOME_ENDED,     /* wait_status */
	OUTCOME_TIMED_OUT, /* ended by us, with all it had started */
	OUTCOME_CROWDED,   /* ended by us: more processes than limits.processes */
	OUTCOME_UNGUARDED, /* ended by us: the shim did not load into it */
	OUTCOME_FAILED,    /* bridle itself failed while it ran */
};

struct outcome {
	enum outcome_kind kind;
	int error;       /* of UNSTARTED: errno */
	int wait_status; /* of the command, once it was started */
	int64_t duration_ms;
	double cpu_seconds; /* used by the command and what it waited for */
	size_t left_over;   /* processes that were still there when it ended and had to be ended */
	bool by_key;        /* it died of a signal that a key on the terminal sent to both of us */
	enum rule rule;     /* the refusal's or the limit's; RULE_NONE: none */
};

/* The exit status of bridle. */
int outcome_status(const struct outcome *outcome);

/* exit_code of the result. */
int outcome_exit_code(const struct outcome *outcome);

/* The signal that ended the command, 0: none. */
int outcome_signal(const struct outcome *outcome);

#endif
