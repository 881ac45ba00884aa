/* SPDX-License-Identifier: MIT */
/* What syscall() is judged by in the library and what the backstop judges by say the same of each call. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>

#include "backstop/calls.h"
#include "guard.h"

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif
#ifndef SYS_setxattrat
#define SYS_setxattrat 463
#define SYS_removexattrat 466
#endif

#if defined(__x86_64__)
#define HERE ABI_X86_64
#else
#define HERE ABI_AARCH64
#endif

enum shape_of_library {
	PATH,
	PATH_AT,
	TWO,
	TWO_AT,
	TEXT_PATH,
	TEXT_AT,
	DESCRIPTOR,
	MOUNTS,
};

#define NONE (-1)
#define CALL(name, shape, flags, flags_at) {SYS_##name, #name, shape, flags, flags_at},
#define MOUNT(name, shape, flags) {SYS_##name, #name, shape, flags, NONE},

static const struct library_row {
	long number;
	const char *name;
	enum shape_of_library shape;
	unsigned flags;
	int flags_at;
} rows[] = {
#include "wrap/syscall_file.def"
};

#define COUNT (sizeof(rows) / sizeof(rows[0]))

/* Where the (last) path and its folder's descriptor stand. */
static struct place place_of(const struct library_row *row)
{
	static const struct place places[] = {
		[PATH] = {0, -1, 0},
		[PATH_AT] = {0, 0, 1},
		[TWO] = {0, -1, 1},
		[TWO_AT] = {0, 2, 3},
		[TEXT_PATH] = {0, -1, 1},
		[TEXT_AT] = {0, 1, 2},
		[DESCRIPTOR] = {0, 0, -1},
	};
	struct place place = places[row->shape];

	place.kind = row->flags & FILE_NEW ? PLACE_NEW : row->flags & FILE_CREATES ? PLACE_MAKE
										   : PLACE_WRITE;
	return place;
}

static enum follow follow_of(const struct library_row *row)
{
	if (!strcmp(row->name, "linkat"))
		return FOLLOW_IF;
	if (row->shape == DESCRIPTOR)
		return FOLLOW_ALWAYS;
	if (row->flags_at != NONE)
		return FOLLOW_UNLESS;
	return row->flags & FILE_FOLLOW ? FOLLOW_ALWAYS : FOLLOW_NEVER;
}

Test(calls_agree, what_the_library_knows_the_backstop_knows_alike)
{
	for (size_t i = 0; i < COUNT; i++) {
		const struct library_row *row = &rows[i];
		const struct call *call = call_find(HERE, (int)row->number);
		bool two = row->shape == TWO || row->shape == TWO_AT;
		const struct place *last = call && two ? &call->second : call ? &call->first
									      : NULL;
		struct place place;

		cr_assert(call && !strcmp(call->name, row->name), "%s is unknown to the backstop", row->name);
		cr_expect(call->first.kind != PLACE_READ, "%s is read in the backstop and written in the library", row->name);
		cr_expect_eq(call->shape == SHAPE_RENAME, !!(row->flags & FILE_MOVES), "%s moves in one of them", row->name);
		if (row->shape == MOUNTS)
			continue; /* judged by code of its own */
		place = place_of(row);
		cr_expect(last->kind == place.kind && last->dirfd == place.dirfd && last->path == place.path,
			  "%s: kind %d, folder %d, path %d in the backstop; %d, %d, %d in the library", row->name, last->kind,
			  last->dirfd, last->path, place.kind, place.dirfd, place.path);
		cr_expect(!two || call->first.kind == PLACE_WRITE, "%s: its first path", row->name);
		cr_expect_eq(call->follow, follow_of(row), "%s follows links in one of them", row->name);
		cr_expect(row->flags_at == NONE || call->flag == row->flags_at, "%s: where its flags stand", row->name);
	}
}

static bool library_knows(const struct call *call)
{
	for (size_t i = 0; i < COUNT; i++)
		if (rows[i].number == call->numbers[HERE])
			return true;
	return false;
}

/* What opens or starts something has files of its own in the library, and what is older than this machine no number. */
Test(calls_agree, what_the_backstop_takes_for_a_write_the_library_does)
{
	static const char *const apart[] = {"creat", "uselib"};

	for (size_t i = 0; i < call_count; i++) {
		const struct call *call = &calls[i];
		bool elsewhere = !strcmp(call->name, apart[0]) || !strcmp(call->name, apart[1]);
		uint8_t kind = call->first.kind;
		bool changes = kind == PLACE_WRITE || kind == PLACE_MAKE || kind == PLACE_NEW;

		if (call->numbers[HERE] >= 0 && changes && !elsewhere)
			cr_expect(library_knows(call), "%s is not judged through syscall()", call->name);
	}
}
