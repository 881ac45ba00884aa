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

#endif
