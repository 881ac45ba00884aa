/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_HOOK_PATTERN_H
#define BRIDLE_HOOK_PATTERN_H

#include <stdbool.h>

/* Braces are expanded to this many patterns in all; what is left keeps its braces. */
#define PATTERNS_MAX 256

/* A wildcard starts with one of these. */
#define PATTERN_WILD "*?[{"

/*
 * Shows each pattern that a tool's text stands for, braces expanded ("*.{c,h}"). parted: it may hold several, with blanks or
 * commas between them. Stops when visit returns true; returns whether it did, or true without memory.
 */
typedef bool pattern_visit(void *context, const char *pattern);
bool pattern_each(const char *text, bool parted, pattern_visit *visit, void *context);

#endif
