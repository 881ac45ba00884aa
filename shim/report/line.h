/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_REPORT_LINE_H
#define BRIDLE_REPORT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decision.h"
#include "image.h"
#include "request.h"

/* Who did it, and when: what a line needs beside the request and the decision. */
struct report_context {
	const char *via;     /* VIA_LAUNCHER, VIA_SHIM, VIA_BACKSTOP */
	const char *session; /* the session's id */
	const char *exe;     /* path of the running program, NULL when unknown */
	int64_t pid, ppid, tid;
	int64_t seconds; /* since the epoch */
	int32_t microseconds;
	bool enforced;          /* false: audit mode, the call went through */
	const char *errno_name; /* what the caller gets, "EACCES"; NULL: leave out */
	bool outcome;           /* a second line about a call: how it ended */
};

/*
 * Writes the report line of a decision into buffer: JSON, UTF-8 (invalid bytes as U+FFFD), a newline, no NUL; at most
 * size bytes, cut inside a field with "cut":true when it would be longer. Returns the length. size >= 1024.
 * Inline code in argv is replaced by its length and SHA-256 unless the image carries IMAGE_CONTENT.
 * Pure: any thread, signal handler, after vfork.
 */
size_t report_line(char *buffer, size_t size, const struct image *image, const struct request *request,
		   const struct decision *decision, const struct report_context *context);

/*
 * The reason in words: names the rule, what was refused, why, and what to do instead. NUL-terminated, cut to size.
 * Returns the length without the NUL. Pure as above. Launcher, shim and backstop say the same words.
 */
size_t report_reason(char *buffer, size_t size, const struct image *image,
		     const struct request *request, const struct decision *decision);

#endif
