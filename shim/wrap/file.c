/* SPDX-License-Identifier: MIT */
/*
 * Names that come, go and move. Symlinks at their end are not followed. Calls on descriptors only (copy_file_range,
 * sendfile, ftruncate, fallocate) need nothing: the descriptor was judged when it was opened.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "describe/cwd.h"
#include "describe/memory.h"
#include "wrap/lane.h"

#include "forbid.h"

static long ask_remove(const char *name, int dirfd, const char *path, struct file_place *place)
{
	return guard_file(&(struct file_call){name, dirfd, path, OP_WRITE, FILE_ENTRY | FILE_REMOVES, place});
}

static long ask_create(const char *name, int dirfd, const char *path, struct file_place *place)
{
	return guard_file(&(struct file_call){name, dirfd, path, OP_WRITE, FILE_ENTRY | FILE_CREATES | FILE_NEW, place});
}

/* The file that a path leads to, links at its end included. */
static long ask_file(const char *name, const char *path, struct file_place *place)
{
	return guard_file(&(struct file_call){name, AT_FDCWD, path, OP_WRITE, FILE_FOLLOW, place});
}

/* Two names: the first refusal is the answer. */
struct two {
	struct file_place from, to;
};

/* A name that goes and one that comes, or is taken over. from: with its name, dirfd and path. */
static long ask_move(struct file_call from, int to_dir, const char *to, struct two *ret)
{
	bool exchanges = !(from.flags & FILE_REMOVES);
	long answer;

	from.op = OP_WRITE;
	from.flags |= FILE_ENTRY | FILE_MOVES;
	from.place = &ret->from;
	answer = guard_file(&from);
	if (answer)
		return answer;
	answer = guard_file(&(struct file_call){from.name, to_dir, to, OP_WRITE, FILE_ENTRY | FILE_CREATES | FILE_MOVES,
						&ret->to, &ret->from});
	if (!answer) {
		answer = guard_renamed(from.name, &ret->from, &ret->to, exchanges);
		if (answer)
			guard_leave(&ret->to);
	}
	if (answer)
		guard_done(&ret->from, (int)-answer);
	return answer;
}

/* Of a link whose new name cannot be: the kernel looks for the file first. */
static long first_of_link(enum real which, long answer, const struct file_place *from, int flags)
{
	return lane_first(which, answer, -EBADF, SYS_linkat, from->dirfd, (long)from->path, -1, (long)"x", flags);
}

/* A second name makes the file writable wherever that name may be written: both ends must be. asked: FILE_* of the first. */
static long ask_link(enum real which, const struct file_call *from, int to_dir, const char *to, int flags, struct two *ret)
{
	long answer = guard_file(from);

	if (answer)
		return answer;
	answer = ask_create(from->name, to_dir, to, &ret->to);
	if (answer) {
		answer = first_of_link(which, answer, &ret->from, flags);
		guard_done(&ret->from, (int)-answer);
	}
	return answer;
}

EXPORT int unlink(const char *path)
{
	struct file_place place;
	long answer = ask_remove("unlink", AT_FDCWD, path, &place);

	if (answer)
		return (int)wrap_result(answer);
	return PLACED(&place, unlink, (path), SYS_unlinkat, place.dirfd, place.path, 0, 0, 0);
}

EXPORT int unlinkat(int dirfd, const char *path, int flags)
{
	struct file_place place;
	long answer = ask_remove("unlinkat", dirfd, path, &place);

	if (answer)
		return (int)wrap_result(FIRST_AT(answer, unlinkat, SYS_unlinkat, -1, "x", flags, 0, 0));
	return PLACED(&place, unlinkat, (dirfd, path, flags), SYS_unlinkat, place.dirfd, place.path, flags, 0, 0);
}

EXPORT int remove(const char *path)
{
	struct file_place place;
	long answer = ask_remove("remove", AT_FDCWD, path, &place);

	if (answer)
		return (int)wrap_result(answer);
	if (!place_is_ours(&place, REAL_remove))
		return place_left(&place, REAL(remove)(path));
	answer = raw_guarded(SYS_unlinkat, place.dirfd, place.path, 0, 0, 0);
	if (answer == -EISDIR)
		answer = raw_guarded(SYS_unlinkat, place.dirfd, place.path, AT_REMOVEDIR, 0, 0);
	return place_left(&place, wrap_result(answer));
}

EXPORT int rmdir(const char *path)
{
	struct file_place place;
	long answer = ask_remove("rmdir", AT_FDCWD, path, &place);

	if (answer)
		return (int)wrap_result(answer);
	return PLACED(&place, rmdir, (path), SYS_unlinkat, place.dirfd, place.path, AT_REMOVEDIR, 0, 0);
}

/* A directory that moves may be the one we stand in, or one above it. */
static int moved(int result, const char *from, const char *exchanged)
{
	if (result == 0)
		cwd_moved(from);
	if (result == 0 && exchanged)
		cwd_moved(exchanged);
	return result;
}

