/* SPDX-License-Identifier: MIT */
/* What a file carries beside its bytes: mode, owner, times, extended attributes. Changing them is writing. */
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include "describe/memory.h"
#include "wrap/lane.h"

#include "forbid.h"

static long ask(const char *name, const char *path, struct file_place *place)
{
	return guard_file(&(struct file_call){name, AT_FDCWD, path, OP_WRITE, FILE_FOLLOW, place});
}

static long ask_link(const char *name, const char *path, struct file_place *place)
{
	return guard_file(&(struct file_call){name, AT_FDCWD, path, OP_WRITE, 0, place});
}

/* flags: AT_SYMLINK_NOFOLLOW and AT_EMPTY_PATH as the *at calls know them. */
static long ask_at(const char *name, int dirfd, const char *path, int flags, struct file_place *place)
{
	unsigned asked = (flags & AT_SYMLINK_NOFOLLOW ? 0 : FILE_FOLLOW) | (flags & AT_EMPTY_PATH ? FILE_EMPTY : 0);

	return guard_file(&(struct file_call){name, dirfd, path, OP_WRITE, asked, place});
}

/* A descriptor that was opened for reading only must not change the file behind it. */
static long ask_descriptor(const char *name, int fd)
{
	return fd < 0 ? GUARD_GO : guard_file(&(struct file_call){name, fd, NULL, OP_WRITE, FILE_NULL});
}

EXPORT int chmod(const char *path, mode_t mode)
{
	struct file_place place;
	long answer = ask("chmod", path, &place);

	if (answer)
		return (int)wrap_result(answer);
	return PLACED(&place, chmod, (path, mode), SYS_fchmodat, place.dirfd, place.path, mode, 0, 0);
}

EXPORT int lchmod(const char *path, mode_t mode)
{
	struct file_place place;
	long answer = ask_link("lchmod", path, &place);

	if (answer)
		return (int)wrap_result(answer);
	if (!place.held || !real_is_libc(REAL_lchmod))
		return place_left(&place, REAL(lchmod)(path, mode));
	return place_left(&place, REAL(fchmodat)(place.dirfd, place.path, mode, AT_SYMLINK_NOFOLLOW));
}

EXPORT int fchmod(int fd, mode_t mode)
{
	long answer = ask_descriptor("fchmod", fd);

	return answer ? (int)wrap_result(answer) : LANE(fchmod, (fd, mode), SYS_fchmod, fd, mode, 0, 0, 0);
}

EXPORT int fchmodat(int dirfd, const char *path, mode_t mode, int flags)
{
	struct file_place place;
	bool known = !(flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH));
	long answer = known || !real_is_libc(REAL_fchmodat) ? ask_at("fchmodat", dirfd, path, flags, &place) : -EINVAL;

	if (answer)
		return (int)wrap_result(answer);
	if (!flags)
		return PLACED(&place, fchmodat, (dirfd, path, mode, 0), SYS_fchmodat, place.dirfd, place.path, mode, 0, 0);
	/* What libc makes of them is its own. */
	if (!place.held || !real_is_libc(REAL_fchmodat))
		return place_left(&place, REAL(fchmodat)(dirfd, path, mode, flags));
	return place_left(&place, REAL(fchmodat)(place.dirfd, place.path, mode, flags));
}

EXPORT int chown(const char *path, uid_t owner, gid_t group)
{
	struct file_place place;
	long answer = ask("chown", path, &place);

	if (answer)
		return (int)wrap_result(answer);
	return PLACED(&place, chown, (path, owner, group), SYS_fchownat, place.dirfd, place.path, owner, group, 0);
}

EXPORT int lchown(const char *path, uid_t owner, gid_t group)
{
	struct file_place place;
	long answer = ask_link("lchown", path, &place);

	if (answer)
		return (int)wrap_result(answer);
	return PLACED(&place, lchown, (path, owner, group),
		      SYS_fchownat, place.dirfd, place.path, owner, group, AT_SYMLINK_NOFOLLOW);
}

EXPORT int fchown(int fd, uid_t owner, gid_t group)
{
	long answer = ask_descriptor("fchown", fd);

	return answer ? (int)wrap_result(answer) : LANE(fchown, (fd, owner, group), SYS_fchown, fd, owner, group, 0, 0);
}

EXPORT int fchownat(int dirfd, const char *path, uid_t owner, gid_t group, int flags)
{
	struct file_place place;
	long answer = ask_at("fchownat", dirfd, path, flags, &place);

	if (answer)
		return (int)wrap_result(FIRST_AT(answer, fchownat, SYS_fchownat, -1, "x", owner, group, flags));
	return PLACED(&place, fchownat, (dirfd, path, owner, group, flags),
		      SYS_fchownat, place.dirfd, place.path, owner, group, flags);
}

