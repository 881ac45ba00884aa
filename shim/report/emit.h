/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_REPORT_EMIT_H
#define BRIDLE_REPORT_EMIT_H

#include "decision.h"
#include "request.h"
#include "start.h"

/*
 * Writes the line of a decision of this process and sends it to the session. error: how a call that was made has failed,
 * or NULL; a refusal has its own. outcome: it is a second line about the call, which says how it ended. About 2.5 KiB of
 * stack, 5 KiB for a request with much text. Safe anywhere: any thread, signal handler, vfork child.
 */
void report_emit(const struct start_session *session, const struct request *request, const struct decision *decision,
		 const char *error, bool outcome);

#endif
