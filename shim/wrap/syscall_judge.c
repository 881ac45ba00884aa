/* SPDX-License-Identifier: MIT */
/* The numbers of syscall() that name a program, a file or a peer, decoded as the kernel decodes them. */
#include <fcntl.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "describe/cwd.h"
#include "describe/memory.h"
#include "wrap/lane.h"
#include "wrap/syscall.h"
#include "wrap/wrap.h"

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
#define CALL(name, shape, flags, flags_at)                       \
	{                                                        \
		SYS_##name, #name, shape, flags, flags_at, false \
	}
#define MOUNT(name, shape, flags)                           \
	{                                                   \
		SYS_##name, #name, shape, flags, NONE, true \
	}

static const struct decoded table[] = {
#ifdef SYS_unlink
	CALL(unlink, PATH, FILE_ENTRY | FILE_REMOVES, NONE),
	CALL(rmdir, PATH, FILE_ENTRY | FILE_REMOVES, NONE),
	CALL(rename, TWO, FILE_ENTRY | FILE_CREATES, NONE),
	CALL(link, TWO, FILE_ENTRY | FILE_CREATES | FILE_NEW, NONE),
	CALL(symlink, TEXT_PATH, FILE_ENTRY | FILE_CREATES | FILE_NEW, NONE),
	CALL(mkdir, PATH, FILE_ENTRY | FILE_CREATES | FILE_NEW, NONE),
	CALL(mknod, PATH, FILE_ENTRY | FILE_CREATES | FILE_NEW, NONE),
	CALL(chmod, PATH, FILE_FOLLOW, NONE),
	CALL(chown, PATH, FILE_FOLLOW, NONE),
	CALL(lchown, PATH, 0, NONE),
	CALL(utime, PATH, FILE_FOLLOW, NONE),
	CALL(utimes, PATH, FILE_FOLLOW, NONE),
	CALL(futimesat, PATH_AT, FILE_FOLLOW | FILE_NULL, NONE),
#endif
#ifdef SYS_renameat
	CALL(renameat, TWO_AT, FILE_ENTRY | FILE_CREATES, NONE),
#endif
	CALL(unlinkat, PATH_AT, FILE_ENTRY | FILE_REMOVES, NONE),
	CALL(renameat2, TWO_AT, FILE_ENTRY | FILE_CREATES, NONE),
	CALL(linkat, TWO_AT, FILE_ENTRY | FILE_CREATES | FILE_NEW, 4),
	CALL(symlinkat, TEXT_AT, FILE_ENTRY | FILE_CREATES | FILE_NEW, NONE),
	CALL(mkdirat, PATH_AT, FILE_ENTRY | FILE_CREATES | FILE_NEW, NONE),
	CALL(mknodat, PATH_AT, FILE_ENTRY | FILE_CREATES | FILE_NEW, NONE),
	CALL(truncate, PATH, FILE_FOLLOW, NONE),
	CALL(fchmodat, PATH_AT, FILE_FOLLOW, NONE),
	CALL(fchmodat2, PATH_AT, FILE_FOLLOW, 3),
	CALL(fchmod, DESCRIPTOR, FILE_NULL, NONE),
	CALL(fchownat, PATH_AT, FILE_FOLLOW, 4),
	CALL(fchown, DESCRIPTOR, FILE_NULL, NONE),
	CALL(utimensat, PATH_AT, FILE_FOLLOW | FILE_NULL, 3),
	CALL(setxattr, PATH, FILE_FOLLOW, NONE),
	CALL(lsetxattr, PATH, 0, NONE),
	CALL(fsetxattr, DESCRIPTOR, FILE_NULL, NONE),
	CALL(setxattrat, PATH_AT, FILE_FOLLOW, 2),
	CALL(removexattr, PATH, FILE_FOLLOW, NONE),
	CALL(lremovexattr, PATH, 0, NONE),
	CALL(fremovexattr, DESCRIPTOR, FILE_NULL, NONE),
	CALL(removexattrat, PATH_AT, FILE_FOLLOW, 2),
	MOUNT(mount, TEXT_PATH, FILE_FOLLOW),
	MOUNT(umount2, PATH, FILE_FOLLOW),
	MOUNT(chroot, PATH, FILE_FOLLOW),
	MOUNT(pivot_root, TWO, FILE_FOLLOW),
	MOUNT(acct, PATH, FILE_FOLLOW),
	MOUNT(swapon, PATH, FILE_FOLLOW),
	MOUNT(move_mount, TWO_AT, FILE_FOLLOW | FILE_EMPTY),
	{SYS_open_tree, "open_tree", PATH_AT, FILE_FOLLOW, 2, true},
};

