/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_MATCHES_H
#define BRIDLE_MATCHES_H

#include <stddef.h>

/* What a pattern of a shell line finds, in no order. */
struct matches {
	char **names; /* as the shell would put them in the pattern's place */
	size_t count;
};

/*
 * The names that the pattern (*, ?, [..]) finds now. A relative one starts at base (absolute; NULL: the working directory).
 * "." and ".." are left out, as newer shells do. Bounded: it reads 50,000 names of folders and finds 4,096 at most, so that a
 * pattern over a whole disk ends; what lies behind that is judged at run time. None when nothing matches, there is no memory,
 * or base is "" and the pattern relative. Asks the kernel, changes nothing. matches_free() it.
 */
void matches_find(struct matches *ret, const char *pattern, const char *base);
void matches_free(struct matches *matches);

#endif
