/* SPDX-License-Identifier: MIT */
/*
 * May a number of a descriptor be asked about now and used a moment later? In a process with one thread nobody puts another
 * file behind it in between. Not noticed: a signal handler that does, and threads that are made without libc.
 * Safe anywhere: lock-free, any thread, signal handler, vfork child.
 */
#ifndef BRIDLE_DESCRIBE_ALONE_H
#define BRIDLE_DESCRIBE_ALONE_H

#include <stdbool.h>

/* Has this process one thread, and descriptors that no other process changes? False as well when libc does not say. */
bool alone_is_so(void);

/*
 * Before a child is made that shares the descriptors (CLONE_FILES), or the memory without waiting for its end (CLONE_VM): never
 * again, children included.
 */
void alone_no_more(void);

#endif
