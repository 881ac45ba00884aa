/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_RESOLVE_H
#define BRIDLE_RESOLVE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum resolved {
	RESOLVED_EXISTS,
	RESOLVED_MISSING, /* the path names nothing yet: what exists of it is resolved, the rest is as given */
	RESOLVED_OPEN,    /* leads to a descriptor that is already open (/dev/stdin, /proc/self/fd/3) */
	RESOLVED_NOT,     /* a loop of links, or too long */
};

/*
 * Where a path leads: absolute, normalised, every symlink followed, into result (PATH_MAX bytes). A relative path starts at
 * base (absolute; NULL: the working directory). Asks the kernel, changes nothing.
 */
enum resolved resolve_path(const char *path, const char *base, char result[PATH_MAX]);

#endif
