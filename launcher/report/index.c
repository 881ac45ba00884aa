/* SPDX-License-Identifier: MIT */
/* Finds a record by a key of four words. */
#include "report/index.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_START 64

struct index_entry {
	struct index_key key;
	uint32_t number; /* + 1; 0: a free slot */
};

static uint64_t hash(const struct index_key *key)
{
	uint64_t value = 0x9e3779b97f4a7c15u;

	for (int i = 0; i < 4; i++) {
		value = (value ^ key->words[i]) * 0xff51afd7ed558ccdu;
		value ^= value >> 32;
	}
	return value;
}

void index_open(struct index *index, uint32_t limit)
{
	*index = (struct index){.limit = limit};
}

void index_close(struct index *index)
{
	free(index->entries);
	*index = (struct index){0};
}

/* The slot that holds the key, or the free one where it belongs. There is always a free one. */
static uint32_t slot_of(const struct index_entry *entries, uint32_t slot_count,
			const struct index_key *key)
{
	uint32_t slot = (uint32_t)hash(key) & (slot_count - 1);

	while (entries[slot].number != 0 && memcmp(&entries[slot].key, key, sizeof(*key)) != 0)
		slot = (slot + 1) & (slot_count - 1);
	return slot;
}

static bool grow(struct index *index)
{
	uint32_t slot_count = index->slot_count ? index->slot_count * 2 : SLOTS_START;
	struct index_entry *entries = calloc(slot_count, sizeof(*entries));

	if (entries == NULL)
		return false;
	for (uint32_t i = 0; i < index->slot_count; i++)
		if (index->entries[i].number != 0)
			entries[slot_of(entries, slot_count, &index->entries[i].key)] =
				index->entries[i];
	free(index->entries);
	index->entries = entries;
	index->slot_count = slot_count;
	return true;
}

uint32_t index_find(const struct index *index, const struct index_key *key)
{
	if (index->slot_count == 0)
		return INDEX_NONE;
	return index->entries[slot_of(index->entries, index->slot_count, key)].number - 1;
}

uint32_t index_add(struct index *index, const struct index_key *key, bool *ret_new)
{
	uint32_t slot;

	*ret_new = false;
	if ((index->count + 1) * 4 > index->slot_count * 3 && !grow(index) &&
	    index->count + 1 >= index->slot_count)
		return INDEX_NONE;
	slot = slot_of(index->entries, index->slot_count, key);
	if (index->entries[slot].number != 0)
		return index->entries[slot].number - 1;
	if (index->count == index->limit)
		return INDEX_NONE;
	index->entries[slot] = (struct index_entry){*key, ++index->count};
	*ret_new = true;
	return index->count - 1;
}
