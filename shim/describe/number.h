/* SPDX-License-Identifier: MIT */
/*
 * Where the directory of a descriptor lies, remembered by the descriptor's number, for a process that is alone (alone.h): to
 * ask again costs nothing then. What is opened by the number afterwards is opened in the directory that was judged, as long
 * as no other directory is behind it. Hence every call that may put a directory behind a number forgets it: opens, dup and
 * its kin, what comes with a message. To close one needs no mention: the kernel refuses what is asked of it, until it is
 * open again, and so it does with what is no directory.
 *
 * Not noticed: a system call in the program's own machine code, or one of libc's inner doors, that puts another directory
 * behind a number; and what needs privileges (fsmount, a watcher of whole file systems). Moves are noticed as in cwd.h.
 *
 * Safe anywhere: lock-free, any thread, signal handler, vfork child. Nobody waits for a writer that was interrupted.
 */
#ifndef BRIDLE_DESCRIBE_NUMBER_H
#define BRIDLE_DESCRIBE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "describe/folder.h"

/*
 * What is known of the directory behind fd, in a process that is alone. print stays 0 where nothing is: then folder_path
 * asks, and it is remembered under the number, if that stands for the same all the while.
 */
void number_recall(struct folder *ret, int fd);

/* folder_path of what number_recall found. */
long number_path(struct path_room room, const struct folder *folder, int fd);

#define NUMBER_PLACES 8

/* A number in the upper half, and below what tells one claim to ask about it from another; 0: nobody's. */
extern uint64_t number_claims[NUMBER_PLACES];
extern bool number_claimed; /* one of them, ever */

static inline uint64_t *number_claim(unsigned fd)
{
	return &number_claims[fd % NUMBER_PLACES];
}

/* Has nothing else come behind the number since then, that we know of? True as well when nothing was known. */
static inline bool number_stands(const struct folder *folder)
{
	return !folder->claim ||
	       __atomic_load_n(number_claim((unsigned)(folder->claim >> 32)), __ATOMIC_SEQ_CST) == folder->claim;
}

/* Does it still stand for the directory, and that where it was? */
static inline bool number_is_still(const struct folder *folder)
{
	return number_stands(folder) && folder_is_still(folder);
}

/* A call has come back with a descriptor that may be a directory's; negative: it has failed. */
static inline void number_new(long fd)
{
	uint64_t *claim = number_claim((unsigned)fd);

	if (__builtin_expect(__atomic_load_n(&number_claimed, __ATOMIC_RELAXED), false) &&
	    __atomic_load_n(claim, __ATOMIC_SEQ_CST) >> 32 == (unsigned)fd)
		__atomic_store_n(claim, 0, __ATOMIC_SEQ_CST);
}

/* The same for one that only libc or another library knows, or for many. */
void number_forget(void);

/* Around a call that puts something else behind fd, whatever was there: nothing is remembered meanwhile. Negative: any. */
void number_leave(int fd);
void number_arrive(int fd);

#endif
