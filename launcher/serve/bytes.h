/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_SERVE_BYTES_H
#define BRIDLE_SERVE_BYTES_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes that come in at the end and go out at the front; starts as zeros, and holds no memory while it is empty. */
struct bytes {
	char *memory;
	size_t start, used, room; /* used: behind start */
};

/* Adds bytes; false without memory. */
bool bytes_add(struct bytes *bytes, const char *text, size_t length);

/* The first of the bytes that are left; a NUL stands behind the last. */
char *bytes_text(const struct bytes *bytes);

/* Takes so many from the front. */
void bytes_drop(struct bytes *bytes, size_t length);

#endif
