/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_SESSION_LINE_H
#define BRIDLE_SESSION_LINE_H

#include "forward/forward.h"
#include "image.h"
#include "policy/policy.h"
#include "report/line.h"
#include "session/session.h"

/*
 * The line that opens a report: which policy, the SHA-256 of its settings with all that they extend (the image would do as
 * well, but holds the session's own paths), root, mode, profile and version; and
 * backstop, whether it is in force, as backstop_status says it;
 * landlock, the same of the belt.
 */
void session_line_open(struct forward *forward, const struct session *session, const struct policy *policy,
		       const struct image *image,
		       const char *backstop, const char *landlock);

/*
 * The line that closes it: calls checked and denied, lines lost, the exit status of bridle, and backstop once more, since it
 * may turn out after the opening line that there can be none.
 */
void session_line_close(struct forward *forward, const struct session *session, const char *backstop, int status);

/* Who and when, for a line that the launcher itself writes. */
struct report_context session_line_context(const struct session *session, bool enforced);

#endif
