/* SPDX-License-Identifier: MIT */
/*
 * From a path as a caller gives it to the absolute, normalised one that the policy is asked about. Asks the kernel
 * where it must, owns no memory, sets no errno. Safe anywhere: any thread, signal handler, vfork child.
 */
#ifndef BRIDLE_DESCRIBE_PATH_H
#define BRIDLE_DESCRIBE_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Storage that a wrapper's frame lends to the describers. */
struct path_room {
	char *text;
	size_t size;
};

/*
 * The absolute path by the text alone: joined to the directory that dirfd (or AT_FDCWD) names, "//", "." and ".."
 * folded, zeros behind it as memory_string leaves them. The truth when the kernel then meets no symlink. Result: the
 * length; -ENAMETOOLONG when it does not fit; -EBADF; -ENOTDIR; -ENOENT when the directory has no path (removed, out of
 * reach).
 */
long path_fold(struct path_room room, int dirfd, const char *path, size_t length);

/*
 * The same, joined to the directory whose absolute path of `length` bytes stands in the room. Result: as path_fold's.
 */
long path_join(struct path_room room, size_t length, const char *path, size_t left);

/*
 * Appends a relative path, in which there is nothing to fold, to the absolute one of `length` bytes in the room. Result: the
 * length; -ENAMETOOLONG; -EINVAL when there is something to fold.
 */
long path_append(struct path_room room, size_t length, const char *path, size_t left);

/*
 * The absolute path of a descriptor's own file, as /proc tells it. Result: its length; -ENAMETOOLONG when it does not fit;
 * -EBADF; -ENOENT when it has none: a pipe, a socket, no /proc. A removed file has its last one and " (deleted)" behind it.
 */
long path_of_descriptor(struct path_room room, int fd);

/*
 * Is this /proc itself? Where a program has changed its root and not mounted it there, nothing says how descriptors are called,
 * and what lies below this one is what such programs look for (bwrap).
 */
bool path_is_proc(int fd);

/* Is the last component "." or ".."? The kernel has answers to these that no other name for the directory gets. */
bool path_ends_in_dots(const char *path);

/* Does a path in a room lie below /proc, whose links are no texts? */
static inline bool path_in_proc(struct path_room room)
{
	return memcmp(room.text, "/proc/", 6) == 0;
}

/* How far a path could be followed. */
struct path_lead {
	size_t length;     /* of what stands in the room: absolute, normalised, symlinks followed */
	int error;         /* 0: it exists; else the kernel's reason why it does not or cannot be seen, as -errno */
	bool last_missing; /* only its last component is missing: it could be created */
	bool link;         /* its last component is a symlink, not followed */
	bool behind_link;  /* ... or one that was followed */
	bool slash;        /* it must be a directory: "x/", "x/." */
	bool magic;        /* a link of /proc that is no path stands at its end: only the caller's own words open it */
	bool own_process;  /* below /proc/self: the text says "self" instead of the number */
	bool open_already; /* a descriptor of this very process that is open for what is asked */
};

#define PATH_FOLLOW_LAST 0x1u /* the call follows a symlink in the last component */
#define PATH_WANT_READ 0x2u   /* the access that is asked for, for descriptors that are open already */
#define PATH_WANT_WRITE 0x4u
#define PATH_ENTRY 0x8u /* the call is about the last name: no slash behind it makes it follow a link */

/*
 * Where the kernel would be led, walked component by component. What cannot be seen any more is joined by its text.
 * rest: scratch for what is still to be walked. Result: 0, or -ENAMETOOLONG when a room is too small, or path_fold's
 * errors about dirfd.
 */
long path_follow(struct path_room room, struct path_room rest, int dirfd, const char *path, unsigned want,
		 struct path_lead *ret);

#endif
