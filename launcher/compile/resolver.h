/* SPDX-License-Identifier: MIT */
/*
 * Where paths lead, asked of the file system once for each of their components: a policy names many files of few
 * folders. What it remembers is true for one compilation.
 */
#ifndef BRIDLE_COMPILE_RESOLVER_H
#define BRIDLE_COMPILE_RESOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RESOLVER_SLOTS 256u

struct resolver {
	struct resolver_slot {
		char *path, *leads; /* malloc; leads NULL: to itself */
		size_t length;      /* of path */
		bool missing;       /* it does not exist, so nothing in it does */
	} slots[RESOLVER_SLOTS];
};

void resolver_start(struct resolver *resolver);
void resolver_free(struct resolver *resolver);

/*
 * The path (absolute, normalised) with symlinks followed; what does not exist is joined as it is. From malloc; NULL where
 * that changes nothing.
 */
char *resolver_follow(struct resolver *resolver, const char *path);

/* The same for an absolute path of any form, as realpath gives it; NULL where it does not exist. */
char *resolver_real(struct resolver *resolver, const char *path);

#endif