/* The call between two places, by the symbol that was called; false: libc's own is to be called. */
static bool between(const struct two *two, enum real which, long number, unsigned flags, long *ret)
{
	bool held = two->from.held || two->to.held;

	if (held ? !real_is_libc(which) || start_filtered : !lane_is_open(which))
		return false;
	*ret = wrap_result(raw_guarded(number, two->from.dirfd, two->from.path, two->to.dirfd, two->to.path, flags));
	return true;
}

static int two_left(const struct two *two, long result)
{
	/* both may have one descriptor of the directory that they share */
	guard_ended(&two->from, result < 0 ? errno : 0);
	result = place_left(&two->to, result);
	guard_leave(&two->from);
	return (int)result;
}

EXPORT int rename(const char *from, const char *to)
{
	struct two two;
	long answer = ask_move((struct file_call){"rename", AT_FDCWD, from, .flags = FILE_REMOVES}, AT_FDCWD, to, &two);

	if (answer)
		return (int)wrap_result(answer);
	if (!between(&two, REAL_rename, SYS_renameat2, 0, &answer))
		answer = REAL(rename)(from, to);
	return moved(two_left(&two, answer), from, NULL);
}

EXPORT int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	struct two two;
	long answer = ask_move((struct file_call){"renameat", from_dir, from, .flags = FILE_REMOVES}, to_dir, to, &two);

	if (answer)
		return (int)wrap_result(answer);
	if (!between(&two, REAL_renameat, SYS_renameat2, 0, &answer))
		answer = REAL(renameat)(from_dir, from, to_dir, to);
	return moved(two_left(&two, answer), from, NULL);
}

EXPORT int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
	const char *exchanged = flags & RENAME_EXCHANGE ? to : NULL;
	struct two two;
	unsigned asked = exchanged ? 0 : FILE_REMOVES;
	long answer = ask_move((struct file_call){"renameat2", from_dir, from, .flags = asked}, to_dir, to, &two);

	if (answer)
		return (int)wrap_result(FIRST_AT(answer, renameat2, SYS_renameat2, -1, "x", -1, "x", flags));
	if (!between(&two, REAL_renameat2, SYS_renameat2, flags, &answer))
		answer = REAL(renameat2)(from_dir, from, to_dir, to, flags);
	return moved(two_left(&two, answer), from, exchanged);
}

EXPORT int link(const char *from, const char *to)
{
	struct two two;
	struct file_call first = {"link", AT_FDCWD, from, OP_WRITE, FILE_STAYS, &two.from};
	long answer = ask_link(REAL_link, &first, AT_FDCWD, to, 0, &two);

	if (answer)
		return (int)wrap_result(answer);
	if (!between(&two, REAL_link, SYS_linkat, 0, &answer))
		answer = REAL(link)(from, to);
	return two_left(&two, answer);
}

EXPORT int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
	unsigned asked = FILE_STAYS | (flags & AT_SYMLINK_FOLLOW ? FILE_FOLLOW : 0) | (flags & AT_EMPTY_PATH ? FILE_EMPTY : 0);
	struct two two;
	struct file_call first = {"linkat", from_dir, from, OP_WRITE, asked, &two.from};
	long answer = ask_link(REAL_linkat, &first, to_dir, to, flags, &two);

	if (answer)
		return (int)wrap_result(FIRST_AT(answer, linkat, SYS_linkat, -1, "x", -1, "x", flags));
	if (!between(&two, REAL_linkat, SYS_linkat, (unsigned)flags, &answer))
		answer = REAL(linkat)(from_dir, from, to_dir, to, flags);
	return two_left(&two, answer);
}

/* Where a symlink points is only text until somebody follows it. */
EXPORT int symlink(const char *target, const char *path)
{
	struct file_place place;
	long answer = ask_create("symlink", AT_FDCWD, path, &place);

	if (answer)
		return (int)wrap_result(FIRST_AT(answer, symlink, SYS_symlinkat, target, -1, "x", 0, 0));
	return PLACED(&place, symlink, (target, path), SYS_symlinkat, target, place.dirfd, place.path, 0, 0);
}

EXPORT int symlinkat(const char *target, int dirfd, const char *path)
{
	struct file_place place;
	long answer = ask_create("symlinkat", dirfd, path, &place);

	if (answer)
		return (int)wrap_result(FIRST_AT(answer, symlinkat, SYS_symlinkat, target, -1, "x", 0, 0));
	return PLACED(&place, symlinkat, (target, dirfd, path), SYS_symlinkat, target, place.dirfd, place.path, 0, 0);
}

EXPORT int mkdir(const char *path, mode_t mode)
{
	struct file_place place;
	long answer = ask_create("mkdir", AT_FDCWD, path, &place);

	if (answer)
		return (int)wrap_result(answer);
	return PLACED(&place, mkdir, (path, mode), SYS_mkdirat, place.dirfd, place.path, mode, 0, 0);
}

