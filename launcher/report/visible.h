/* SPDX-License-Identifier: MIT */
/*
 * Strings from a report are not to be trusted: a file name may hold terminal escapes, HTML, or characters that turn
 * the reading direction. Everything that people look at passes through here. Pure but for what is written to `out`.
 */
#ifndef BRIDLE_VISIBLE_H
#define BRIDLE_VISIBLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define VISIBLE_MAX 12 /* bytes that one character can become, with the NUL */

/* Length of the valid UTF-8 sequence at `text` (1 to 4; size >= 1 bytes are there), or 0. */
size_t visible_sequence(const char *text, size_t size);

/* Writes a code point as UTF-8, returns its length. code: valid, no surrogate. */
size_t visible_encode(uint32_t code, char *bytes);

/*
 * Takes one character from `text` (not at its end) and writes its visible form to `form`: itself, or `\n`, `\x1b`,
 * `\u{202e}` for control and direction characters, `\xff` for bytes that are no UTF-8. Returns what follows.
 */
const char *visible_next(const char *text, char form[VISIBLE_MAX]);

/* Columns that the visible form takes on a terminal. */
size_t visible_width(const char *text);

/* The visible form for a terminal or a text file, cut with "..." to at most `width` columns; 0: not cut. */
void visible_put(FILE *out, const char *text, size_t width);

/* A whole line of parts, NULL-terminated: each in its visible form. */
void visible_line(FILE *out, const char *const *parts);

/* The same, but cut at the beginning: of a long path the end says more. */
void visible_put_end(FILE *out, const char *text, size_t width);

/* The visible form, and safe as HTML text and as the value of a quoted attribute. */
void visible_html(FILE *out, const char *text);

/* The same, cut with "..." to at most `width` columns. */
void visible_html_cut(FILE *out, const char *text, size_t width);

#endif
