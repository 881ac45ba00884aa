/* SPDX-License-Identifier: MIT */
/*
 * Reading what a caller's pointer points at, without a crash when it points nowhere. A page is probed with a system
 * call when first seen and remembered; a page that the program unmaps later and passes again is not noticed.
 * Safe anywhere: any thread, signal handler, vfork child.
 */
#ifndef BRIDLE_DESCRIBE_MEMORY_H
#define BRIDLE_DESCRIBE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Can size bytes at address be read? */
bool memory_readable(const void *address, size_t size);

/*
 * Copies a NUL-terminated string of the caller's. Result: its length without the NUL; -EFAULT; -ENAMETOOLONG when it
 * does not fit into size bytes with its NUL.
 */
long memory_string(char *copy, size_t size, const char *text);

/* Is the whole string, its NUL included, readable? */
bool memory_string_readable(const char *text);

/* Counts a NULL-terminated vector whose every string can be read. Result: the count, or -EFAULT. NULL counts as empty. */
long memory_vector(char *const *vector);

#endif
