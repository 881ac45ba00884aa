/* SPDX-License-Identifier: MIT */
/* The spans of a session that is running: summed up as its lines come, exported at its end. Trouble is said, never more. */
#ifndef BRIDLE_SPANS_H
#define BRIDLE_SPANS_H

#include "report/event.h"
#include "report/summary.h"

struct spans;

/*
 * target, traceparent: as otlp_export; command: the program's name; all must last. NULL when out of memory: then the other
 * functions do nothing.
 */
struct spans *spans_open(const char *target, const char *traceparent, const char *command);
void spans_take(struct spans *spans, const struct event *event);

/* Exports and frees. */
void spans_close(struct spans *spans);

/* Exports a finished summary. */
void spans_export(const char *target, const struct summary *summary, const char *traceparent);

#endif
