/* SPDX-License-Identifier: MIT */
/*
 * Names that come, go and move. Symlinks at their end are not followed. Calls on descriptors only (copy_file_range,
 * sendfile, ftruncate, fallocate) need nothing: the descriptor was judged when it was opened.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "describe/cwd.h"
#include "wrap/wrap.h"

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

	return answer ? (int)wrap_result(answer) : REAL(unlink)(path);
}

EXPORT int unlinkat(int dirfd, const char *path, int flags)
{
	long answer = ask_change("unlinkat", dirfd, path);

	return answer ? (int)wrap_result(answer) : REAL(unlinkat)(dirfd, path, flags);
}

EXPORT int remove(const char *path)
{
	long answer = ask_change("remove", AT_FDCWD, path);

	return answer ? (int)wrap_result(answer) : REAL(remove)(path);
}

EXPORT int rmdir(const char *path)
{
	long answer = ask_change("rmdir", AT_FDCWD, path);

	return answer ? (int)wrap_result(answer) : REAL(rmdir)(path);
}

/* A directory that moves may be the one we stand in, or one above it. */
static int moved(int result)
{
	if (result == 0)
		cwd_changed();
	return result;
}

EXPORT int rename(const char *from, const char *to)
{
	long answer = ask_move("rename", AT_FDCWD, from, AT_FDCWD, to);

	return answer ? (int)wrap_result(answer) : moved(REAL(rename)(from, to));
}

EXPORT int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	long answer = ask_move("renameat", from_dir, from, to_dir, to);

	return answer ? (int)wrap_result(answer) : moved(REAL(renameat)(from_dir, from, to_dir, to));
}

EXPORT int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
	long answer = ask_move("renameat2", from_dir, from, to_dir, to);

	return answer ? (int)wrap_result(answer) : moved(REAL(renameat2)(from_dir, from, to_dir, to, flags));
}

/* A second name makes the file writable wherever that name may be written: both ends must be. */
EXPORT int link(const char *from, const char *to)
{
	long answer = ask_change("link", AT_FDCWD, from);

	if (!answer)
		answer = ask_create("link", AT_FDCWD, to);
	return answer ? (int)wrap_result(answer) : REAL(link)(from, to);
}

EXPORT int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
	unsigned asked = (flags & AT_SYMLINK_FOLLOW ? FILE_FOLLOW : 0) | (flags & AT_EMPTY_PATH ? FILE_EMPTY : 0);
	long answer = guard_file(&(struct file_call){"linkat", from_dir, from, OP_WRITE, asked});

	if (!answer)
		answer = ask_create("linkat", to_dir, to);
	return answer ? (int)wrap_result(answer) : REAL(linkat)(from_dir, from, to_dir, to, flags);
}

/* Where a symlink points is only text until somebody follows it. */
EXPORT int symlink(const char *target, const char *path)
{
	long answer = ask_create("symlink", AT_FDCWD, path);

	return answer ? (int)wrap_result(answer) : REAL(symlink)(target, path);
}

EXPORT int symlinkat(const char *target, int dirfd, const char *path)
{
	long answer = ask_create("symlinkat", dirfd, path);

	return answer ? (int)wrap_result(answer) : REAL(symlinkat)(target, dirfd, path);
}

EXPORT int mkdir(const char *path, mode_t mode)
{
	long answer = ask_create("mkdir", AT_FDCWD, path);

	return answer ? (int)wrap_result(answer) : REAL(mkdir)(path, mode);
}

EXPORT int mkdirat(int dirfd, const char *path, mode_t mode)
{
	long answer = ask_create("mkdirat", dirfd, path);

	return answer ? (int)wrap_result(answer) : REAL(mkdirat)(dirfd, path, mode);
}

EXPORT int mkfifo(const char *path, mode_t mode)
{
	long answer = ask_create("mkfifo", AT_FDCWD, path);

	return answer ? (int)wrap_result(answer) : REAL(mkfifo)(path, mode);
}

EXPORT int mkfifoat(int dirfd, const char *path, mode_t mode)
{
	long answer = ask_create("mkfifoat", dirfd, path);

	return answer ? (int)wrap_result(answer) : REAL(mkfifoat)(dirfd, path, mode);
}

EXPORT int mknod(const char *path, mode_t mode, dev_t device)
{
	long answer = ask_create("mknod", AT_FDCWD, path);

	return answer ? (int)wrap_result(answer) : REAL(mknod)(path, mode, device);
}

EXPORT int mknodat(int dirfd, const char *path, mode_t mode, dev_t device)
{
	long answer = ask_create("mknodat", dirfd, path);

	return answer ? (int)wrap_result(answer) : REAL(mknodat)(dirfd, path, mode, device);
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

	return answer ? (int)wrap_result(answer) : REAL(truncate)(path, size);
}

EXPORT int truncate64(const char *path, off64_t size)
{
	long answer = guard_file(&(struct file_call){"truncate64", AT_FDCWD, path, OP_WRITE, FILE_FOLLOW});

	return answer ? (int)wrap_result(answer) : REAL(truncate64)(path, size);
}
