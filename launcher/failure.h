/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_FAILURE_H
#define BRIDLE_FAILURE_H

#include <stdbool.h>

/*
 * Why something did not work, in words for the person at the terminal: what, which file and line, and what to do.
 * Inner layers fill it and return false; only main prints it and exits with 125.
 */
struct failure {
	char text[1024];
};

/* Formats the words (cut to fit) and returns false, so that `return failure_set(...)` reads well. */
bool failure_set(struct failure *failure, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