/* On the backstop's fast lane what was allowed is made here; a sixth argument leaves no register for the word. */
static bool make_judged(long number, const long *a, long *ret)
{
	if (!lane_is_open(REAL_syscall) || number == SYS_setxattrat || number == SYS_sendto)
		return false;
	*ret = raw_guarded(number, a[0], a[1], a[2], a[3], a[4]);
	return true;
}

static const char *text(long argument)
{
	return (const char *)argument;
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
	return guard_file(&(struct file_call){call->name, (int)dirfd, text(path), OP_WRITE, flags,
					      call->loose ? NULL : place});
}

/* The two paths of a call: the first must be there already. */
static long ask_two(const struct decoded *call, const long *from, const long *to, unsigned flags,
		    struct file_place places[2])
{
	unsigned first = flags & ~(FILE_CREATES | FILE_NEW);
	long answer = GUARD_GO;

	if (flags & FILE_NEW) /* the older name of a link is looked up like any path */
		first &= ~FILE_ENTRY;
	if (call->number == SYS_linkat && (to[2] & AT_SYMLINK_FOLLOW))
		first |= FILE_FOLLOW;
	if (strncmp(call->name, "link", 4) == 0)
		first |= FILE_STAYS;
	else if (!(to[2] & RENAME_EXCHANGE))
		first |= FILE_REMOVES;
	if (call->number != SYS_move_mount)
		answer = ask(call, from[0], from[1], first, &places[0]);
	if (answer)
		return answer;
	answer = ask(call, to[0], to[1], flags, &places[1]);
	if (answer && answer != -EACCES && !start_filtered && first & FILE_STAYS) {
		/* a link's file is looked for before its new name */
		long given = call->number == SYS_linkat ? to[2] : 0;
		long old = raw_guarded(SYS_linkat, places[0].dirfd, places[0].path, -1, "x", given);

		answer = old == -EBADF ? answer : old;
	}
	return answer;
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
		return make_judged(call->number, arguments, ret);
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

static bool judge_file(long number, const long *arguments, long *ret)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (table[i].number == number)
			return judge_call(&table[i], arguments, ret);
	return false;
}

/* An open is made here, in the one kernel step that was judged. */
static bool open_judged(const char *name, long dirfd, long path, long flags, long mode, long *ret)
{
	*ret = guard_open(&(struct open_call){name, (int)dirfd, text(path), (int)flags, (mode_t)mode, true});
	return *ret != GUARD_REAL;
}

/* openat2 has its own strictness and its own resolve flags: judged by where the path leads, made by the kernel. */
static bool judge_openat2(const long *arguments, long *ret)
{
	const struct open_how *how = (const struct open_how *)arguments[2];
	bool writes, creates;

	if (!memory_readable(how, sizeof(*how)))
		return false;
	creates = how->flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY));
	writes = creates || (how->flags & O_TRUNC) || (how->flags & O_ACCMODE) != O_RDONLY;
	*ret = guard_file(&(struct file_call){"openat2", (int)arguments[0], text(arguments[1]),
					      writes ? OP_WRITE : OP_READ,
					      (how->flags & O_NOFOLLOW ? 0 : FILE_FOLLOW) | (creates ? FILE_CREATES : 0)});
	if (*ret == -EACCES)
		return true;
	return make_judged(SYS_openat2, arguments, ret);
}

