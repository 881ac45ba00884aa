/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_REAL_LOOKUP_H
#define BRIDLE_REAL_LOOKUP_H

#include <stdbool.h>

struct lookup {
	void *address;
	bool in_libc; /* the object that defines it is libc itself */
};

/*
 * Finds the default definition of `name` in the objects that the loader searches after this library, as
 * dlsym(RTLD_NEXT, name) would. No locks, no allocation, no system calls: safe anywhere once we are relocated.
 */
bool lookup_next(const char *name, struct lookup *ret);

/* Our own definition of an exported name; NULL: it is none of ours. */
void *lookup_own(const char *name);

#endif
