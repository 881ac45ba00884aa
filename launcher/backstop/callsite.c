/* SPDX-License-Identifier: MIT */
/* Reads machine code: the call's number and the folder's descriptor are constants right before it enters the kernel. */
#include "backstop/callsite.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#define FUNCTION_BYTES 256 /* of libc's function: enough to hold the call */
#define BEFORE 16          /* bytes before the instruction that enters the kernel, in which the constants are loaded */

/* Of an instruction that loads a register of 64 or of 32 bits on aarch64, the three bytes that are the same. */
#if defined(__x86_64__)
static const unsigned char number[] = {0xb8, 0x01, 0x01, 0x00, 0x00}; /* mov $257, %eax */
static const unsigned char folder[] = {0xbf, 0x9c, 0xff, 0xff, 0xff}; /* mov $AT_FDCWD, %edi */
static const unsigned char enter[] = {0x0f, 0x05};                    /* syscall */
#else
static const unsigned char number[] = {0x08, 0x07, 0x80};      /* mov x8, #56 (d2), mov w8, #56 (52) */
static const unsigned char folder[] = {0x60, 0x0c, 0x80};      /* mov x0, #AT_FDCWD (92), mov w0, #AT_FDCWD (12) */
static const unsigned char enter[] = {0x01, 0x00, 0x00, 0xd4}; /* svc #0 */
#endif

static void note(struct filter_sites *sites, const unsigned char *address)
{
	if (sites->count < FILTER_SITES_MAX)
		sites->place[sites->count++] = (uint32_t)((uintptr_t)address & FILTER_SITE_MASK);
}

/*
 * Notes each open beneath the working directory in a stretch of code, by the address behind it, which the filter sees. Looked
 * for by the folder's constant, the rarest of the three: the linker's code is gone through at each start of a session.
 */
static void search(struct filter_sites *sites, const unsigned char *code, size_t length)
{
	const unsigned char *end = code + length, *at = code, *call;

	while ((at = memmem(at, (size_t)(end - at), folder, sizeof(folder)))) {
		size_t left = (size_t)(end - at), window = BEFORE + sizeof(enter);

		call = memmem(at, left < window ? left : window, enter, sizeof(enter));
		at += sizeof(folder);
		if (call && call - code >= BEFORE && memmem(call - BEFORE, BEFORE, number, sizeof(number)))
			note(sites, call + sizeof(enter));
	}
}

static void search_linker(struct filter_sites *sites)
{
	uintptr_t base = getauxval(AT_BASE);
	const ElfW(Ehdr) *header = (const void *)base;
	const ElfW(Phdr) *part = base ? (const void *)(base + header->e_phoff) : NULL;

	for (int i = 0; part && i < header->e_phnum; i++)
		if (part[i].p_type == PT_LOAD && part[i].p_flags & PF_X)
			search(sites, (const void *)(base + part[i].p_vaddr), part[i].p_memsz);
}

/*
 * The kernel puts libraries below the top of the address space and programs from two thirds of it, and shuffles either by at
 * most an eighth (vm.mmap_rnd_bits). How large the space is differs between kernels of aarch64 (39, 42, 47, 48 bits): the
 * first stack, where the program's name stands, ends with it.
 */
static uint32_t libraries_from(void)
{
	uint64_t end = UINT64_C(1) << 33, top = getauxval(AT_EXECFN);

	while (end < top)
		end <<= 1;
	return (uint32_t)((end - end / 8 - end / 128) >> 32);
}

void callsite_find(struct filter_sites *ret_sites)
{
	const void *function = dlsym(RTLD_DEFAULT, "__open64_nocancel");

	*ret_sites = (struct filter_sites){.from = libraries_from()};
	if (!function)
		return;
	search(ret_sites, function, FUNCTION_BYTES);
	search_linker(ret_sites);
}
