/* SPDX-License-Identifier: MIT */
/*
 * A few places. Whoever is about to ask where the directory of a number lies claims the number's place with a word of its
 * own; whoever puts something behind the number takes the claim away; what was asked for is true while its claim stands. So
 * an answer that comes late, of a writer that a signal handler interrupted, is nobody's.
 *
 * A vfork child reads what its parent knew, which is true of its own descriptors while both are alone, and takes claims
 * away; it never answers them. A forked child finds the page empty (own.h).
 */
#include "describe/number.h"

#include <string.h>

#include "describe/own.h"
#include "handoff.h"
#include "print.h"
#include "real/syscall.h"
#include "sequence.h"

#include "forbid.h"

#define TEXT 440
#define FIRST 3 /* libc and the kernel put things behind the first three by themselves (daemon, login_tty) */

struct place {
	unsigned sequence;
	unsigned length;
	uint64_t claim, moves;                   /* that it answers; start_moves() before it was asked for */
	uint64_t print;                          /* of the path */
	uint64_t words[TEXT / sizeof(uint64_t)]; /* the path, no NUL */
};

/* Alone on its page, as the kernel wipes whole pages. */
static union {
	struct {
		int owner;
		struct place places[NUMBER_PLACES];
	} table;
	char page[HANDOFF_PAGE];
} kept START_PAGE __attribute__((aligned(HANDOFF_PAGE)));

_Static_assert(sizeof(kept) == HANDOFF_PAGE, "the table fits into its page");

uint64_t number_claims[NUMBER_PLACES] START_HOT;
bool number_claimed START_HOT;
static unsigned moving START_HOT;
static unsigned claims START_HOT;

static struct place *place_of(uint64_t claim)
{
	return &kept.table.places[(claim >> 32) % NUMBER_PLACES];
}

/* Result: 0 where nothing may be remembered. */
static uint64_t claim(int fd)
{
	uint64_t word;

	if (fd < FIRST || __atomic_load_n(&moving, __ATOMIC_SEQ_CST))
		return 0;
	if (!__atomic_load_n(&number_claimed, __ATOMIC_ACQUIRE)) {
		if (!own_wiped(&kept))
			return 0;
		__atomic_store_n(&number_claimed, true, __ATOMIC_RELEASE);
	}
	word = (uint64_t)(unsigned)fd << 32 | __atomic_add_fetch(&claims, 1, __ATOMIC_RELAXED);
	__atomic_store_n(number_claim((unsigned)fd), word, __ATOMIC_SEQ_CST);
	return word;
}

/* Does the place answer the claim, and did nothing move since? *ret_print: of its path. */
static inline bool read_print(struct place *place, uint64_t word, uint64_t moves, uint64_t *ret_print)
{
	unsigned began;

	if (!sequence_read(&place->sequence, &began) || __atomic_load_n(&place->claim, __ATOMIC_RELAXED) != word ||
	    __atomic_load_n(&place->moves, __ATOMIC_RELAXED) != moves)
		return false;
	*ret_print = __atomic_load_n(&place->print, __ATOMIC_RELAXED);
	return sequence_held(&place->sequence, began);
}

void number_recall(struct folder *ret, int fd)
{
	uint64_t word = __atomic_load_n(number_claim((unsigned)fd), __ATOMIC_SEQ_CST);

	ret->moves = start_moves();
	ret->by_number = true;
	ret->print = 0;
	ret->claim = word;
	if (fd < FIRST || word >> 32 != (unsigned)fd || !read_print(place_of(word), word, ret->moves, &ret->print))
		ret->claim = claim(fd);
}

/* Result: 0 when it is not, or no more, what was recalled. */
static long read_path(struct path_room room, struct place *place, const struct folder *folder)
{
	unsigned began;
	size_t length;
	uint64_t word;

	if (!sequence_read(&place->sequence, &began) || __atomic_load_n(&place->claim, __ATOMIC_RELAXED) != folder->claim)
		return 0;
	length = __atomic_load_n(&place->length, __ATOMIC_RELAXED);
	if (!length || length >= TEXT || length + sizeof(word) > room.size)
		return 0;
	for (size_t i = 0; i < length; i += sizeof(word)) {
		word = __atomic_load_n(&place->words[i / sizeof(word)], __ATOMIC_RELAXED);
		__builtin_memcpy(room.text + i, &word, sizeof(word));
	}
	room.text[length] = '\0';
	return sequence_held(&place->sequence, began) ? (long)length : 0;
}

static void write_place(struct place *place, const struct folder *folder, const char *path, size_t length)
{
	uint64_t word, print = (uintptr_t)&kept;

	if (!sequence_lock(&place->sequence))
		return;
	__atomic_store_n(&place->claim, folder->claim, __ATOMIC_RELAXED);
	__atomic_store_n(&place->moves, folder->moves, __ATOMIC_RELAXED);
	__atomic_store_n(&place->length, (unsigned)length, __ATOMIC_RELAXED);
	for (size_t i = 0; i < length; i += sizeof(word)) {
		word = 0;
		memcpy(&word, path + i, length - i < sizeof(word) ? length - i : sizeof(word));
		__atomic_store_n(&place->words[i / sizeof(word)], word, __ATOMIC_RELAXED);
		print = print_word(print, word);
	}
	__atomic_store_n(&place->print, print | 1, __ATOMIC_RELAXED);
	sequence_unlock(&place->sequence);
}

long number_path(struct path_room room, const struct folder *folder, int fd)
{
	long length = folder->print ? read_path(room, place_of(folder->claim), folder) : 0;

	if (length)
		return length;
	length = path_of_descriptor(room, fd);
	if (length > 0 && length < TEXT && folder->claim && !folder->print && !path_in_proc(room) && !start_moving() &&
	    number_is_still(folder) && own_is_ours(&kept.table.owner))
		write_place(place_of(folder->claim), folder, room.text, (size_t)length);
	return length;
}

void number_forget(void)
{
	for (unsigned i = 0; i < NUMBER_PLACES; i++)
		__atomic_store_n(&number_claims[i], 0, __ATOMIC_SEQ_CST);
}

static void forget(int fd)
{
	if (fd < 0)
		number_forget();
	else
		number_new(fd);
}

void number_leave(int fd)
{
	__atomic_fetch_add(&moving, 1, __ATOMIC_SEQ_CST);
	forget(fd);
}

void number_arrive(int fd)
{
	forget(fd);
	__atomic_fetch_sub(&moving, 1, __ATOMIC_SEQ_CST);
}
