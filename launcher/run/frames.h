/* SPDX-License-Identifier: MIT */
/*
 * What a server hears of a command while it runs: lines on the way that the result takes. {"stream": "stdout", "data": "..."}
 * is output, whole characters, nothing cut; {"violation": {...}} a line of the report; {"session": "..."} the first of all.
 * Output is told after what led to it: the caller reads it first, then the report, and calls frames_send then. Nothing here
 * waits, but frames_wait.
 */
#ifndef BRIDLE_FRAMES_H
#define BRIDLE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

enum frames_stream {
	FRAMES_ERROR, /* is told first, of what was read at a time */
	FRAMES_OUTPUT,
	FRAMES_STREAMS
};

struct frames {
	int file; /* non-blocking; -1: nobody listens */
	char *text;
	size_t used, sent, room;
	struct frames_held {
		char *bytes; /* read, and not told yet; also the first bytes of a character whose rest is to come */
		size_t used, room;
		bool ended;
	} held[FRAMES_STREAMS];
};

/* Makes the file non-blocking. */
void frames_start(struct frames *frames, int file);
void frames_free(struct frames *frames);

/* Some output; at the end of a stream size 0. */
void frames_output(struct frames *frames, enum frames_stream stream, const char *bytes, size_t size);

/* A line of the report. Where nobody keeps up with a flood of them, some are left out: the result counts them all. */
void frames_violation(struct frames *frames, const char *line, size_t length);
void frames_session(struct frames *frames, const char *id);

/* Does something wait to be written? Then whoever makes more of it had better wait as well. */
bool frames_full(const struct frames *frames);

/* Makes lines of what came, and writes what can be written. True: something waits. */
bool frames_send(struct frames *frames);

/* The same, until all is written, or nobody listens. False: there was nothing to write. */
bool frames_wait(struct frames *frames);

#endif
