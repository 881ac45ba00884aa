/* SPDX-License-Identifier: MIT */
/* Reads machine code: the call's number and the folder's descriptor are constants right before it enters the kernel. */
#include "backstop/callsite.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#define FUNCTION_BYTES 256 /* of libc's function: enough to hold the call */
#define BEFORE 16          /* bytes before the instruction that enters the kernel, in which the constants are loaded */

#if defined(__x86_64__)
static const unsigned char number[] = {0xb8, 0x01, 0x01, 0x00, 0x00}; /* mov $257, %eax */
static const unsigned char folder[] = {0xbf, 0x9c, 0xff, 0xff, 0xff}; /* mov $AT_FDCWD, %edi */
static const unsigned char enter[] = {0x0f, 0x05};                    /* syscall */
#else
static const unsigned char number[] = {0x08, 0x07, 0x80, 0xd2}; /* mov x8, #56 */
static const unsigned char folder[] = {0x60, 0x0c, 0x80, 0x12}; /* mov w0, #AT_FDCWD */
static const unsigned char enter[] = {0x01, 0x00, 0x00, 0xd4};  /* svc #0 */
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

void callsite_find(struct filter_sites *ret_sites)
{
	const void *function = dlsym(RTLD_DEFAULT, "__open64_nocancel");

	ret_sites->count = 0;
	if (!function)
		return;
	search(ret_sites, function, FUNCTION_BYTES);
	search_linker(ret_sites);
}