static bool judge_exec(long number, const long *a, long *ret)
{
	if (number == SYS_execve) {
		*ret = wrap_execve("execve", text(a[0]), (char *const *)a[1], (char *const *)a[2]);
	} else {
		*ret = wrap_execveat("execveat", (int)a[0], text(a[1]), (char *const *)a[2], (char *const *)a[3],
				     (int)a[4]);
	}
	*ret = -errno; /* it came back: errno is set, and the stub's caller gets the same */
	return true;
}

static bool judge_network(long number, const long *a, long *ret)
{
	const struct msghdr *message = (const struct msghdr *)a[1];

	switch (number) {
	case SYS_connect:
		*ret = guard_address("connect", OP_CONNECT, (const struct sockaddr *)a[1], (socklen_t)a[2]);
		break;
	case SYS_bind:
		*ret = guard_address("bind", OP_BIND, (const struct sockaddr *)a[1], (socklen_t)a[2]);
		break;
	case SYS_sendto: /* its sixth argument is the size */
		*ret = guard_address("sendto", OP_CONNECT, (const struct sockaddr *)a[4], (socklen_t)a[5]);
		break;
	case SYS_sendmsg:
		*ret = memory_readable(message, sizeof(*message))
			       ? guard_address("sendmsg", OP_CONNECT, message->msg_name, message->msg_namelen)
			       : GUARD_GO;
		break;
	case SYS_sendmmsg:
		*ret = wrap_ask_messages("sendmmsg", (const struct mmsghdr *)a[1], (unsigned)a[2]);
		break;
	}
	return *ret != GUARD_GO || make_judged(number, a, ret);
}

static bool move(long number, const long *a, long *ret)
{
	cwd_leave();
	*ret = number == SYS_setns ? raw(number, a[0], a[1]) : raw_guarded(number, a[0], 0, 0, 0, 0);
	cwd_arrive();
	if (number == SYS_setns)
		start_moved();
	return true;
}

bool syscall_judge(long number, const long arguments[6], long *ret)
{
	const long *a = arguments;

	if (start()->state == START_INERT)
		return false;
	switch (number) {
#ifdef SYS_open
	case SYS_open:
		return open_judged("open", AT_FDCWD, a[0], a[1], a[2], ret);
	case SYS_creat:
		return open_judged("creat", AT_FDCWD, a[0], O_WRONLY | O_CREAT | O_TRUNC, a[1], ret);
#endif
	case SYS_openat:
		return open_judged("openat", a[0], a[1], a[2], a[3], ret);
	case SYS_openat2:
		return judge_openat2(a, ret);
	case SYS_execve:
	case SYS_execveat:
		return judge_exec(number, a, ret);
	case SYS_connect:
	case SYS_bind:
	case SYS_sendto:
	case SYS_sendmsg:
	case SYS_sendmmsg:
		return judge_network(number, a, ret);
	case SYS_chdir:
	case SYS_fchdir:
	case SYS_setns:
		return move(number, a, ret);
	case SYS_clone:
		wrap_note_child((unsigned long)a[0]);
		return false;
	case SYS_clone3:
		if (memory_readable((const void *)a[0], sizeof(uint64_t)))
			wrap_note_child(*(const uint64_t *)a[0]);
		return false;
	case SYS_io_uring_setup:
		*ret = -ENOSYS; /* a ring opens files out of everyone's sight; programs fall back */
		return true;
	case SYS_seccomp:
		if (a[0] == SECCOMP_SET_MODE_FILTER || a[0] == SECCOMP_SET_MODE_STRICT)
			guard_filtered();
		return false;
	case SYS_prctl:
		if (a[0] == PR_SET_SECCOMP)
			guard_filtered();
		return false;
	}
	return judge_file(number, a, ret);
}
