/* SPDX-License-Identifier: MIT */
/* Writing text into a buffer of fixed size: what report/line.c and report/reason.c build their words with. Pure. */
#ifndef BRIDLE_REPORT_TEXT_H
#define BRIDLE_REPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* at == end: full; what does not fit is dropped and cut is set. No NUL is written. */
struct text {
	char *at, *end;
	bool cut;
};

/* As much as fits. */
void text_part(struct text *text, const char *bytes, size_t size);

static inline void text_bytes(struct text *text, const char *bytes, size_t size)
{
	if (text->cut || size > (size_t)(text->end - text->at)) {
		text_part(text, bytes, size);
		return;
	}
	memcpy(text->at, bytes, size);
	text->at += size;
}

/* Most are literals, whose length and copying the compiler knows. */
static inline __attribute__((always_inline)) void text_add(struct text *text, const char *string)
{
	text_bytes(text, string, strlen(string));
}

void text_number(struct text *text, int64_t number);
void text_digits(struct text *text, uint32_t number, unsigned digits); /* with leading zeros */

/* The bytes as the inside of a JSON string: escaped, invalid UTF-8 as U+FFFD, cut only between characters. */
void text_json(struct text *text, const char *bytes, size_t size);

#endif
