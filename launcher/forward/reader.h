/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_READER_H
#define BRIDLE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report.h"

/* Cuts what comes out of the report FIFO into lines. */
struct reader {
	char bytes[16 * REPORT_LINE_MAX];
	size_t used;
	bool skipping;   /* inside a line that is too long to be one of ours */
	uint64_t broken; /* lines thrown away: too long, or without an end */
};

/* Gets each line with its newline; it is valid during the call. */
typedef void reader_take(void *data, const char *line, size_t length);

/*
 * Reads what is there from a non-blocking descriptor and hands each whole line to take. Returns true when it stopped
 * with more to come, so that others get their turn.
 */
bool reader_pump(struct reader *reader, int file, reader_take *take, void *data);

/* At the end: what is left without a newline is broken. */
void reader_finish(struct reader *reader);

#endif
