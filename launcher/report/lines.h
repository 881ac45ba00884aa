/* SPDX-License-Identifier: MIT */
/* Reads report files line by line, in bounded memory, and says which lines it could not use. */
#ifndef BRIDLE_LINES_H
#define BRIDLE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "report/event.h"

struct lines_result {
	uint64_t lines;   /* lines in the file, blank ones too */
	uint64_t good;    /* of these, report lines */
	uint64_t skipped; /* of these, neither blank nor report lines */
};

/* Takes one report line; *event is the reader's own and is overwritten by the next one. */
typedef void lines_sink(void *context, const struct event *event);

/* Takes one complaint: the file's name, the line number, and what is wrong with the line, in words. */
typedef void lines_warning(void *context, const char *name, uint64_t line, const char *words);

/*
 * Opens a report that is to be read more than once, at its beginning each time: "-" is standard input, and what is no regular
 * file is taken into memory first. The descriptor, or -1 with the reason in failure.
 */
int lines_open(const char *name, struct failure *failure);

/*
 * Reads `descriptor` to its end. `name` is used in warnings only. Lines longer than EVENT_LINE_MAX are skipped.
 * False, with failure filled, when reading fails; what was read before has been handed on.
 */
bool lines_read(int descriptor, const char *name, lines_sink *sink, lines_warning *warn,
		void *context, struct lines_result *result, struct failure *failure);

#endif
