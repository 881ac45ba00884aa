/* SPDX-License-Identifier: MIT */
/*
 * Where a path leads for a stopped caller: from its own root, working folder and descriptors (through /proc/TID), in
 * its own mount namespace, past symlinks and magic links, as the kernel will walk it a moment later.
 */
#ifndef BRIDLE_BACKSTOP_RESOLVE_H
#define BRIDLE_BACKSTOP_RESOLVE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#define RESOLVE_HERE (-100) /* AT_FDCWD: relative to the working folder */

enum resolve_state {
	RESOLVE_FOUND,   /* path: where it leads; descriptor: the file */
	RESOLVE_MISSING, /* path: the nearest existing ancestor plus what does not exist (or cannot be entered) */
	RESOLVE_FAILS,   /* the kernel will refuse the call by itself: error says how */
	RESOLVE_UNKNOWN, /* cannot be said: the process may not be looked into, or the path has no name */
};

struct resolved {
	enum resolve_state state;
	int error;
	int descriptor;          /* O_PATH on what was found, -1 otherwise; resolve_close() it */
	bool own_descriptor;     /* reached through /proc/self/fd/N (or /dev/fd/N) of the caller's own */
	int own_flags;           /* ... the flags that N is open with */
	size_t length;           /* of path, without the NUL */
	char path[2 * PATH_MAX]; /* absolute, normalised; a pipe or socket reads like "pipe:[7]" */
};

/* Who asks. */
struct resolve_caller {
	bool home;  /* its root and mounts are the supervisor's own: no process of the session has moved any */
	pid_t tid;  /* the thread that is stopped */
	pid_t tgid; /* its process; 0: nobody asked yet (resolve_group) */
};

/* The process of the stopped thread, looked up once; 0 when it is gone. */
pid_t resolve_group(struct resolve_caller *caller);

/*
 * path "" names dirfd itself. follow: is a symlink at the end followed. existing: nobody asks for the name of what
 * does not exist, so RESOLVE_MISSING may leave path empty. Always fills *ret.
 */
void resolve_caller_path(struct resolve_caller *caller, int dirfd, const char *path, bool follow,
			 bool existing, struct resolved *ret);

/* What was found, as fstat tells it; all zero when it cannot be told. */
struct stat resolve_status(const struct resolved *found);

void resolve_close(struct resolved *resolved);

#endif
