/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_RUN_H
#define BRIDLE_RUN_H

#include "forward/forward.h"
#include "options.h"

/* Who looks on while a session lives. */
struct run_watch {
	bool trace;             /* every call is reported; nothing is refused, unless the options enforce */
	forward_see *see;       /* each line of the report */
	void (*finish)(void *); /* once, when the last line is in and before the last words; NULL: nothing to do */
	void *data;
};

/* From options to the exit status: the whole life of a session. watch: NULL when nobody looks on. */
int run_session(const struct options *options, const struct run_watch *watch);

#endif
