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
#include "wrap/lane.h"

#include "forbid.h"

static long ask_change(const char *name, int dirfd, const char *path)
{
	return guard_file(&(struct file_call){name, dirfd, path, OP_WRITE, 0});
}

static long ask_create(const char *name, int dirfd, const char *path)
{
	return guard_file(&(struct file_call){name, dirfd, path, OP_WRITE, FILE_CREATES | FILE_NEW});
}

/* A name that goes and one that comes, or is taken over: the first refusal is the answer. */
static long ask_move(const char *name, int from_dir, const char *from, int to_dir, const char *to)
{
	long answer = ask_change(name, from_dir, from);

	return answer ? answer : guard_file(&(struct file_call){name, to_dir, to, OP_WRITE, FILE_CREATES});
}

EXPORT int unlink(const char *path)
{
	long answer = ask_change("unlink", AT_FDCWD, path);

	return answer ? (int)wrap_result(answer) : LANE(unlink, (path), SYS_unlinkat, AT_FDCWD, path, 0, 0, 0);
}

EXPORT int unlinkat(int dirfd, const char *path, int flags)
{
	long answer = ask_change("unlinkat", dirfd, path);

	return answer ? (int)wrap_result(answer) : LANE(unlinkat, (dirfd, path, flags), SYS_unlinkat, dirfd, path, flags, 0, 0);
}

EXPORT int remove(const char *path)
{
	long answer = ask_change("remove", AT_FDCWD, path);

	if (answer)
		return (int)wrap_result(answer);
	if (!lane_is_open(REAL_remove))
		return REAL(remove)(path);
	answer = raw_guarded(SYS_unlinkat, AT_FDCWD, path, 0, 0, 0);
	if (answer == -EISDIR)
		answer = raw_guarded(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR, 0, 0);
	return (int)wrap_result(answer);
}

EXPORT int rmdir(const char *path)
{
	long answer = ask_change("rmdir", AT_FDCWD, path);

	return answer ? (int)wrap_result(answer) : LANE(rmdir, (path), SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR, 0, 0);
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

EXPORT int rename(const char *from, const char *to)
{
	long answer = ask_move("rename", AT_FDCWD, from, AT_FDCWD, to);

	if (answer)
		return (int)wrap_result(answer);
	return moved(LANE(rename, (from, to), SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0), from, NULL);
}

EXPORT int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	long answer = ask_move("renameat", from_dir, from, to_dir, to);

	if (answer)
		return (int)wrap_result(answer);
	return moved(LANE(renameat, (from_dir, from, to_dir, to), SYS_renameat2, from_dir, from, to_dir, to, 0), from, NULL);
}

EXPORT int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
	const char *exchanged = flags & RENAME_EXCHANGE ? to : NULL;
	long answer = ask_move("renameat2", from_dir, from, to_dir, to);

	if (answer)
		return (int)wrap_result(answer);
	answer = LANE(renameat2, (from_dir, from, to_dir, to, flags), SYS_renameat2, from_dir, from, to_dir, to, flags);
	return moved((int)answer, from, exchanged);
}

