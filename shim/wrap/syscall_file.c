/* SPDX-License-Identifier: MIT */
/* The numbers that name files, but for opens: their paths are asked about, and the call is made where they were judged. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "wrap/lane.h"
#include "wrap/syscall.h"

#include "forbid.h"

/* Newer than some headers. */
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif
#ifndef SYS_setxattrat
#define SYS_setxattrat 463
#define SYS_removexattrat 466
#endif

/* How the arguments of a call name its files: file (and with it follow) at the first, or the first two, or after a dirfd. */
enum shape {
	PATH,       /* (path, ...) */
	PATH_AT,    /* (dirfd, path, ...) */
	TWO,        /* (from, to, ...) */
	TWO_AT,     /* (from_dir, from, to_dir, to, ...) */
	TEXT_PATH,  /* (text, path): symlink */
	TEXT_AT,    /* (text, dirfd, path): symlinkat */
	DESCRIPTOR, /* (fd, ...) */
	MOUNTS,     /* what names them, and how, the call itself knows: ask_mounts() */
};

struct decoded {
	long number;
	const char *name;
	enum shape shape;
	unsigned flags; /* FILE_* of the (last) path */
	int flags_at;   /* index of an argument with AT_* flags, or -1 */
	bool loose;     /* made by its own path, which may lead elsewhere by then */
};

