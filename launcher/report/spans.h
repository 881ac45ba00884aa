/* SPDX-License-Identifier: MIT */
/* The spans of a session that is running: summed up as its lines come, exported at its end. Trouble is said, never more. */
#ifndef BRIDLE_SPANS_H
#define BRIDLE_SPANS_H

#include "report/event.h"
#include "report/summary.h"

struct spans;

/* target: as otlp_export. NULL when out of memory: then the other functions do nothing. */
struct spans *spans_open(const char *target);
void spans_take(struct spans *spans, const struct event *event);

/* Exports and frees. */
void spans_close(struct spans *spans);

/* Exports a finished summary. */
void spans_export(const char *target, const struct summary *summary);

#endif
