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

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
	unsigned char *target = to;
	const unsigned char *source = from;
	uint64_t word;

	for (; size >= sizeof(word); size -= sizeof(word), target += sizeof(word), source += sizeof(word)) {
		__builtin_memcpy(&word, source, sizeof(word));
		__builtin_memcpy(target, &word, sizeof(word));
	}
	while (size--)
		*target++ = *source++;
	return to;
}

void *memmove(void *to, const void *from, size_t size)
{
	unsigned char *target = to;
	const unsigned char *source = from;

	if (target <= source)
		while (size--)
			*target++ = *source++;
	else
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

size_t strlen(const char *text)
{
	const char *at = text;

	while (*at)
		at++;
	return (size_t)(at - text);
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
