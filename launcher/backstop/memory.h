/* SPDX-License-Identifier: MIT */
/*
 * A stopped caller's memory, read from outside. Nothing here trusts it: what it holds may change while it is read.
 * Every function returns 0 or an errno: EFAULT (not mapped), ENAMETOOLONG, E2BIG, ENOMEM, EPERM and EACCES (the process
 * may not be looked into), ESRCH (it is gone).
 */
#ifndef BRIDLE_BACKSTOP_MEMORY_H
#define BRIDLE_BACKSTOP_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define MEMORY_PAGE 4096 /* never larger than the caller's pages, so one block is mapped whole or not at all */

/*
 * A window on the memory of one thread: what was read last is kept, for strings that lie side by side. The first read is a
 * short one, since most calls have one short path.
 */
struct memory {
	pid_t tid;
	uint64_t start; /* address of the first byte held */
	size_t held;    /* bytes; 0: none */
	size_t reach;   /* bytes of the next read, at most to the end of its page */
	unsigned char bytes[MEMORY_PAGE];
};

void memory_open(struct memory *memory, pid_t tid);

/* All of `size` bytes at an address. */
int memory_read(struct memory *memory, uint64_t address, void *buffer, size_t size);

/* A NUL-terminated string of at most size - 1 bytes; ENAMETOOLONG when it is longer. */
int memory_string(struct memory *memory, uint64_t address, char *buffer, size_t size, size_t *ret_length);

/* An argv as execve takes it: an array in one allocation with its strings. */
struct memory_arguments {
	char **argv; /* NULL-terminated; free() it */
	size_t argc;
};

/* address 0 is an empty vector, as the kernel reads it; wide: 8-byte pointers, else 4. */
int memory_arguments(struct memory *memory, uint64_t address, bool wide, struct memory_arguments *ret_arguments);

#endif
