/* SPDX-License-Identifier: MIT */
/*
 * Records of whole words that any thread reads while another may write: behind a number that is odd meanwhile. Who reads
 * takes a copy and keeps it only if the number has not moved; who writes leaves a record alone that another writes. Nobody
 * waits. Safe anywhere: any thread, signal handler, vfork child.
 */
#ifndef BRIDLE_SEQUENCE_H
#define BRIDLE_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Before the record is read. False: it is being written. *ret_began is for sequence_held. */
static inline bool sequence_read(const unsigned *sequence, unsigned *ret_began)
{
	*ret_began = __atomic_load_n(sequence, __ATOMIC_ACQUIRE);
	return !(*ret_began & 1);
}

/* Is what was read since then of one piece? */
static inline bool sequence_held(const unsigned *sequence, unsigned began)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n(sequence, __ATOMIC_RELAXED) == began;
}

/* Before the record is written. False: another writes it. Else sequence_unlock() ends it. */
static inline bool sequence_lock(unsigned *sequence)
{
	unsigned before = __atomic_load_n(sequence, __ATOMIC_RELAXED);

	if ((before & 1) ||
	    !__atomic_compare_exchange_n(sequence, &before, before + 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return false;
	__atomic_thread_fence(__ATOMIC_RELEASE); /* nothing of the record is seen before the odd number */
	return true;
}

static inline void sequence_unlock(unsigned *sequence)
{
	__atomic_store_n(sequence, __atomic_load_n(sequence, __ATOMIC_RELAXED) + 1, __ATOMIC_RELEASE);
}

/* The words of a record, out of it and into it. */
static inline void sequence_load(uint64_t *words, const uint64_t *record, size_t count)
{
	for (size_t i = 0; i < count; i++)
		words[i] = __atomic_load_n(&record[i], __ATOMIC_RELAXED);
}

static inline void sequence_store(uint64_t *record, const uint64_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		__atomic_store_n(&record[i], words[i], __ATOMIC_RELAXED);
}

#endif
