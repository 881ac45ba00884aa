/* SPDX-License-Identifier: MIT */
/*
 * Fingerprints of 64 bits that stand for a text in what the shim remembers. Salted with where the loader put us, so that
 * nobody can have prepared two texts with the same one.
 */
#ifndef BRIDLE_PRINT_H
#define BRIDLE_PRINT_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t print_word(uint64_t print, uint64_t word)
{
	print = (print ^ word) * 0x9fb21c651e98df25u;
	return print ^ print >> 29 ^ print >> 49;
}

/* The top bits of those bytes of a word that are 0, and no other bits. */
static inline uint64_t print_zeros(uint64_t word)
{
	const uint64_t low = 0x7f7f7f7f7f7f7f7fu;

	return ~(((word & low) + low) | word | low);
}

/* text: its last word is filled up with zeros, which no text holds (memory_string, cwd.c). */
static inline uint64_t print_text(uint64_t print, const char *text, size_t length)
{
	uint64_t word;

	for (size_t at = 0; at < length; at += sizeof(word)) {
		__builtin_memcpy(&word, text + at, sizeof(word));
		print = print_word(print, word);
	}
	return print;
}

/* The last bytes of a text, at most seven, as a word; before: how many stand in front of them. */
static inline uint64_t print_rest(const char *bytes, size_t count, size_t before)
{
	uint64_t word = 0;

	if (before + count >= sizeof(word)) {
		__builtin_memcpy(&word, bytes + count - sizeof(word), sizeof(word));
		return word >> 8 * (sizeof(word) - count);
	}
	for (size_t i = 0; i < count; i++)
		word |= (uint64_t)(uint8_t)bytes[i] << 8 * i;
	return word;
}

/* The same for the first bytes of a text that goes on. */
static inline uint64_t print_part(uint64_t print, const char *text, size_t length)
{
	size_t at = 0;
	uint64_t word;

	for (; at + sizeof(word) <= length; at += sizeof(word)) {
		__builtin_memcpy(&word, text + at, sizeof(word));
		print = print_word(print, word);
	}
	return at == length ? print : print_word(print, print_rest(text + at, length - at, at));
}

#endif
