/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_RUN_H
#define BRIDLE_RUN_H

#include "forward/forward.h"
#include "options.h"

/* How `trace` differs from `run`: nothing is refused and every call is seen. */
struct run_trace {
	forward_see *see;
	void *data;
};

/* From options to the exit status: the whole life of a session. trace: NULL for run. */
int run_session(const struct options *options, const struct run_trace *trace);

#endif
