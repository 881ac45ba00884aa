/* SPDX-License-Identifier: MIT */
/*
 * Two small tables, overwritten as needed: keys of what was allowed, each one word, and what the walk through the rules of a
 * folder came to.
 */
#include "memo.h"

#include "sequence.h"
#include "start.h"

#include "forbid.h"

#define PLACES 32
#define PLACE_WORDS (sizeof(struct path_place) / sizeof(uint64_t))

_Static_assert(sizeof(struct path_place) % sizeof(uint64_t) == 0, "places are copied in words");

uint64_t memo_allowed[MEMO_ALLOWED] START_HOT;

/* The second table is a page more to touch: used only once a process has asked for that many folders. */
#define FEW_FOLDERS 16
static unsigned folders START_HOT;

static struct kept_place {
	uint64_t print;
	unsigned sequence;
	uint64_t words[PLACE_WORDS];
} places[PLACES];

/* Where the last component starts. */
static inline size_t find_name(const char *text, size_t length)
{
	uint64_t word, slashes;

	for (size_t at = (length + 7) / 8 * 8; at; at -= sizeof(word)) {
		__builtin_memcpy(&word, text + at - sizeof(word), sizeof(word));
		slashes = print_zeros(word ^ 0x2f2f2f2f2f2f2f2fu);
		if (slashes)
			return at - (size_t)__builtin_clzll(slashes) / 8;
	}
	return 0;
}

static inline bool is_name(const char *name, size_t length)
{
	return length > 2 || (length && name[0] != '.') || (length == 2 && name[1] != '.');
}

uint64_t memo_folder(uint64_t base, const char *text, size_t length, size_t *ret_name)
{
	size_t name = find_name(text, length);

	*ret_name = name;
	if (!is_name(text + name, length - name))
		return 0;
	return print_part(base ^ (uint64_t)(uintptr_t)memo_allowed, text, name) | 1;
}

bool memo_find_place(uint64_t folder, unsigned index, struct path_place *ret)
{
	uint64_t print = folder + 2 * index, words[PLACE_WORDS];
	struct kept_place *kept = &places[print / 2 % PLACES];
	if (__atomic_load_n(&folders, __ATOMIC_RELAXED) < FEW_FOLDERS)
		return false;

	unsigned began;

	if (!sequence_read(&kept->sequence, &began) || __atomic_load_n(&kept->print, __ATOMIC_RELAXED) != print)
		return false;
	sequence_load(words, kept->words, PLACE_WORDS);
	__builtin_memcpy(ret, words, sizeof(words));
	return sequence_held(&kept->sequence, began);
}

void memo_keep_place(uint64_t folder, unsigned index, const struct path_place *place)
{
	uint64_t print = folder + 2 * index, words[PLACE_WORDS];
	struct kept_place *kept = &places[print / 2 % PLACES];
	if (__atomic_load_n(&folders, __ATOMIC_RELAXED) < FEW_FOLDERS) {
		__atomic_fetch_add(&folders, 1, __ATOMIC_RELAXED);
		return;
	}
	if (!sequence_lock(&kept->sequence))
		return;
	__builtin_memcpy(words, place, sizeof(words));
	__atomic_store_n(&kept->print, print, __ATOMIC_RELAXED);
	sequence_store(kept->words, words, PLACE_WORDS);
	sequence_unlock(&kept->sequence);
}