EXPORT int mkdirat(int dirfd, const char *path, mode_t mode)
{
	struct file_place place;
	long answer = ask_create("mkdirat", dirfd, path, &place);

	if (answer)
		return (int)wrap_result(answer);
	return PLACED(&place, mkdirat, (dirfd, path, mode), SYS_mkdirat, place.dirfd, place.path, mode, 0, 0);
}

EXPORT int mkfifo(const char *path, mode_t mode)
{
	struct file_place place;
	long answer = ask_create("mkfifo", AT_FDCWD, path, &place);

	if (answer)
		return (int)wrap_result(FIRST_AT(answer, mkfifo, SYS_mknodat, -1, "x", mode | S_IFIFO, 0, 0));
	return PLACED(&place, mkfifo, (path, mode), SYS_mknodat, place.dirfd, place.path, mode | S_IFIFO, 0, 0);
}

EXPORT int mkfifoat(int dirfd, const char *path, mode_t mode)
{
	struct file_place place;
	long answer = ask_create("mkfifoat", dirfd, path, &place);

	if (answer)
		return (int)wrap_result(FIRST_AT(answer, mkfifoat, SYS_mknodat, -1, "x", mode | S_IFIFO, 0, 0));
	return PLACED(&place, mkfifoat, (dirfd, path, mode), SYS_mknodat, place.dirfd, place.path, mode | S_IFIFO, 0, 0);
}

/* The kernel takes no more of a device's number; libc refuses the rest in its own way. */
static bool fits(dev_t device)
{
	return device <= UINT_MAX;
}

static long first_of_node(enum real which, long answer, mode_t mode, dev_t device)
{
	if (!fits(device) && answer != -EACCES && real_is_libc(which))
		return -EINVAL;
	return lane_first(which, answer, -EBADF, SYS_mknodat, -1, (long)"x", mode, (long)device, 0);
}

EXPORT int mknod(const char *path, mode_t mode, dev_t device)
{
	struct file_place place;
	long answer = ask_create("mknod", AT_FDCWD, path, &place);

	if (answer)
		return (int)wrap_result(first_of_node(REAL_mknod, answer, mode, device));
	if (!fits(device))
		return place_left(&place, REAL(mknod)(path, mode, device));
	return PLACED(&place, mknod, (path, mode, device), SYS_mknodat, place.dirfd, place.path, mode, device, 0);
}

EXPORT int mknodat(int dirfd, const char *path, mode_t mode, dev_t device)
{
	struct file_place place;
	long answer = ask_create("mknodat", dirfd, path, &place);

	if (answer)
		return (int)wrap_result(first_of_node(REAL_mknodat, answer, mode, device));
	if (!fits(device))
		return place_left(&place, REAL(mknodat)(dirfd, path, mode, device));
	return PLACED(&place, mknodat, (dirfd, path, mode, device), SYS_mknodat, place.dirfd, place.path, mode, device, 0);
}

static bool is_number(const dev_t *device)
{
	return memory_readable(device, sizeof(*device)) && fits(*device);
}

/*
 * What mknod was compiled to before glibc 2.33: version 0 of the call, and no other was ever made by libc. What another
 * library does with the rest (fakeroot says 1) is its own affair.
 */
EXPORT int __xmknod(int version, const char *path, mode_t mode, dev_t *device)
{
	struct file_place place;
	long answer = version && real_is_libc(REAL___xmknod) ? -EINVAL : ask_create("__xmknod", AT_FDCWD, path, &place);

	if (answer)
		return (int)wrap_result(answer);
	if (!is_number(device))
		return place_left(&place, REAL(__xmknod)(version, path, mode, device));
	return PLACED(&place, __xmknod, (version, path, mode, device), SYS_mknodat, place.dirfd, place.path, mode, *device, 0);
}

EXPORT int __xmknodat(int version, int dirfd, const char *path, mode_t mode, dev_t *device)
{
	struct file_place place;
	long answer = version && real_is_libc(REAL___xmknodat) ? -EINVAL : ask_create("__xmknodat", dirfd, path, &place);

	if (answer)
		return (int)wrap_result(answer);
	if (!is_number(device))
		return place_left(&place, REAL(__xmknodat)(version, dirfd, path, mode, device));
	return PLACED(&place, __xmknodat, (version, dirfd, path, mode, device), SYS_mknodat, place.dirfd, place.path, mode,
		      *device, 0);
}

EXPORT int truncate(const char *path, off_t size)
{
	struct file_place place;
	long answer = ask_file("truncate", path, &place);

	if (answer)
		return (int)wrap_result(FIRST(answer, truncate, SYS_truncate, "", size, 0, 0, 0));
	return PLACED(&place, truncate, (path, size), SYS_truncate, place.path, size, 0, 0, 0);
}

EXPORT int truncate64(const char *path, off64_t size)
{
	struct file_place place;
	long answer = ask_file("truncate64", path, &place);

	if (answer)
		return (int)wrap_result(FIRST(answer, truncate64, SYS_truncate, "", size, 0, 0, 0));
	return PLACED(&place, truncate64, (path, size), SYS_truncate, place.path, size, 0, 0, 0);
}
