/* SPDX-License-Identifier: MIT */
/* What a file carries beside its bytes: mode, owner, times, extended attributes. Changing them is writing. */
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include "wrap/lane.h"

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

	return answer ? (int)wrap_result(answer) : LANE(chmod, (path, mode), SYS_fchmodat, AT_FDCWD, path, mode, 0, 0);
}

EXPORT int lchmod(const char *path, mode_t mode)
{
	long answer = ask_link("lchmod", path);

	return answer ? (int)wrap_result(answer) : REAL(lchmod)(path, mode);
}

EXPORT int fchmod(int fd, mode_t mode)
{
	long answer = ask_descriptor("fchmod", fd);

	return answer ? (int)wrap_result(answer) : LANE(fchmod, (fd, mode), SYS_fchmod, fd, mode, 0, 0, 0);
}

EXPORT int fchmodat(int dirfd, const char *path, mode_t mode, int flags)
{
	long answer = ask_at("fchmodat", dirfd, path, flags);

	if (answer)
		return (int)wrap_result(answer);
	if (flags) /* what libc makes of them is its own */
		return REAL(fchmodat)(dirfd, path, mode, flags);
	return LANE(fchmodat, (dirfd, path, mode, 0), SYS_fchmodat, dirfd, path, mode, 0, 0);
}

EXPORT int chown(const char *path, uid_t owner, gid_t group)
{
	long answer = ask("chown", path);

	if (answer)
		return (int)wrap_result(answer);
	return LANE(chown, (path, owner, group), SYS_fchownat, AT_FDCWD, path, owner, group, 0);
}

EXPORT int lchown(const char *path, uid_t owner, gid_t group)
{
	long answer = ask_link("lchown", path);

	if (answer)
		return (int)wrap_result(answer);
	return LANE(lchown, (path, owner, group), SYS_fchownat, AT_FDCWD, path, owner, group, AT_SYMLINK_NOFOLLOW);
}

EXPORT int fchown(int fd, uid_t owner, gid_t group)
{
	long answer = ask_descriptor("fchown", fd);

	return answer ? (int)wrap_result(answer) : LANE(fchown, (fd, owner, group), SYS_fchown, fd, owner, group, 0, 0);
}

EXPORT int fchownat(int dirfd, const char *path, uid_t owner, gid_t group, int flags)
{
	long answer = ask_at("fchownat", dirfd, path, flags);

	if (answer)
		return (int)wrap_result(answer);
	return LANE(fchownat, (dirfd, path, owner, group, flags), SYS_fchownat, dirfd, path, owner, group, flags);
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

	if (answer)
		return (int)wrap_result(answer);
	if (fd < 0) /* AT_FDCWD would mean something to the kernel */
		return REAL(futimens)(fd, times);
	return LANE(futimens, (fd, times), SYS_utimensat, fd, 0, times, 0, 0);
}

EXPORT int futimesat(int dirfd, const char *path, const struct timeval times[2])
{
	long answer = guard_file(
		&(struct file_call){"futimesat", dirfd, path, OP_WRITE, FILE_FOLLOW | FILE_NULL});

	return answer ? (int)wrap_result(answer) : REAL(futimesat)(dirfd, path, times);
}

/* Headers promise that it is never NULL; callers do not. */
static bool has_no_path(const void *path)
{
	return !path;
}

EXPORT int utimensat(int dirfd, const char *path, const struct timespec times[2], int flags)
{
	unsigned asked = FILE_NULL | (flags & AT_SYMLINK_NOFOLLOW ? 0 : FILE_FOLLOW) |
			 (flags & AT_EMPTY_PATH ? FILE_EMPTY : 0);
	long answer = guard_file(&(struct file_call){"utimensat", dirfd, path, OP_WRITE, asked});

	if (answer)
		return (int)wrap_result(answer);
	if (has_no_path(path)) /* libc has its own answer to this */
		return REAL(utimensat)(dirfd, path, times, flags);
	return LANE(utimensat, (dirfd, path, times, flags), SYS_utimensat, dirfd, path, times, flags, 0);
}

EXPORT int setxattr(const char *path, const char *name, const void *value, size_t size, int flags)
{
	long answer = ask("setxattr", path);

	if (answer)
		return (int)wrap_result(answer);
	return LANE(setxattr, (path, name, value, size, flags), SYS_setxattr, path, name, value, size, flags);
}

EXPORT int lsetxattr(const char *path, const char *name, const void *value, size_t size, int flags)
{
	long answer = ask_link("lsetxattr", path);

	if (answer)
		return (int)wrap_result(answer);
	return LANE(lsetxattr, (path, name, value, size, flags), SYS_lsetxattr, path, name, value, size, flags);
}

EXPORT int fsetxattr(int fd, const char *name, const void *value, size_t size, int flags)
{
	long answer = ask_descriptor("fsetxattr", fd);

	if (answer)
		return (int)wrap_result(answer);
	return LANE(fsetxattr, (fd, name, value, size, flags), SYS_fsetxattr, fd, name, value, size, flags);
}

EXPORT int removexattr(const char *path, const char *name)
{
	long answer = ask("removexattr", path);

	return answer ? (int)wrap_result(answer) : LANE(removexattr, (path, name), SYS_removexattr, path, name, 0, 0, 0);
}

EXPORT int lremovexattr(const char *path, const char *name)
{
	long answer = ask_link("lremovexattr", path);

	return answer ? (int)wrap_result(answer) : LANE(lremovexattr, (path, name), SYS_lremovexattr, path, name, 0, 0, 0);
}

EXPORT int fremovexattr(int fd, const char *name)
{
	long answer = ask_descriptor("fremovexattr", fd);

	return answer ? (int)wrap_result(answer) : LANE(fremovexattr, (fd, name), SYS_fremovexattr, fd, name, 0, 0, 0);
}
