/* SPDX-License-Identifier: MIT */
/*
 * Takes the report of a session in, line by line, and gives it to whoever asked: a file, a descriptor, the result, the
 * trace, or short lines on stderr. Memory is bounded, and no trouble with a target reaches the command.
 */
#ifndef BRIDLE_FORWARD_H
#define BRIDLE_FORWARD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "forward/reader.h"
#include "forward/tally.h"
#include "forward/target.h"
#include "report/event.h"
#include "report/redact.h"

#define FORWARD_KEPT_MAX 100 /* violations kept for the result */
#define FORWARD_SHOWN_MAX 20 /* violations shown on stderr */

/* Sees each line of the report, newline included, and what it says: for the trace. */
typedef void forward_see(void *data, const struct event *event, const char *line, size_t length);

struct forward {
	struct target file, descriptor;
	const char *file_name;
	struct reader reader;
	struct event *event;   /* the line that is being taken in */
	struct redact *redact; /* or NULL: masks secrets before anybody sees a line; forward_close frees it */
	struct tally tally;
	uint64_t lines;  /* taken in */
	uint64_t broken; /* lines of the FIFO that were no report lines */
	bool keep;       /* violations, for the result */
	json_t *kept;    /* array */
	bool show, hold; /* violations as short lines on stderr: at once, or at the end */
	bool explained;  /* the shim says them itself on stderr where a program has ours: do not say them again */
	unsigned shown;
	char *held; /* what was held back */
	size_t held_used;
	forward_see *see; /* or NULL */
	void *see_data;
};

/* Opens the targets (path NULL, descriptor -1: none). */
bool forward_open(struct forward *forward, const char *path, int descriptor, struct failure *failure);
void forward_close(struct forward *forward);

/* Takes in all that the FIFO holds now; see reader_pump. */
bool forward_pump(struct forward *forward, int fifo);

/* Takes in a line of the launcher's own, newline included. */
void forward_line(void *forward, const char *line, size_t length);

/* Writes what the targets hold back. */
void forward_flush(struct forward *forward);

/* Does anybody get every line: a target, or the trace? */
bool forward_is_read(const struct forward *forward);

/* Shows what was held back on stderr. */
void forward_release(struct forward *forward);

/* Lines that did not reach a target or were broken. */
uint64_t forward_lost(const struct forward *forward);

#endif
