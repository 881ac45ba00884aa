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

#include "print.h"
#include "real/syscall.h"
#include "start.h"

#include "forbid.h"

#define PAGE ((uintptr_t)4096) /* the smallest page there is: a larger one is only probed more often */
#define SEEN 32
#define MASK_SIZE 8

/* The kernel leaves at least 128 MiB below the top of the first stack to it: nothing else is mapped there. */
#define STACK_AREA ((uintptr_t)64 << 20)

static uintptr_t seen[SEEN] START_HOT;

/* The end of the heap (brk); musl has no such name, and then each page of the heap is asked for. */
extern char *__curbrk __attribute__((weak));
extern unsigned long getauxval(unsigned long) __attribute__((weak));

/* The pages of the program's own file, and the top one of the first stack, where the kernel put the program's name. */
static uintptr_t program_start START_HOT, program_end START_HOT, stack_top START_HOT;

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

/* The page that one call asked for last: the strings of a vector stand close together. */
struct probe {
	uintptr_t page;
};

/* Asked for what it cannot be, a mask is read all the same. valgrind knows which bytes may be read, and says so: not there. */
static bool is_mapped(uintptr_t page)
{
	unsigned char held;

	start(); /* it finds out; a constructor that runs before ours may be the first to ask */
	if (raw_simulated)
		return raw(SYS_mincore, page, PAGE, &held) != -ENOMEM;
	return raw(SYS_rt_sigprocmask, ~0, page, NULL, MASK_SIZE) != -EFAULT;
}

static __attribute__((noinline)) bool ask_page(struct probe *probe, uintptr_t page)
{
	uintptr_t *slot = &seen[page / PAGE % SEEN];
	bool lasting;

	if (page == 0 || start_filtered)
		return page != 0;
	if (page == probe->page || page == ((uintptr_t)__builtin_frame_address(0) & ~(PAGE - 1)))
		return true;
	lasting = is_lasting(page);
	if (!lasting || __atomic_load_n(slot, __ATOMIC_RELAXED) != page) {
		if (!is_mapped(page))
			return false;
		if (lasting)
			__atomic_store_n(slot, page, __ATOMIC_RELAXED);
	}
	probe->page = page;
	return true;
}

/* Most often it is one of the program's own file that was seen before. */
static inline bool page_readable(struct probe *probe, uintptr_t address)
{
	uintptr_t page = address & ~(PAGE - 1);

	return (__atomic_load_n(&seen[page / PAGE % SEEN], __ATOMIC_RELAXED) == page && page &&
		page < __atomic_load_n(&program_end, __ATOMIC_RELAXED)) ||
	       ask_page(probe, page);
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

/* Eight bytes at a time, `most` in all. Result: how many of the text; *ret_whole: its end was met. */
static inline size_t copy_words(char *copy, const char *text, size_t most, uint64_t *ret_print, bool *ret_whole)
{
	uint64_t word, zeros, print = 0;
	size_t length = 0;

	for (*ret_whole = false; length + sizeof(word) <= most; length += sizeof(word)) {
		__builtin_memcpy(&word, text + length, sizeof(word));
		__builtin_memcpy(copy + length, &word, sizeof(word));
		zeros = (word - 0x0101010101010101u) & ~word & 0x8080808080808080u;
		if (zeros) {
			unsigned left = (unsigned)__builtin_ctzll(zeros) / 8;

			*ret_whole = true;
			*ret_print = left ? print_word(print, word & ((1ull << 8 * left) - 1)) : print;
			return length + left;
		}
		print = print_word(print, word);
	}
	return length;
}

/* At the end of a page, and into those that follow. */
static __attribute__((noinline)) long copy_bytes(struct probe *probe, char *copy, size_t size, const char *text,
						 size_t length, uint64_t *ret_print)
{
	for (; length < size; length++) {
		if (left_in_page(text + length) == PAGE && !page_readable(probe, (uintptr_t)(text + length)))
			return -EFAULT;
		copy[length] = text[length];
		if (copy[length])
			continue;
		close_copy(copy, size, length);
		*ret_print = print_text(0, copy, length);
		return (long)length;
	}
	return -ENAMETOOLONG;
}

long memory_text(char *copy, size_t size, const char *text, uint64_t *ret_print)
{
	struct probe probe = {0};
	size_t left = left_in_page(text), length;
	bool whole;

	if (!page_readable(&probe, (uintptr_t)text))
		return -EFAULT;
	length = copy_words(copy, text, left < size ? left : size, ret_print, &whole);
	return whole ? close_copy(copy, size, length) : copy_bytes(&probe, copy, size, text, length, ret_print);
}

long memory_string(char *copy, size_t size, const char *text)
{
	uint64_t unused;

	return memory_text(copy, size, text, &unused);
}

/* Does a text end here? Aligned, so it lies in one page. */
static inline bool ends_in_word(const char *at)
{
	uint64_t word;

	__builtin_memcpy(&word, __builtin_assume_aligned(at, sizeof(word)), sizeof(word));
	return (word - 0x0101010101010101u) & ~word & 0x8080808080808080u;
}

static bool string_readable(struct probe *probe, const char *text)
{
	for (;;) {
		const char *end = text + left_in_page(text);

		if (!page_readable(probe, (uintptr_t)text))
			return false;
		for (; (uintptr_t)text % sizeof(uint64_t); text++)
			if (!*text)
				return true;
		for (; text < end; text += sizeof(uint64_t))
			if (ends_in_word(text))
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
