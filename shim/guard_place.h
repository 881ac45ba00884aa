/* SPDX-License-Identifier: MIT */
/*
 * Where a judged call is made, so that it meets the file that was judged and no link that took its place meanwhile: a
 * name in a directory that is held open, or the file itself. Safe anywhere: any thread, signal handler, vfork child.
 */
#ifndef BRIDLE_GUARD_PLACE_H
#define BRIDLE_GUARD_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "/proc/thread-self/fd/N/", a name, a slash. */
#define PLACE_ROOM 312

/* Lent by a wrapper, filled by guard_file() when it allows the call; guard_done() it once the call is made. */
struct file_place {
	int dirfd;        /* what to give an *at call in the place of its own directory ... */
	const char *path; /* ... and path */
	bool held;        /* false: these are the caller's own words */
	int fd;           /* what guard_leave() closes; negative: nothing */
	uint64_t folder;  /* print of the words by which asked_dirfd's name of dirfd was held; 0: otherwise */
	const char *asked;
	int asked_dirfd;
	const char *call;   /* its name, when its end is to be told; else NULL */
	unsigned op, flags; /* of the call, for that */
	unsigned had_line;  /* the sessions that have had a line of it, by bit */
	bool there;         /* the file was, before the call that may create it */
	bool covers;        /* FILE_MOVES: some rule may lie below it */
	char room[PLACE_ROOM];
};

/* The caller's own words. */
void place_as_asked(struct file_place *ret, int dirfd, const char *path);

/* A name below dirfd; fd is dirfd or negative. What is too long for any name stays as it was asked. */
void place_name(struct file_place *ret, int dirfd, int fd, const char *name, size_t length);

/* The file behind an O_PATH descriptor, for calls that follow a link. Without /proc it stays as it was asked. */
void place_file(struct file_place *ret, int fd);

/* The same place for a call that has no dirfd; without /proc the caller's own words. */
const char *place_text(struct file_place *place);

/* Mounts have changed: /proc may be gone. */
void place_forget(void);

/* The call was not made after all, and nothing is told of it. */
void guard_leave(const struct file_place *place);

/* The first half of guard_done(), where another place is told of as well that may lie in the same directory. */
void guard_ended(const struct file_place *place, int error);

/* The call has come back: tells how where somebody wants to know, and leaves the place. error: 0, or the positive errno. */
void guard_done(const struct file_place *place, int error);

#endif
