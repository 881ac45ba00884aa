/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CHECK_PATH_H
#define BRIDLE_CHECK_PATH_H

#include "decision.h"
#include "image.h"
#include "request.h"

/*
 * May `path` be read (OP_READ, OP_LOAD, OP_EXEC) or created, changed or removed (OP_WRITE)?
 * path: absolute, normalised (no "//", "." or ".."; no trailing slash but for "/" itself), symlinks already
 * followed; length bytes, need not be NUL-terminated. The caller decides what a missing file means.
 * Result: allowed, path.jail (no tree covers it) or path.deny (an entry shuts it), with the entry's origin.
 * Pure: any thread, signal handler, after vfork.
 */
struct decision check_path(const struct image *image, enum op op, const char *path, size_t length);

/* Where the walk through the rules stands in a folder, for who asks about many files in it. */
#define PATH_PLACE_NODES 10
struct path_place {
	uint32_t count;
	uint8_t tree, base;
	bool shut;
	uint8_t unused;
	uint32_t node[PATH_PLACE_NODES];
};

/*
 * folder: as for check_path, but "" for "/". False: too much holds there to be kept, check_path has to be asked.
 * check_path_allows: does check_path allow op for the folder's path, a slash and this one component? Pure as well.
 */
bool check_path_place(const struct image *image, const char *folder, size_t length, struct path_place *ret);
bool check_path_allows(const struct image *image, enum op op, const struct path_place *place, const char *name,
		       size_t length);

#endif
