/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_TARGET_H
#define BRIDLE_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "forward/rotation.h"

/* A place that report lines go to: a file or a descriptor of the caller's. Trouble with it never reaches the command. */
struct target {
	int file;      /* -1: none */
	bool owned;    /* opened by us */
	bool torn;     /* the last line was written in part: the next starts on a line of its own */
	bool stalled;  /* a reader that did not read for a while is not waited for again */
	uint64_t lost; /* lines that could not be written */
	int error;     /* errno of the first loss */
	char *held;    /* of a regular file: lines that target_flush writes at once; NULL: each is written as it comes */
	size_t held_used;
	struct rotation rotation; /* of a regular file */
};

/* Appends to a file, made with mode 0600. */
bool target_open_file(struct target *target, const char *path, struct failure *failure);

/* Takes a descriptor of the caller, which the command will not inherit. */
bool target_open_descriptor(struct target *target, int file, struct failure *failure);

/* A line with its newline. Of a regular file it may stay held until target_flush. */
void target_write(struct target *target, const char *line, size_t length);
void target_flush(struct target *target);
void target_close(struct target *target);

#endif
