/* SPDX-License-Identifier: MIT */
/*
 * Where the directory of a descriptor lay when it was last asked for. To ask costs more than the open that it is for; to
 * remember costs nothing in a process that is alone (alone.h, number.h), and beside other threads one fstat of the
 * descriptor.
 *
 * The answer may be old: when a process that no session guards moves a folder above the directory, nobody notices. Alone,
 * files are opened by the descriptor. In another process a thread may have put another directory behind it meanwhile: there
 * they are opened by the absolute path that was judged, with RESOLVE_NO_SYMLINKS, and only to be read. What is opened is
 * then always what was judged; it is another file than the caller meant only when an unguarded process has also put another
 * tree where the moved one was.
 *
 * Safe anywhere: lock-free, any thread, signal handler, vfork child.
 */
#ifndef BRIDLE_DESCRIBE_FOLDER_H
#define BRIDLE_DESCRIBE_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

#include "describe/path.h"
#include "start.h"

/*
 * Which directory. By folder_look: no other one, and it nowhere else, is ever the same in the first five once it is
 * remembered. number_recall leaves the first four unset.
 */
struct folder {
	uint64_t device, inode, seconds, nanoseconds, moves; /* of its last change; start_moves() */
	uint64_t print;                                      /* of its path, never that of another one; 0: not remembered */
	uint64_t claim;                                      /* number.c's; 0: none */
	bool by_number;
};

/* Which directory is fd open on? Result: 0; -ENOTDIR when it is none; fstat's errors. */
long folder_look(struct folder *ret, int fd);

/*
 * Writes the path of a directory that folder_look or number_recall found behind fd, remembered or asked for now. Result: its
 * length, or path_of_descriptor's errors.
 */
long folder_path(struct path_room room, const struct folder *folder, int fd);

/* Has nothing been moved since it was looked at? */
static inline bool folder_is_still(const struct folder *folder)
{
	return start_moves() == folder->moves;
}

#endif
