/* SPDX-License-Identifier: MIT */
/*
 * Masks secrets in report lines before they leave the launcher: the user's patterns (report.redact, POSIX extended
 * regular expressions) and a built-in set of common token shapes (redact_shapes.def). What a pattern matches becomes
 * "[redacted]", or as many "*" when it is shorter than that: a line never grows beyond what its encoding needs.
 * Not thread-safe: one redact a thread.
 */
#ifndef BRIDLE_REDACT_H
#define BRIDLE_REDACT_H

#include <stddef.h>

#include "failure.h"

struct redact;

/* Bytes that a masked line can need: a broken byte may become three. */
#define REDACT_SIZE(length) (3 * (length) + 1)

/*
 * patterns: NULL-terminated, or NULL for the built-in set alone. NULL, with the pattern and what is wrong with it in
 * failure, when one is no regular expression or matches the empty string.
 */
struct redact *redact_new(const char *const *patterns, struct failure *failure);
void redact_free(struct redact *redact);

/*
 * Copies a line of JSON to buffer (REDACT_SIZE(length) bytes) with every string value masked; returns the new length.
 * Object keys are left alone. What is no JSON string is copied as it is.
 */
size_t redact_line(struct redact *redact, const char *line, size_t length, char *buffer);

#endif
