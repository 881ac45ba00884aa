/* SPDX-License-Identifier: MIT */
/* Calls that change what paths mean, or get at files around paths. Most need root; all name a place that is judged. */
#include <sys/mount.h>
#include <sys/swap.h>
#include <unistd.h>

#include "wrap/lane.h"

#include "forbid.h"

static long ask(const char *name, int dirfd, const char *path, enum op op, unsigned flags)
{
	long answer = guard_file(&(struct file_call){name, dirfd, path, op, flags, NULL});

	place_forget();
	return answer == -EACCES ? answer : GUARD_GO; /* what else is wrong the kernel says, in its own order */
}

EXPORT int mount(const char *source, const char *target, const char *type, unsigned long flags, const void *data)
{
	long answer = GUARD_GO;

	if (flags & (MS_BIND | MS_MOVE)) /* else the source is a device's or a file system's name */
		answer = ask("mount", AT_FDCWD, source, OP_WRITE, FILE_FOLLOW);
	if (!answer)
		answer = ask("mount", AT_FDCWD, target, OP_WRITE, FILE_FOLLOW);
	return answer ? (int)wrap_result(answer) : REAL(mount)(source, target, type, flags, data);
}

EXPORT int umount(const char *target)
{
	long answer = ask("umount", AT_FDCWD, target, OP_WRITE, FILE_FOLLOW);

	return answer ? (int)wrap_result(answer) : REAL(umount)(target);
}

EXPORT int umount2(const char *target, int flags)
{
	long answer = ask("umount2", AT_FDCWD, target, OP_WRITE, FILE_FOLLOW);

	return answer ? (int)wrap_result(answer) : REAL(umount2)(target, flags);
}

/* Below another root every path would mean something else than what we judge. */
EXPORT int chroot(const char *path)
{
	long answer = ask("chroot", AT_FDCWD, path, OP_WRITE, FILE_FOLLOW);

	return answer ? (int)wrap_result(answer) : REAL(chroot)(path);
}

EXPORT int pivot_root(const char *root, const char *old)
{
	long answer = ask("pivot_root", AT_FDCWD, root, OP_WRITE, FILE_FOLLOW);

	if (!answer)
		answer = ask("pivot_root", AT_FDCWD, old, OP_WRITE, FILE_FOLLOW);
	return answer ? (int)wrap_result(answer) : REAL(pivot_root)(root, old);
}

EXPORT int acct(const char *path)
{
	long answer = path ? ask("acct", AT_FDCWD, path, OP_WRITE, FILE_FOLLOW) : GUARD_GO;

	return answer ? (int)wrap_result(answer) : REAL(acct)(path);
}

EXPORT int swapon(const char *path, int flags)
{
	long answer = ask("swapon", AT_FDCWD, path, OP_WRITE, FILE_FOLLOW);

	return answer ? (int)wrap_result(answer) : REAL(swapon)(path, flags);
}

/* What it opens can be mounted elsewhere, under a name that no rule knows: judged like the mount itself. */
EXPORT int open_tree(int dirfd, const char *path, unsigned flags)
{
	unsigned asked = (flags & AT_SYMLINK_NOFOLLOW ? 0 : FILE_FOLLOW) | (flags & AT_EMPTY_PATH ? FILE_EMPTY : 0);
	long answer = ask("open_tree", dirfd, path, OP_WRITE, asked);

	if (answer)
		return (int)wrap_result(answer);
	return wrap_opened(LANE(open_tree, (dirfd, path, flags), SYS_open_tree, dirfd, path, flags, 0, 0));
}

EXPORT int move_mount(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
	long answer = ask("move_mount", to_dir, to, OP_WRITE, FILE_FOLLOW | FILE_EMPTY);

	return answer ? (int)wrap_result(answer) : REAL(move_mount)(from_dir, from, to_dir, to, flags);
}

/* A handle says nothing about its path: the file is opened, asked where it is, and closed again when it is out of bounds. */
EXPORT int open_by_handle_at(int mount_fd, struct file_handle *handle, int flags)
{
	int fd = REAL(open_by_handle_at)(mount_fd, handle, flags);
	bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC);
	long answer;

	if (fd < 0)
		return fd;
	answer = guard_descriptor("open_by_handle_at", fd, writes ? OP_WRITE : OP_READ);
	if (!answer)
		return wrap_opened(fd);
	raw(SYS_close, fd);
	return (int)wrap_result(answer);
}
