/* SPDX-License-Identifier: MIT */
/*
 * Pulls JSON values out of one line, front to back, without allocating. It knows nothing of keys and their meaning
 * (event.c does). Every function returns false at what is not JSON and then leaves the scan where it stands.
 * Pure. A report of a million lines passes through here, which is why no JSON library builds trees in this place.
 */
#ifndef BRIDLE_SCAN_H
#define BRIDLE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCAN_DEPTH_MAX 16 /* nested arrays and objects in a value that is skipped */

/* A decoded string is at most this much longer than its source: an invalid byte becomes U+FFFD. */
#define SCAN_TEXT_SIZE(line_size) ((line_size)*3 + 1)

struct scan {
	const char *at, *end;  /* what is left of the line */
	char *text, *text_end; /* where decoded strings go, one after the other, NUL-terminated */
};

/* Skips white space. */
void scan_space(struct scan *scan);

/* Takes white space and then `byte`, when it stands there. */
bool scan_take(struct scan *scan, char byte);

/* A string, decoded: escapes resolved, invalid UTF-8 and U+0000 as U+FFFD. *ret_text lives in the scan's text. */
bool scan_string(struct scan *scan, const char **ret_text);

/* A number, in millionths, saturated to what int64_t holds. */
bool scan_number(struct scan *scan, int64_t *ret_millionths);

/* true or false. */
bool scan_bool(struct scan *scan, bool *ret_value);

/* Any value. */
bool scan_skip(struct scan *scan);

#endif
