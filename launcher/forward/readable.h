/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_READABLE_H
#define BRIDLE_READABLE_H

#include <jansson.h>
#include <stddef.h>

/* A report line for people, cut to size, without a newline; control characters are shown as "?". */
void readable_violation(const json_t *line, char *text, size_t size);

/* What the line is about: its path, address or command. */
void readable_subject(const json_t *line, char *text, size_t size);

/* The basename of the program that made the call. */
const char *readable_program(const json_t *line);

#endif
