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

/*
 * Of something that may be moved: does check_path allow OP_WRITE for it, and lies no rule below it that would not hold
 * wherever it goes? False says nothing certain: check_path_below has the answer.
 */
bool check_path_moves(const struct image *image, const struct path_place *place, const char *name, size_t length);

/*
 * May the folder `path` become `other` with all that lies in it, as far as the rules below it are concerned? They are the
 * stricter ones, of what may not be written, that the same path below `other` does not come under: a deny by name goes along.
 * other: NULL where nobody knows it; both as for check_path. Result: allowed, or path.deny or path.jail with the rule's
 * origin and `below`. Pure.
 */
struct decision check_path_below(const struct image *image, const char *path, size_t length, const char *other,
				 size_t other_length);

/* The same for who only knows how the folder is called now: no pattern counts that may come to hold elsewhere as well. */
struct decision check_path_below_literal(const struct image *image, const char *path, size_t length);

#endif
