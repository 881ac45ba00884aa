/* SPDX-License-Identifier: MIT */
/*
 * Probes the caller's pages: the kernel reads eight bytes for us and says EFAULT or, as `how` is nonsense, EINVAL. What is
 * remembered are only pages that nobody takes away behind us; all others are asked for again at each call.
 */
#include "describe/memory.h"

#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

#include "real/syscall.h"
#include "start.h"

#include "forbid.h"

#define PAGE ((uintptr_t)4096) /* the smallest page there is: a larger one is only probed more often */
#define SEEN 64
#define MASK_SIZE 8

/* The kernel leaves at least 128 MiB below the top of the first stack to it: nothing else is mapped there. */
#define STACK_AREA ((uintptr_t)64 << 20)

static uintptr_t seen[SEEN];

/* The end of the heap (brk); musl has no such name, and then each page of the heap is asked for. */
extern char *__curbrk __attribute__((weak));
extern unsigned long getauxval(unsigned long) __attribute__((weak));

/* The pages of the program's own file, and the top one of the first stack, where the kernel put the program's name. */
static uintptr_t program_start, program_end, stack_top;

static void look_around(void)
{
	const ElfW(Phdr) *headers = getauxval ? (const ElfW(Phdr) *)getauxval(AT_PHDR) : NULL;
	size_t count = headers ? getauxval(AT_PHNUM) : 0;
	uintptr_t base = 0, start = ~(uintptr_t)0, end = 1;

	for (size_t i = 0; i < count; i++)
		if (headers[i].p_type == PT_PHDR)
			base = (uintptr_t)headers - headers[i].p_vaddr;
	for (size_t i = 0; i < count; i++) {
		uintptr_t at = base + headers[i].p_vaddr;

		if (headers[i].p_type != PT_LOAD)
			continue;
		start = at < start ? at & ~(PAGE - 1) : start;
		end = at + headers[i].p_memsz > end ? at + headers[i].p_memsz : end;
	}
	__atomic_store_n(&stack_top, getauxval ? getauxval(AT_EXECFN) & ~(PAGE - 1) : 0, __ATOMIC_RELAXED);
	__atomic_store_n(&program_start, start, __ATOMIC_RELAXED);
	__atomic_store_n(&program_end, end, __ATOMIC_RELEASE);
}

/*
 * Does this page stay once it is there? The program's own file and the heap behind it do, up to where the heap ends now,
 * and the stack of the first thread. What was mapped can be unmapped, by libc itself too: no function of ours sees that.
 */
static bool is_lasting(uintptr_t page)
{
	uintptr_t end, heap_end = &__curbrk ? (uintptr_t)__curbrk : 0;

	while (!(end = __atomic_load_n(&program_end, __ATOMIC_ACQUIRE)))
		look_around();
	if (page < end || page < heap_end)
		return page >= program_start;
	return page <= stack_top && stack_top - page < STACK_AREA;
}

/* The pages that one call has asked for: the strings of a vector stand close together. */
struct probe {
	uintptr_t page;
};

static bool page_readable(struct probe *probe, uintptr_t address)
{
	uintptr_t page = address & ~(PAGE - 1);
	uintptr_t *slot = &seen[page / PAGE % SEEN];

	if (page == 0 || start_filtered)
		return page != 0;
	if (page == probe->page || page == ((uintptr_t)__builtin_frame_address(0) & ~(PAGE - 1)))
		return true;
	bool lasting = is_lasting(page);
	if (!lasting || __atomic_load_n(slot, __ATOMIC_RELAXED) != page) {
		if (raw(SYS_rt_sigprocmask, ~0, page, NULL, MASK_SIZE) == -EFAULT)
			return false;
		if (lasting)
			__atomic_store_n(slot, page, __ATOMIC_RELAXED);
	}
	probe->page = page;
	return true;
}

static bool readable(struct probe *probe, const void *address, size_t size)
{
	uintptr_t at = (uintptr_t)address, end = at + size;

	if (end < at)
		return false;
	for (; at < end; at = (at & ~(PAGE - 1)) + PAGE)
		if (!page_readable(probe, at))
			return false;
	return true;
}

bool memory_readable(const void *address, size_t size)
{
	return readable(&(struct probe){0}, address, size);
}

static size_t left_in_page(const char *at)
{
	return PAGE - ((uintptr_t)at & (PAGE - 1));
}

/* The bytes behind a copy's end are zeros up to the next eighth, so that it can be taken in words (print.h). */
static inline long close_copy(char *copy, size_t size, size_t length)
{
	if (length + sizeof(uint64_t) <= size)
		__builtin_memset(copy + length, 0, sizeof(uint64_t));
	else
		memset(copy + length, 0, size - length);
	return (long)length;
}

long memory_string(char *copy, size_t size, const char *text)
{
	struct probe probe = {0};
	size_t length = 0;
	uint64_t word, zeros;

	for (;;) {
		size_t end = length + left_in_page(text + length);

		if (!page_readable(&probe, (uintptr_t)(text + length)))
			return -EFAULT;
		end = end < size ? end : size;
		for (; length + sizeof(word) <= end; length += sizeof(word)) {
			__builtin_memcpy(&word, text + length, sizeof(word));
			__builtin_memcpy(copy + length, &word, sizeof(word));
			zeros = (word - 0x0101010101010101u) & ~word & 0x8080808080808080u;
			if (zeros)
				return close_copy(copy, size, length + (size_t)__builtin_ctzll(zeros) / 8);
		}
		for (; length < end; length++) {
			copy[length] = text[length];
			if (!copy[length])
				return close_copy(copy, size, length);
		}
		if (length == size)
			return -ENAMETOOLONG;
	}
}

static bool string_readable(struct probe *probe, const char *text)
{
	for (;;) {
		size_t chunk = left_in_page(text);

		if (!page_readable(probe, (uintptr_t)text))
			return false;
		for (; chunk; chunk--, text++)
			if (!*text)
				return true;
	}
}

bool memory_string_readable(const char *text)
{
	return string_readable(&(struct probe){0}, text);
}

long memory_vector(char *const *vector)
{
	struct probe entries = {0}, strings = {0};
	long count = 0;

	if (!vector)
		return 0;
	for (;; count++) {
		if (!readable(&entries, &vector[count], sizeof(*vector)))
			return -EFAULT;
		if (!vector[count])
			return count;
		if (!string_readable(&strings, vector[count]))
			return -EFAULT;
	}
}
