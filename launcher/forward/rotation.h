/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_ROTATION_H
#define BRIDLE_ROTATION_H

#include <stddef.h>
#include <stdint.h>

/*
 * A report file that grows too long is set aside as FILE.1, FILE.2, ... (the first number that is free; nothing is ever
 * overwritten) and started anew. Several bridles may append to one file: a lock lets one of them do it, the others go on in
 * the old file until they see that it is not FILE any more. No line is lost.
 */
struct rotation {
	uint64_t limit;   /* bytes; 0: never */
	int folder;       /* O_PATH, as the launcher may change its working directory; -1: none */
	const char *name; /* in the folder; borrowed from the path */
};

/* path: as the file was opened, which must last. */
void rotation_open(struct rotation *rotation, const char *path);
void rotation_close(struct rotation *rotation);

/* Before `length` bytes are appended to *file, which becomes the new one where that is due. Where it fails all stays. */
void rotation_make_room(struct rotation *rotation, int *file, size_t length);

#endif
