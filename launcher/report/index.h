/* SPDX-License-Identifier: MIT */
/*
 * Finds a record by a key of four words (numbers or addresses of interned strings). It numbers the keys 0, 1, 2, ...;
 * the records themselves are arrays of their owners.
 */
#ifndef BRIDLE_INDEX_H
#define BRIDLE_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#define INDEX_NONE UINT32_MAX

struct index_key {
	uint64_t words[4];
};

struct index {
	struct index_entry *entries; /* of slot_count, a power of two, or NULL */
	uint32_t slot_count, count, limit;
};

#define INDEX_WORD(pointer) ((uint64_t)(uintptr_t)(pointer))

/* An empty index of at most `limit` keys. It allocates as it grows. */
void index_open(struct index *index, uint32_t limit);
void index_close(struct index *index);

/* The number of the key, or INDEX_NONE when it is not there. */
uint32_t index_find(const struct index *index, const struct index_key *key);

/*
 * The number of the key, a new one (*ret_new) when it was not there: then it is the count of the keys before it.
 * INDEX_NONE when the limit is reached or memory is short.
 */
uint32_t index_add(struct index *index, const struct index_key *key, bool *ret_new);

#endif
