/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CHECK_GLOB_H
#define BRIDLE_CHECK_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Does the whole of text (length bytes) fit the pattern (NUL-terminated)? "*" any run, "?" any one byte, "[a-z]", "[!a-z]"
 * (or "[^a-z]") one byte of a set, "\" takes the next byte as it is. Nothing is special about slashes or leading dots:
 * callers match one component or one name. At most pattern times text steps. Pure: any thread, signal handler,
 * after vfork.
 */
bool check_glob(const char *pattern, const char *text, size_t length);

/* Is it a whole pattern (each "[" closed, nothing missing after "\")? Pure as above. */
bool check_glob_is_whole(const char *pattern);

/* Does it hold *, ? or [, or a backslash? Pure as above. */
bool check_glob_is_pattern(const char *text);

#endif
