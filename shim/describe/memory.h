/* SPDX-License-Identifier: MIT */
/*
 * Reading what a caller's pointer points at, without a crash when it points nowhere. A page is probed with a system
 * call, and remembered where it cannot go away: in the program's own file, in the heap below its end (brk), on the stack
 * of the first thread. What was mapped (libraries, stacks of threads, their arenas) is probed by each call, one system call
 * a page. Not noticed: a remembered page that the program itself protects or unmaps, a page that another thread takes
 * away while it is read, and, in a program that has shut system calls off (start.h), any bad pointer.
 * Safe anywhere: any thread, signal handler, vfork child.
 */
#ifndef BRIDLE_DESCRIBE_MEMORY_H
#define BRIDLE_DESCRIBE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Can size bytes at address be read? */
bool memory_readable(const void *address, size_t size);

/*
 * Copies a NUL-terminated string of the caller's; up to the next multiple of eight, what follows in the copy is zeros as
 * far as size goes. Result: its length without the NUL; -EFAULT; -ENAMETOOLONG when it does not fit into size bytes with
 * its NUL.
 */
long memory_string(char *copy, size_t size, const char *text);

/* The same, and the print_text of the copy beginning with 0, taken on the way. */
long memory_text(char *copy, size_t size, const char *text, uint64_t *ret_print);

/* Is the whole string, its NUL included, readable? */
bool memory_string_readable(const char *text);

/* Counts a NULL-terminated vector whose every string can be read. Result: the count, or -EFAULT. NULL counts as empty. */
long memory_vector(char *const *vector);

#endif
