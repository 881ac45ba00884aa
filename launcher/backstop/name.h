/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_BACKSTOP_NAME_H
#define BRIDLE_BACKSTOP_NAME_H

#include <stddef.h>

/*
 * The kernel's name of an open file, NUL-terminated. A folder whose path is longer than any may be goes by its nearest ancestor
 * that has a name: rules name trees, and what holds for that one's descendants holds for it. Result: its length, or 0 with
 * errno: ENOTDIR for a file that lies so deep.
 */
size_t name_of(int descriptor, char *path, size_t size);

#endif
