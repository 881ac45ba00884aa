/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_JSON_TEXT_H
#define BRIDLE_JSON_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A JSON string; where text is no UTF-8 (a file name), its visible form. NULL: out of memory. */
json_t *json_text(const char *text);

/* The same, but null for "". */
json_t *json_text_or_null(const char *text);

/*
 * Writes a value, indented, its lines after the first `columns` further in. Characters that a terminal would act on, or
 * that turn the reading direction, are escaped: what a file name holds is not to come out raw. False: out of memory.
 */
bool json_write(FILE *out, const json_t *value, int columns);

/* Microseconds since the epoch as seconds. */
json_t *json_time(int64_t microseconds);

/* A count. */
json_t *json_count(uint64_t count);

#endif
