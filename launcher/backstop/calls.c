/* SPDX-License-Identifier: MIT */
/* The table made of calls.def, and the way back from a number to its row. */
#include "backstop/calls.h"

#include <linux/audit.h>
#include <string.h>

#define X32_BIT 0x40000000

/* clang-format off */
#define NO (-1)
#define NONE {PLACE_NONE, -1, -1}
#define READ_HERE(path) {PLACE_READ, -1, path}
#define READ_AT(dirfd, path) {PLACE_READ, dirfd, path}
#define WRITE_HERE(path) {PLACE_WRITE, -1, path}
#define WRITE_AT(dirfd, path) {PLACE_WRITE, dirfd, path}
#define WRITE_FD(descriptor) {PLACE_WRITE, descriptor, -1}
#define MAKE_HERE(path) {PLACE_MAKE, -1, path}
#define MAKE_AT(dirfd, path) {PLACE_MAKE, dirfd, path}
#define NEW_HERE(path) {PLACE_NEW, -1, path}
#define NEW_AT(dirfd, path) {PLACE_NEW, dirfd, path}
#define OPEN_HERE(path) {PLACE_OPEN, -1, path}
#define OPEN_AT(dirfd, path) {PLACE_OPEN, dirfd, path}
/* clang-format on */

const struct call calls[] = {
#define CALL(name, x86_64, x32, i386, aarch64, arm, pass, shape, first, second, follow, flag) \
	{#name, {x86_64, x32, i386, aarch64, arm}, PASS_##pass, SHAPE_##shape, first, second, FOLLOW_##follow, flag},
#include "backstop/calls.def"
#undef CALL
};

const size_t call_count = sizeof(calls) / sizeof(calls[0]);

enum abi call_abi(uint32_t arch, int number)
{
	switch (arch) {
	case AUDIT_ARCH_X86_64:
		return number & X32_BIT ? ABI_X32 : ABI_X86_64;
	case AUDIT_ARCH_I386:
		return ABI_I386;
	case AUDIT_ARCH_AARCH64:
		return ABI_AARCH64;
	case AUDIT_ARCH_ARM:
		return ABI_ARM;
	default:
		return ABI_NONE;
	}
}

bool call_moves(const struct call *call)
{
	static const char *const moving[] = {"chroot", "pivot_root", "mount", "umount", "umount2", "move_mount"};

	if (call->shape == SHAPE_MOVES)
		return true;
	for (size_t i = 0; i < sizeof(moving) / sizeof(moving[0]); i++)
		if (!strcmp(call->name, moving[i]))
			return true;
	return false;
}

const struct call *call_find(enum abi abi, int number)
{
	if (abi == ABI_X32)
		number &= ~X32_BIT;
	if (abi >= ABI_COUNT || number < 0)
		return NULL;
	for (size_t i = 0; i < call_count; i++)
		if (calls[i].numbers[abi] == number)
			return &calls[i];
	return NULL;
}
