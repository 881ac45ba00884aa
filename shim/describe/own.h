/* SPDX-License-Identifier: MIT */
/*
 * What a process remembers of itself lies in memory that others may have as well: a vfork child (or clone with CLONE_VM)
 * has it too and descriptors and a working directory of its own, a forked child has a copy. Whole pages of such things are
 * given empty to forked children, and only the process that owns the memory may write what is believed.
 *
 * Safe anywhere: lock-free, any thread, signal handler, vfork child.
 */
#ifndef BRIDLE_DESCRIBE_OWN_H
#define BRIDLE_DESCRIBE_OWN_H

#include <stdbool.h>

/* Before a page at that address is first written: forked children will find zeros. False: they cannot be made to. */
bool own_wiped(void *page);

/* Is this process the one that such a page tells of? owner: of the page, 0 until somebody asks. Costs system calls. */
bool own_is_ours(int *owner);

#endif
