/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_JSON_TEXT_H
#define BRIDLE_JSON_TEXT_H

#include <jansson.h>
#include <stdint.h>

/* A JSON string; where text is no UTF-8 (a file name), its visible form. NULL: out of memory. */
json_t *json_text(const char *text);

/* The same, but null for "". */
json_t *json_text_or_null(const char *text);

/* Microseconds since the epoch as seconds. */
json_t *json_time(int64_t microseconds);

/* A count. */
json_t *json_count(uint64_t count);

#endif
