/* SPDX-License-Identifier: MIT */
/*
 * Keeps each different string once, up to a budget. Kept strings are equal exactly when their addresses are, so the
 * rest of the summary compares and hashes addresses.
 */
#ifndef BRIDLE_INTERN_H
#define BRIDLE_INTERN_H

#include <stddef.h>
#include <stdint.h>

struct intern;

/* NULL when out of memory. At most about budget bytes are used. */
struct intern *intern_new(size_t budget);
void intern_free(struct intern *intern);

/*
 * The kept copy of `text` (cut to 4096 bytes, never inside a character), which lives as long as the intern; the one
 * string intern_full when the budget is spent; "" (always the same one) for "".
 */
const char *intern_text(struct intern *intern, const char *text);

/* The same for the first `length` bytes of text, which hold no NUL. */
const char *intern_bytes(struct intern *intern, const char *text, size_t length);

#define INTERN_TEXT_MAX 4096

extern const char intern_full[];  /* "(more than could be kept)" */
extern const char intern_empty[]; /* "" */

#endif
