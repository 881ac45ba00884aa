/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CAPTURE_H
#define BRIDLE_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>

struct frames;

/*
 * One captured stream. Reading never stops before its end, so that the writer never sees a full or closed pipe (but where it
 * is told in frames, and those who hear it do not keep up); what goes beyond the limit is thrown away.
 */
struct capture {
	int file; /* our end of the pipe, non-blocking; -1: closed */
	char *bytes;
	size_t used, room;
	size_t limit; /* bytes kept; 0: all */
	bool truncated;
	struct frames *frames; /* or NULL: who hears of it at once, all of it; while they wait nothing is read */
	int stream;            /* enum frames_stream */
};

/* Makes the pipe; *ret_writer is the command's end. False with errno set. */
bool capture_open(struct capture *capture, size_t limit, int *ret_writer);

/* Reads what is there, and closes the file at its end. True when it stopped with more to come, so that others get a turn. */
bool capture_read(struct capture *capture);
void capture_close(struct capture *capture); /* closes and frees */

/* Keeps what fits of these bytes. */
void capture_add(struct capture *capture, const char *bytes, size_t size);

/*
 * The text as a result shows it: valid UTF-8, each ill-formed sequence as one U+FFFD, NUL bytes kept, a sequence that the
 * limit cut in two left out; where something was cut it ends with the line "[bridle: output truncated at N bytes]".
 * Returns memory of its own and its length, or NULL without memory.
 */
char *capture_text(const struct capture *capture, size_t *ret_length);

/* How many of the bytes are whole characters, or can be no part of one: fewer than all where the last one is open. */
size_t capture_whole(const char *bytes, size_t size);

#endif
