/* SPDX-License-Identifier: MIT */
/*
 * The few memory and string functions that the compiler and the pure layers ask for, private to the shim: libc's may
 * be replaced by the program or by a sanitizer, and may not be ready when our first wrapper runs.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The compiler must not turn a loop into a call of the function that it implements; clang is told by -fno-builtin. */
#ifndef __clang__
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

/* Whole words, the last of which may lie over the one before: no loop for what is left. */
void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
	unsigned char *target = to;
	const unsigned char *source = from;
	uint64_t word;
	uint32_t half;

	if (size >= sizeof(word)) {
		for (size_t at = 0; at + sizeof(word) < size; at += sizeof(word)) {
			__builtin_memcpy(&word, source + at, sizeof(word));
			__builtin_memcpy(target + at, &word, sizeof(word));
		}
		__builtin_memcpy(&word, source + size - sizeof(word), sizeof(word));
		__builtin_memcpy(target + size - sizeof(word), &word, sizeof(word));
	} else if (size >= sizeof(half)) {
		uint32_t last;

		__builtin_memcpy(&half, source, sizeof(half));
		__builtin_memcpy(&last, source + size - sizeof(last), sizeof(last));
		__builtin_memcpy(target, &half, sizeof(half));
		__builtin_memcpy(target + size - sizeof(last), &last, sizeof(last));
	} else if (size) {
		target[0] = source[0];
		target[size / 2] = source[size / 2];
		target[size - 1] = source[size - 1];
	}
	return to;
}

/* A word that is read whole before it is written is right in either direction, however close the two lie. */
void *memmove(void *to, const void *from, size_t size)
{
	unsigned char *target = to;
	const unsigned char *source = from;
	uint64_t word;

	if (target <= source) {
		for (; size >= sizeof(word); size -= sizeof(word), target += sizeof(word), source += sizeof(word)) {
			__builtin_memcpy(&word, source, sizeof(word));
			__builtin_memcpy(target, &word, sizeof(word));
		}
		while (size--)
			*target++ = *source++;
		return to;
	}
	for (; size >= sizeof(word); size -= sizeof(word)) {
		__builtin_memcpy(&word, source + size - sizeof(word), sizeof(word));
		__builtin_memcpy(target + size - sizeof(word), &word, sizeof(word));
	}
	while (size--)
		target[size] = source[size];
	return to;
}

void *memset(void *to, int value, size_t size)
{
	unsigned char *target = to;
	uint64_t word = (unsigned char)value * 0x0101010101010101u;

	for (; size >= sizeof(word); size -= sizeof(word), target += sizeof(word))
		__builtin_memcpy(target, &word, sizeof(word));
	while (size--)
		*target++ = (unsigned char)value;
	return to;
}

int memcmp(const void *left, const void *right, size_t size)
{
	const unsigned char *a = left, *b = right;
	uint64_t one, other;

	for (; size >= sizeof(one); size -= sizeof(one), a += sizeof(one), b += sizeof(one)) {
		__builtin_memcpy(&one, a, sizeof(one));
		__builtin_memcpy(&other, b, sizeof(other));
		if (one != other)
			break;
	}
	for (; size; size--, a++, b++)
		if (*a != *b)
			return *a - *b;
	return 0;
}

void *memchr(const void *bytes, int value, size_t size)
{
	const unsigned char *at = bytes;

	for (; size; size--, at++)
		if (*at == (unsigned char)value)
			return (void *)(uintptr_t)at;
	return NULL;
}

/* Aligned words: none of them reaches into a page that the text does not touch. */
size_t strlen(const char *text)
{
	const char *at = text;
	uint64_t word, zeros;

	for (; (uintptr_t)at % sizeof(word); at++)
		if (!*at)
			return (size_t)(at - text);
	for (;; at += sizeof(word)) {
		__builtin_memcpy(&word, __builtin_assume_aligned(at, sizeof(word)), sizeof(word));
		zeros = (word - 0x0101010101010101u) & ~word & 0x8080808080808080u;
		if (zeros)
			return (size_t)(at - text) + (size_t)__builtin_ctzll(zeros) / 8;
	}
}

size_t strnlen(const char *text, size_t most)
{
	size_t length = 0;

	while (length < most && text[length])
		length++;
	return length;
}

int strcmp(const char *left, const char *right)
{
	while (*left && *left == *right) {
		left++;
		right++;
	}
	return (unsigned char)*left - (unsigned char)*right;
}

int strncmp(const char *left, const char *right, size_t most)
{
	for (; most; most--, left++, right++)
		if (*left != *right || !*left)
			return (unsigned char)*left - (unsigned char)*right;
	return 0;
}

char *strchr(const char *text, int value)
{
	for (;; text++) {
		if (*text == (char)value)
			return (char *)(uintptr_t)text;
		if (!*text)
			return NULL;
	}
}

char *strrchr(const char *text, int value)
{
	const char *found = NULL;

	for (;; text++) {
		if (*text == (char)value)
			found = text;
		if (!*text)
			return (char *)(uintptr_t)found;
	}
}

size_t strspn(const char *text, const char *accepted)
{
	size_t length = 0;

	while (text[length] && strchr(accepted, text[length]))
		length++;
	return length;
}

size_t strcspn(const char *text, const char *refused)
{
	size_t length = 0;

	while (text[length] && !strchr(refused, text[length]))
		length++;
	return length;
}

void *memmem(const void *bytes, size_t size, const void *wanted, size_t wanted_size)
{
	const char *at = bytes;

	for (; size >= wanted_size; at++, size--)
		if (memcmp(at, wanted, wanted_size) == 0)
			return (void *)(uintptr_t)at;
	return NULL;
}
