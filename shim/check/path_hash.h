/* SPDX-License-Identifier: MIT */
/*
 * Where a literal edge of the path trie is looked for: one hash for the compiler that places it and the check that
 * finds it. A component is taken eight bytes at a time, first byte lowest, the last word filled with zeros.
 */
#ifndef BRIDLE_CHECK_PATH_HASH_H
#define BRIDLE_CHECK_PATH_HASH_H

#include <stddef.h>
#include <stdint.h>

#define PATH_HASH_START 0x9e3779b97f4a7c15u

static inline uint64_t path_hash_word(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0xd6e8feb86659fd93u;
	return hash ^ hash >> 32;
}

/* Up to eight bytes as one word. */
static inline uint64_t path_hash_load(const char *bytes, size_t length)
{
	uint64_t word = 0;

	for (size_t i = 0; i < length && i < 8; i++)
		word |= (uint64_t)(unsigned char)bytes[i] << (8 * i);
	return word;
}

static inline uint64_t path_hash(const char *component, size_t length)
{
	uint64_t hash = PATH_HASH_START;

	for (size_t at = 0; at < length; at += 8)
		hash = path_hash_word(hash, path_hash_load(component + at, length - at));
	return hash;
}

/* The slot to start at, in a table whose size is a power of two. */
static inline uint32_t path_hash_slot(uint64_t hash, uint32_t parent, uint32_t slots)
{
	return (uint32_t)(path_hash_word(hash, parent) >> 7) & (slots - 1);
}

#endif
