/* SPDX-License-Identifier: MIT */
/* What a file carries beside its bytes: mode, owner, times, extended attributes. Changing them is writing. */
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include "wrap/wrap.h"

#include "forbid.h"

static long ask(const char *name, const char *path)
{
	return guard_file(&(struct file_call){name, AT_FDCWD, path, OP_WRITE, FILE_FOLLOW});
}

static long ask_link(const char *name, const char *path)
{
	return guard_file(&(struct file_call){name, AT_FDCWD, path, OP_WRITE, 0});
}

/* flags: AT_SYMLINK_NOFOLLOW and AT_EMPTY_PATH as the *at calls know them. */
static long ask_at(const char *name, int dirfd, const char *path, int flags)
{
	unsigned asked = (flags & AT_SYMLINK_NOFOLLOW ? 0 : FILE_FOLLOW) | (flags & AT_EMPTY_PATH ? FILE_EMPTY : 0);

	return guard_file(&(struct file_call){name, dirfd, path, OP_WRITE, asked});
}

/* A descriptor that was opened for reading only must not change the file behind it. */
static long ask_descriptor(const char *name, int fd)
{
	return fd < 0 ? GUARD_GO : guard_file(&(struct file_call){name, fd, NULL, OP_WRITE, FILE_NULL});
}

EXPORT int chmod(const char *path, mode_t mode)
{
	long answer = ask("chmod", path);

	return answer ? (int)wrap_result(answer) : REAL(chmod)(path, mode);
}

EXPORT int lchmod(const char *path, mode_t mode)
{
	long answer = ask_link("lchmod", path);

	return answer ? (int)wrap_result(answer) : REAL(lchmod)(path, mode);
}

EXPORT int fchmod(int fd, mode_t mode)
{
	long answer = ask_descriptor("fchmod", fd);

	return answer ? (int)wrap_result(answer) : REAL(fchmod)(fd, mode);
}

EXPORT int fchmodat(int dirfd, const char *path, mode_t mode, int flags)
{
	long answer = ask_at("fchmodat", dirfd, path, flags);

	return answer ? (int)wrap_result(answer) : REAL(fchmodat)(dirfd, path, mode, flags);
}

EXPORT int chown(const char *path, uid_t owner, gid_t group)
{
	long answer = ask("chown", path);

	return answer ? (int)wrap_result(answer) : REAL(chown)(path, owner, group);
}

EXPORT int lchown(const char *path, uid_t owner, gid_t group)
{
	long answer = ask_link("lchown", path);

	return answer ? (int)wrap_result(answer) : REAL(lchown)(path, owner, group);
}

EXPORT int fchown(int fd, uid_t owner, gid_t group)
{
	long answer = ask_descriptor("fchown", fd);

	return answer ? (int)wrap_result(answer) : REAL(fchown)(fd, owner, group);
}

EXPORT int fchownat(int dirfd, const char *path, uid_t owner, gid_t group, int flags)
{
	long answer = ask_at("fchownat", dirfd, path, flags);

	return answer ? (int)wrap_result(answer) : REAL(fchownat)(dirfd, path, owner, group, flags);
}

EXPORT int utime(const char *path, const struct utimbuf *times)
{
	long answer = ask("utime", path);

	return answer ? (int)wrap_result(answer) : REAL(utime)(path, times);
}

EXPORT int utimes(const char *path, const struct timeval times[2])
{
	long answer = ask("utimes", path);

	return answer ? (int)wrap_result(answer) : REAL(utimes)(path, times);
}

EXPORT int lutimes(const char *path, const struct timeval times[2])
{
	long answer = ask_link("lutimes", path);

	return answer ? (int)wrap_result(answer) : REAL(lutimes)(path, times);
}

EXPORT int futimes(int fd, const struct timeval times[2])
{
	long answer = ask_descriptor("futimes", fd);

	return answer ? (int)wrap_result(answer) : REAL(futimes)(fd, times);
}

EXPORT int futimens(int fd, const struct timespec times[2])
{
	long answer = ask_descriptor("futimens", fd);

	return answer ? (int)wrap_result(answer) : REAL(futimens)(fd, times);
}

EXPORT int futimesat(int dirfd, const char *path, const struct timeval times[2])
{
	long answer = guard_file(
		&(struct file_call){"futimesat", dirfd, path, OP_WRITE, FILE_FOLLOW | FILE_NULL});

	return answer ? (int)wrap_result(answer) : REAL(futimesat)(dirfd, path, times);
}

EXPORT int utimensat(int dirfd, const char *path, const struct timespec times[2], int flags)
{
	unsigned asked = FILE_NULL | (flags & AT_SYMLINK_NOFOLLOW ? 0 : FILE_FOLLOW) |
			 (flags & AT_EMPTY_PATH ? FILE_EMPTY : 0);
	long answer = guard_file(&(struct file_call){"utimensat", dirfd, path, OP_WRITE, asked});

	return answer ? (int)wrap_result(answer) : REAL(utimensat)(dirfd, path, times, flags);
}

EXPORT int setxattr(const char *path, const char *name, const void *value, size_t size, int flags)
{
	long answer = ask("setxattr", path);

	return answer ? (int)wrap_result(answer) : REAL(setxattr)(path, name, value, size, flags);
}

EXPORT int lsetxattr(const char *path, const char *name, const void *value, size_t size, int flags)
{
	long answer = ask_link("lsetxattr", path);

	return answer ? (int)wrap_result(answer) : REAL(lsetxattr)(path, name, value, size, flags);
}

EXPORT int fsetxattr(int fd, const char *name, const void *value, size_t size, int flags)
{
	long answer = ask_descriptor("fsetxattr", fd);

	return answer ? (int)wrap_result(answer) : REAL(fsetxattr)(fd, name, value, size, flags);
}

EXPORT int removexattr(const char *path, const char *name)
{
	long answer = ask("removexattr", path);

	return answer ? (int)wrap_result(answer) : REAL(removexattr)(path, name);
}

EXPORT int lremovexattr(const char *path, const char *name)
{
	long answer = ask_link("lremovexattr", path);

	return answer ? (int)wrap_result(answer) : REAL(lremovexattr)(path, name);
}

EXPORT int fremovexattr(int fd, const char *name)
{
	long answer = ask_descriptor("fremovexattr", fd);

	return answer ? (int)wrap_result(answer) : REAL(fremovexattr)(fd, name);
}
