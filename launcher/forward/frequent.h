/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_FREQUENT_H
#define BRIDLE_FREQUENT_H

#include <stddef.h>
#include <stdint.h>

#define FREQUENT_MAX 512

/*
 * The most frequent words of a long stream in bounded memory (the space-saving count): what occurs in more than one of
 * FREQUENT_MAX is in it for certain; a count is never too low, and too high by at most `excess`.
 */
struct frequent {
	struct frequent_entry {
		char *word;
		uint64_t count, excess;
	} entries[FREQUENT_MAX];
	size_t used;
};

void frequent_add(struct frequent *frequent, const char *word);

/* Puts the most frequent first; a tie goes by the word. */
void frequent_sort(struct frequent *frequent);
void frequent_free(struct frequent *frequent);

#endif
