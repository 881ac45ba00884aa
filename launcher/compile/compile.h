/* SPDX-License-Identifier: MIT */
/*
 * From a policy to an image (include/image.h). Reads the file system where a rule must be resolved (symlinks in a
 * tree's path, device and inode of denied programs); otherwise pure: the same input gives the same bytes.
 */
#ifndef BRIDLE_COMPILE_H
#define BRIDLE_COMPILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "failure.h"
#include "policy/policy.h"

/* What the variables in a policy stand for in this run. */
struct compile_context {
	const char *home;                /* "~" */
	const char *tmpdir;              /* "${TMPDIR}": the session's private folder, or the real one */
	const char *path;                /* "${PATH}" */
	const char *session;             /* the session folder, shut but for its tmp/; NULL: no session */
	bool audit, report_all, content; /* on top of what the policy says */
	uint64_t screen;                 /* st_rdev of the command's own terminal, which report.explain leaves alone; or 0 */
};

/* On success *ret_image (free() it) holds *ret_size bytes, aligned to 8. */
bool compile_image(const struct policy *policy, const struct compile_context *context,
		   void **ret_image, size_t *ret_size, struct failure *failure);

/* The same bytes, written to the file at the offset. */
bool compile_to_file(const struct policy *policy, const struct compile_context *context, int file, off_t offset,
		     size_t *ret_size, struct failure *failure);

/*
 * A value of environment.set as it is meant in this run: a leading "${TMPDIR}" or "~" is replaced, all else stays as it
 * is. From malloc; NULL when out of memory.
 */
char *compile_expand(const char *text, const struct compile_context *context);

#endif
