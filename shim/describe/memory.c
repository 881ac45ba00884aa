/* SPDX-License-Identifier: MIT */
/* Probes the caller's pages: the kernel reads eight bytes for us and says EFAULT or, as `how` is nonsense, EINVAL. */
#include "describe/memory.h"

#include <errno.h>
#include <stdint.h>

#include "real/syscall.h"
#include "start.h"

#include "forbid.h"

#define PAGE ((uintptr_t)4096) /* the smallest page there is: a larger one is only probed more often */
#define SEEN 64
#define MASK_SIZE 8

static uintptr_t seen[SEEN];

static bool page_readable(uintptr_t address)
{
	uintptr_t page = address & ~(PAGE - 1);
	uintptr_t *slot = &seen[page / PAGE % SEEN];

	if (page == 0 || start_filtered)
		return page != 0;
	if (__atomic_load_n(slot, __ATOMIC_RELAXED) == page)
		return true;
	if (raw(SYS_rt_sigprocmask, ~0, page, NULL, MASK_SIZE) == -EFAULT)
		return false;
	__atomic_store_n(slot, page, __ATOMIC_RELAXED);
	return true;
}

bool memory_readable(const void *address, size_t size)
{
	uintptr_t at = (uintptr_t)address, end = at + size;

	if (end < at)
		return false;
	for (; at < end; at = (at & ~(PAGE - 1)) + PAGE)
		if (!page_readable(at))
			return false;
	return true;
}

static size_t left_in_page(const char *at)
{
	return PAGE - ((uintptr_t)at & (PAGE - 1));
}

/* Eight bytes at a time as far as none of them is the end. Result: how many were copied. */
static size_t copy_words(char *copy, const char *text, size_t most)
{
	size_t length = 0;
	uint64_t word;

	for (; length + sizeof(word) <= most; length += sizeof(word)) {
		__builtin_memcpy(&word, text + length, sizeof(word));
		if ((word - 0x0101010101010101u) & ~word & 0x8080808080808080u)
			break;
		__builtin_memcpy(copy + length, &word, sizeof(word));
	}
	return length;
}

long memory_string(char *copy, size_t size, const char *text)
{
	size_t length = 0;

	for (;;) {
		size_t chunk = left_in_page(text + length), words;

		if (!page_readable((uintptr_t)(text + length)))
			return -EFAULT;
		words = copy_words(copy + length, text + length, chunk < size - length ? chunk : size - length);
		length += words;
		chunk -= words;
		for (; chunk; chunk--, length++) {
			if (length == size)
				return -ENAMETOOLONG;
			copy[length] = text[length];
			if (!copy[length])
				return (long)length;
		}
	}
}

bool memory_string_readable(const char *text)
{
	for (;;) {
		size_t chunk = left_in_page(text);

		if (!page_readable((uintptr_t)text))
			return false;
		for (; chunk; chunk--, text++)
			if (!*text)
				return true;
	}
}

long memory_vector(char *const *vector)
{
	long count = 0;

	if (!vector)
		return 0;
	for (;; count++) {
		if (!memory_readable(&vector[count], sizeof(*vector)))
			return -EFAULT;
		if (!vector[count])
			return count;
		if (!memory_string_readable(vector[count]))
			return -EFAULT;
	}
}
