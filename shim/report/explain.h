/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_REPORT_EXPLAIN_H
#define BRIDLE_REPORT_EXPLAIN_H

#include "decision.h"
#include "image.h"
#include "request.h"

/*
 * Says on descriptor 2 in one line why a call was refused, for a model that reads what its program prints. Only where that
 * is a pipe, a socket or a terminal, never into a file; gives up rather than wait or raise a signal. Control characters
 * are shown as "?". Safe anywhere: any thread, signal handler, vfork child.
 */
void report_explain(const struct image *image, const struct request *request, const struct decision *decision);

#endif
