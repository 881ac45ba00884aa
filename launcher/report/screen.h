/* SPDX-License-Identifier: MIT */
/*
 * A stream to a terminal, a pipe or a file whose reader must not hold the session up: one that takes nothing for a while
 * misses lines, which are counted, until it reads again.
 */
#ifndef BRIDLE_SCREEN_H
#define BRIDLE_SCREEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct screen {
	int file;
	bool stalled;    /* nothing was taken when it was last tried */
	bool torn;       /* what was written last does not end a line */
	uint64_t missed; /* lines */
};

/* The stream, fully buffered or (lines) line by line; NULL when out of memory. The file is not the stream's to close. */
FILE *screen_open(struct screen *screen, int file, bool lines);

#endif
