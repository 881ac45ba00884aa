/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_REPORT_EXPLAIN_H
#define BRIDLE_REPORT_EXPLAIN_H

#include "decision.h"
#include "image.h"
#include "request.h"

/*
 * Says on descriptor 2 in one line why a call was refused, for a model that reads what its program prints. Only where that
 * is a pipe, a socket, a terminal that is not image.screen, or a file that gathers what is said: descriptor 1 is the same
 * file and it was opened to append. Never into any other file; gives up rather than wait or raise a signal. Control
 * characters are shown as "?". Safe anywhere: any thread, signal handler, vfork child.
 */
void report_explain(const struct image *image, const struct request *request, const struct decision *decision);

#endif