/* The times as the one system call for all of them takes them. Result: 0, or what the kernel says to nonsense. */
static long convert(const struct timeval times[2], struct timespec ret[2])
{
	if (!memory_readable(times, 2 * sizeof(*times)))
		return -EFAULT;
	for (int i = 0; i < 2; i++) {
		if (times[i].tv_usec < 0 || times[i].tv_usec >= 1000000)
			return -EINVAL;
		ret[i] = (struct timespec){times[i].tv_sec, times[i].tv_usec * 1000};
	}
	return 0;
}

static int set_times(const struct file_place *place, const struct timeval times[2], int flags)
{
	struct timespec both[2];
	long answer = times ? convert(times, both) : 0;

	if (!answer)
		answer = raw_guarded(SYS_utimensat, place->dirfd, place->path, times ? both : NULL, flags, 0);
	return place_left(place, wrap_result(answer));
}

EXPORT int utime(const char *path, const struct utimbuf *times)
{
	struct file_place place;
	struct timeval both[2];
	long answer = ask("utime", path, &place);

	if (answer)
		return (int)wrap_result(answer);
	if (!place_is_ours(&place, REAL_utime) || (times && !memory_readable(times, sizeof(*times))))
		return place_left(&place, REAL(utime)(path, times));
	if (!times)
		return set_times(&place, NULL, 0);
	both[0] = (struct timeval){.tv_sec = times->actime};
	both[1] = (struct timeval){.tv_sec = times->modtime};
	return set_times(&place, both, 0);
}

EXPORT int utimes(const char *path, const struct timeval times[2])
{
	struct file_place place;
	long answer = ask("utimes", path, &place);

	if (answer)
		return (int)wrap_result(answer);
	if (!place_is_ours(&place, REAL_utimes))
		return place_left(&place, REAL(utimes)(path, times));
	return set_times(&place, times, 0);
}

EXPORT int lutimes(const char *path, const struct timeval times[2])
{
	struct file_place place;
	long answer = ask_link("lutimes", path, &place);

	if (answer)
		return (int)wrap_result(answer);
	if (!place_is_ours(&place, REAL_lutimes))
		return place_left(&place, REAL(lutimes)(path, times));
	return set_times(&place, times, AT_SYMLINK_NOFOLLOW);
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
	struct file_place place;
	long answer = guard_file(
		&(struct file_call){"futimesat", dirfd, path, OP_WRITE, FILE_FOLLOW | FILE_NULL, &place});

	if (answer)
		return (int)wrap_result(answer);
	if (!place.held || !place_is_ours(&place, REAL_futimesat))
		return place_left(&place, REAL(futimesat)(dirfd, path, times));
	return set_times(&place, times, 0);
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
	struct file_place place;
	long answer = guard_file(&(struct file_call){"utimensat", dirfd, path, OP_WRITE, asked, &place});

	if (answer)
		return (int)wrap_result(FIRST_AT(answer, utimensat, SYS_utimensat, -1, "x", times, flags, 0));
	if (has_no_path(path)) /* libc has its own answer to this */
		return REAL(utimensat)(dirfd, path, times, flags);
	return PLACED(&place, utimensat, (dirfd, path, times, flags), SYS_utimensat, place.dirfd, place.path, times, flags, 0);
}

EXPORT int setxattr(const char *path, const char *name, const void *value, size_t size, int flags)
{
	struct file_place place;
	long answer = ask("setxattr", path, &place);

	if (answer)
		return (int)wrap_result(FIRST(answer, setxattr, SYS_setxattr, "", name, value, size, flags));
	return PLACED(&place, setxattr, (path, name, value, size, flags), SYS_setxattr, place.path, name, value, size, flags);
}

EXPORT int lsetxattr(const char *path, const char *name, const void *value, size_t size, int flags)
{
	struct file_place place;
	long answer = ask_link("lsetxattr", path, &place);

	if (answer)
		return (int)wrap_result(FIRST(answer, lsetxattr, SYS_lsetxattr, "", name, value, size, flags));
	return PLACED(&place, lsetxattr, (path, name, value, size, flags),
		      SYS_lsetxattr, place_text(&place), name, value, size, flags);
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
	struct file_place place;
	long answer = ask("removexattr", path, &place);

	if (answer)
		return (int)wrap_result(FIRST(answer, removexattr, SYS_removexattr, "", name, 0, 0, 0));
	return PLACED(&place, removexattr, (path, name), SYS_removexattr, place.path, name, 0, 0, 0);
}

EXPORT int lremovexattr(const char *path, const char *name)
{
	struct file_place place;
	long answer = ask_link("lremovexattr", path, &place);

	if (answer)
		return (int)wrap_result(FIRST(answer, lremovexattr, SYS_lremovexattr, "", name, 0, 0, 0));
	return PLACED(&place, lremovexattr, (path, name), SYS_lremovexattr, place_text(&place), name, 0, 0, 0);
}

EXPORT int fremovexattr(int fd, const char *name)
{
	long answer = ask_descriptor("fremovexattr", fd);

	return answer ? (int)wrap_result(answer) : LANE(fremovexattr, (fd, name), SYS_fremovexattr, fd, name, 0, 0, 0);
}