/* A second name makes the file writable wherever that name may be written: both ends must be. */
EXPORT int link(const char *from, const char *to)
{
	long answer = ask_change("link", AT_FDCWD, from);

	if (!answer)
		answer = ask_create("link", AT_FDCWD, to);
	if (answer)
		return (int)wrap_result(answer);
	return LANE(link, (from, to), SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

EXPORT int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
	unsigned asked = (flags & AT_SYMLINK_FOLLOW ? FILE_FOLLOW : 0) | (flags & AT_EMPTY_PATH ? FILE_EMPTY : 0);
	long answer = guard_file(&(struct file_call){"linkat", from_dir, from, OP_WRITE, asked});

	if (!answer)
		answer = ask_create("linkat", to_dir, to);
	if (answer)
		return (int)wrap_result(answer);
	return LANE(linkat, (from_dir, from, to_dir, to, flags), SYS_linkat, from_dir, from, to_dir, to, flags);
}

/* Where a symlink points is only text until somebody follows it. */
EXPORT int symlink(const char *target, const char *path)
{
	long answer = ask_create("symlink", AT_FDCWD, path);

	return answer ? (int)wrap_result(answer) : LANE(symlink, (target, path), SYS_symlinkat, target, AT_FDCWD, path, 0, 0);
}

EXPORT int symlinkat(const char *target, int dirfd, const char *path)
{
	long answer = ask_create("symlinkat", dirfd, path);

	if (answer)
		return (int)wrap_result(answer);
	return LANE(symlinkat, (target, dirfd, path), SYS_symlinkat, target, dirfd, path, 0, 0);
}

EXPORT int mkdir(const char *path, mode_t mode)
{
	long answer = ask_create("mkdir", AT_FDCWD, path);

	return answer ? (int)wrap_result(answer) : LANE(mkdir, (path, mode), SYS_mkdirat, AT_FDCWD, path, mode, 0, 0);
}

EXPORT int mkdirat(int dirfd, const char *path, mode_t mode)
{
	long answer = ask_create("mkdirat", dirfd, path);

	return answer ? (int)wrap_result(answer) : LANE(mkdirat, (dirfd, path, mode), SYS_mkdirat, dirfd, path, mode, 0, 0);
}

EXPORT int mkfifo(const char *path, mode_t mode)
{
	long answer = ask_create("mkfifo", AT_FDCWD, path);

	if (answer)
		return (int)wrap_result(answer);
	return LANE(mkfifo, (path, mode), SYS_mknodat, AT_FDCWD, path, mode | S_IFIFO, 0, 0);
}

EXPORT int mkfifoat(int dirfd, const char *path, mode_t mode)
{
	long answer = ask_create("mkfifoat", dirfd, path);

	if (answer)
		return (int)wrap_result(answer);
	return LANE(mkfifoat, (dirfd, path, mode), SYS_mknodat, dirfd, path, mode | S_IFIFO, 0, 0);
}

/* The kernel takes no more of a device's number; libc refuses the rest in its own way. */
static bool fits(dev_t device)
{
	return device <= UINT_MAX;
}

EXPORT int mknod(const char *path, mode_t mode, dev_t device)
{
	long answer = ask_create("mknod", AT_FDCWD, path);

	if (answer)
		return (int)wrap_result(answer);
	if (!fits(device))
		return REAL(mknod)(path, mode, device);
	return LANE(mknod, (path, mode, device), SYS_mknodat, AT_FDCWD, path, mode, device, 0);
}

EXPORT int mknodat(int dirfd, const char *path, mode_t mode, dev_t device)
{
	long answer = ask_create("mknodat", dirfd, path);

	if (answer)
		return (int)wrap_result(answer);
	if (!fits(device))
		return REAL(mknodat)(dirfd, path, mode, device);
	return LANE(mknodat, (dirfd, path, mode, device), SYS_mknodat, dirfd, path, mode, device, 0);
}

/* What mknod was compiled to before glibc 2.33. */
EXPORT int __xmknod(int version, const char *path, mode_t mode, dev_t *device)
{
	long answer = ask_create("__xmknod", AT_FDCWD, path);

	return answer ? (int)wrap_result(answer) : REAL(__xmknod)(version, path, mode, device);
}

EXPORT int __xmknodat(int version, int dirfd, const char *path, mode_t mode, dev_t *device)
{
	long answer = ask_create("__xmknodat", dirfd, path);

	return answer ? (int)wrap_result(answer) : REAL(__xmknodat)(version, dirfd, path, mode, device);
}

EXPORT int truncate(const char *path, off_t size)
{
	long answer = guard_file(&(struct file_call){"truncate", AT_FDCWD, path, OP_WRITE, FILE_FOLLOW});

	return answer ? (int)wrap_result(answer) : LANE(truncate, (path, size), SYS_truncate, path, size, 0, 0, 0);
}

EXPORT int truncate64(const char *path, off64_t size)
{
	long answer = guard_file(&(struct file_call){"truncate64", AT_FDCWD, path, OP_WRITE, FILE_FOLLOW});

	return answer ? (int)wrap_result(answer) : LANE(truncate64, (path, size), SYS_truncate, path, size, 0, 0, 0);
}