#define NONE (-1)
#define CALL(name, shape, flags, flags_at) \
	{                                  \
		SYS_##name, #name, shape, flags, flags_at, false},
#define MOUNT(name, shape, flags) \
	{                         \
		SYS_##name, #name, shape, flags, NONE, true},

static const struct decoded table[] = {
#include "wrap/syscall_file.def"
};

bool syscall_make(long number, const long *a, long *ret)
{
	if (!lane_is_open(REAL_syscall) || number == SYS_setxattrat || number == SYS_sendto)
		return false;
	*ret = raw_guarded(number, a[0], a[1], a[2], a[3], a[4]);
	return true;
}

/* linkat's flag has the opposite sense of the others'. */
static unsigned flags_of(const struct decoded *call, const long *arguments)
{
	unsigned flags = call->flags;
	long given = call->flags_at == NONE ? 0 : arguments[call->flags_at];

	if (given & AT_SYMLINK_NOFOLLOW)
		flags &= ~FILE_FOLLOW;
	if (given & AT_EMPTY_PATH)
		flags |= FILE_EMPTY;
	return flags;
}

static long ask(const struct decoded *call, long dirfd, long path, unsigned flags, struct file_place *place)
{
	return guard_file(&(struct file_call){call->name, (int)dirfd, syscall_text(path), OP_WRITE, flags,
					      call->loose ? NULL : place});
}

/* The two paths of a call: the first must be there already. */
static long ask_two(const struct decoded *call, const long *from, const long *to, unsigned flags,
		    struct file_place places[2])
{
	unsigned first = flags & ~(FILE_CREATES | FILE_NEW);
	bool exchanges = call->number == SYS_renameat2 && to[2] & RENAME_EXCHANGE;
	long answer;

	if (flags & FILE_NEW) /* the older name of a link is looked up like any path */
		first &= ~FILE_ENTRY;
	if (call->number == SYS_linkat && (to[2] & AT_SYMLINK_FOLLOW))
		first |= FILE_FOLLOW;
	if (strncmp(call->name, "link", 4) == 0)
		first |= FILE_STAYS;
	else if (!exchanges)
		first |= FILE_REMOVES;
	answer = ask(call, from[0], from[1], first, &places[0]);
	if (answer)
		return answer;
	answer = ask(call, to[0], to[1], flags, &places[1]);
	if (!answer && flags & FILE_MOVES)
		answer = guard_renamed(call->name, &places[0], &places[1], exchanges);
	if (answer && answer != -EACCES && !start_filtered && first & FILE_STAYS) {
		/* a link's file is looked for before its new name */
		long given = call->number == SYS_linkat ? to[2] : 0;
		long old = raw_guarded(SYS_linkat, places[0].dirfd, places[0].path, -1, "x", given);

		answer = old == -EBADF ? answer : old;
	}
	return answer;
}

static long ask_mounts(long number, const long *a)
{
	switch (number) {
	case SYS_mount:
		return wrap_ask_mount(syscall_text(a[0]), syscall_text(a[1]), (unsigned long)a[3]);
	case SYS_move_mount:
		return wrap_ask_move_mount((int)a[0], syscall_text(a[1]), (int)a[2], syscall_text(a[3]), (unsigned)a[4]);
	case SYS_open_tree:
		return wrap_ask_open_tree((int)a[0], syscall_text(a[1]), (unsigned)a[2]);
	default:
		return wrap_ask_chroot(syscall_text(a[0]));
	}
}

static long ask_shape(const struct decoded *call, const long *a, struct file_place places[2])
{
	unsigned flags = flags_of(call, a);

	switch (call->shape) {
	case PATH:
		return ask(call, AT_FDCWD, a[0], flags, &places[0]);
	case PATH_AT:
		return ask(call, a[0], a[1], flags, &places[0]);
	case TEXT_PATH:
		return ask(call, AT_FDCWD, a[1], flags, &places[0]);
	case TEXT_AT:
		return ask(call, a[1], a[2], flags, &places[0]);
	case DESCRIPTOR:
		return a[0] < 0 ? GUARD_GO : ask(call, a[0], 0, flags, &places[0]);
	case TWO:
		return ask_two(call, (const long[]){AT_FDCWD, a[0]}, (const long[]){AT_FDCWD, a[1], 0}, flags, places);
	case TWO_AT:
		return ask_two(call, a, a + 2, flags, places);
	case MOUNTS:
		return ask_mounts(call->number, a);
	}
	return GUARD_GO;
}

/* Puts what the guard holds in the place of the caller's words. Result: false when it holds nothing. */
static bool put_places(const struct decoded *call, struct file_place places[2], long *a)
{
	int at = call->shape == TEXT_AT;

	if (call->loose || call->shape == DESCRIPTOR || !(places[0].held || places[1].held))
		return false;
	switch (call->shape) {
	case TEXT_PATH:
		a[1] = (long)place_text(&places[0]);
		return true;
	case TWO:
		a[1] = (long)place_text(&places[1]);
		a[0] = (long)place_text(&places[0]);
		return true;
	case PATH:
		a[0] = (long)place_text(&places[0]);
		return true;
	case TWO_AT:
		a[2] = places[1].dirfd;
		a[3] = (long)places[1].path;
		break;
	default:
		break;
	}
	a[at] = places[0].dirfd;
	a[at + 1] = (long)places[0].path;
	return true;
}

/* Of an allowed call: makes it where the guard holds its place, or on the fast lane. False: libc is to make it. */
static bool make_placed(const struct decoded *call, const long *arguments, struct file_place places[2], long *ret)
{
	long a[6] = {arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]};

	if (!real_is_libc(REAL_syscall) || start_filtered || !put_places(call, places, a))
		return syscall_make(call->number, arguments, ret);
	if (call->number == SYS_setxattrat)
		*ret = raw(call->number, a[0], a[1], a[2], a[3], a[4], a[5]);
	else
		*ret = raw_guarded(call->number, a[0], a[1], a[2], a[3], a[4]);
	return true;
}

/* What the kernel says of all but the paths comes first, as in FIRST_AT: asked where nothing can be found. */
static long first_answer(const struct decoded *call, const long *arguments, long answer)
{
	static const char none[] = "", name[] = "x";
	long a[5] = {arguments[0], arguments[1], arguments[2], arguments[3], arguments[4]}, nothing = -EBADF, first;
	bool at = call->shape == PATH_AT || call->shape == TWO_AT;

	if (answer == -EACCES || start_filtered || call->loose || call->shape == DESCRIPTOR || call->number == SYS_setxattrat)
		return answer;
	if (at || call->shape == TEXT_AT) {
		a[!at] = -1;
		a[!at + 1] = (long)name;
	} else {
		nothing = -ENOENT;
		a[call->shape == TEXT_PATH] = (long)none;
	}
	if (call->shape == TWO)
		a[1] = (long)none;
	if (call->shape == TWO_AT) {
		a[2] = -1;
		a[3] = (long)name;
	}
	first = raw_guarded(call->number, a[0], a[1], a[2], a[3], a[4]);
	return first < 0 && first != nothing ? first : answer;
}

static int error_of(long result)
{
	return result < 0 && result > -4096 ? (int)-result : 0;
}

static __attribute__((noinline)) bool judge_call(const struct decoded *call, const long *arguments, long *ret)
{
	struct file_place places[2];
	bool made = true;

	place_as_asked(&places[0], AT_FDCWD, NULL);
	place_as_asked(&places[1], AT_FDCWD, NULL);
	*ret = ask_shape(call, arguments, places);
	if (*ret == GUARD_GO) {
		if (call->loose)
			place_forget();
		made = make_placed(call, arguments, places, ret);
		if (call->shape == TWO || call->shape == TWO_AT)
			start_moved();
	} else {
		*ret = first_answer(call, arguments, *ret);
	}
	/* What libc is to make has no end that we see. Both may have one descriptor of the directory that they share. */
	guard_ended(&places[0], made ? error_of(*ret) : 0);
	guard_done(&places[1], made ? error_of(*ret) : 0);
	guard_leave(&places[0]);
	return made;
}

bool syscall_judge_file(long number, const long arguments[6], long *ret)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (table[i].number == number)
			return judge_call(&table[i], arguments, ret);
	return false;
}
