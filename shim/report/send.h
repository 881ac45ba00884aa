/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_REPORT_SEND_H
#define BRIDLE_REPORT_SEND_H

#include <stddef.h>

#include "start.h"

/*
 * Hands one whole line (at most PIPE_BUF bytes) to the session's report: opens its FIFO, one write, closes. When the
 * FIFO is full it waits up to a second, or not at all with report.drop; what cannot be handed over is counted in the
 * session's page and never written anywhere else. Safe anywhere: any thread, signal handler, vfork child.
 */
void report_send(const struct start_session *session, const char *line, size_t length);

#endif
