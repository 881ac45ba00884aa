/* SPDX-License-Identifier: MIT */
/* Calls that change what paths mean, or get at files around paths. Most need root; all name a place that is judged. */
#include <sys/mount.h>
#include <sys/swap.h>
#include <unistd.h>

#include "describe/memory.h"
#include "wrap/lane.h"

#include "forbid.h"

static long ask(const char *name, int dirfd, const char *path, enum op op, unsigned flags)
{
	long answer = guard_file(&(struct file_call){name, dirfd, path, op, flags, NULL});

	place_forget();
	return answer == -EACCES ? answer : GUARD_GO; /* what else is wrong the kernel says, in its own order */
}

/* May what lies below the one come to lie below the other as well? to: NULL where it can be anywhere. */
static long ask_moved(const char *name, struct file_place *from, struct file_place *to, bool follows)
{
	long answer = guard_moved(&(struct move_call){name, from, to, false, follows});

	place_forget();
	return answer;
}

long wrap_ask_mount(const char *source, const char *target, unsigned long flags)
{
	bool moves = flags & (MS_BIND | MS_MOVE) && !(flags & MS_REMOUNT);
	struct file_place from, to;
	long answer = GUARD_GO;

	if (moves) /* else the source is a device's or a file system's name, or nothing */
		answer = ask("mount", AT_FDCWD, source, OP_WRITE, FILE_FOLLOW);
	if (!answer)
		answer = ask("mount", AT_FDCWD, target, OP_WRITE, FILE_FOLLOW);
	if (answer || !moves)
		return answer;
	place_as_asked(&from, AT_FDCWD, source);
	place_as_asked(&to, AT_FDCWD, target);
	return ask_moved("mount", &from, &to, true);
}

EXPORT int mount(const char *source, const char *target, const char *type, unsigned long flags, const void *data)
{
	long answer = wrap_ask_mount(source, target, flags);

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

/*
 * Below another root we judge each path by its text, and it means another file than it says: what the rules give of "/" holds
 * for that folder then, which so must be writable, and nothing below it may have a rule of its own.
 */
long wrap_ask_chroot(const char *path)
{
	struct file_place from, to;
	long answer = ask("chroot", AT_FDCWD, path, OP_WRITE, FILE_FOLLOW);

	place_as_asked(&from, AT_FDCWD, path);
	place_as_asked(&to, AT_FDCWD, "/");
	return answer ? answer : ask_moved("chroot", &from, &to, true);
}

EXPORT int chroot(const char *path)
{
	long answer = wrap_ask_chroot(path);

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
long wrap_ask_open_tree(int dirfd, const char *path, unsigned flags)
{
	unsigned asked = (flags & AT_SYMLINK_NOFOLLOW ? 0 : FILE_FOLLOW) | (flags & AT_EMPTY_PATH ? FILE_EMPTY : 0);
	struct file_place from;
	long answer = ask("open_tree", dirfd, path, OP_WRITE, asked);

	place_as_asked(&from, dirfd, path);
	return answer ? answer : ask_moved("open_tree", &from, NULL, asked & FILE_FOLLOW);
}

EXPORT int open_tree(int dirfd, const char *path, unsigned flags)
{
	long answer = wrap_ask_open_tree(dirfd, path, flags);

	if (answer)
		return (int)wrap_result(answer);
	return wrap_opened(LANE(open_tree, (dirfd, path, flags), SYS_open_tree, dirfd, path, flags, 0, 0));
}

/* A source without a path is a tree that was opened, and judged then. */
long wrap_ask_move_mount(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
	bool opened = flags & MOVE_MOUNT_F_EMPTY_PATH && memory_readable(from, 1) && !from[0];
	bool follows = flags & MOVE_MOUNT_F_SYMLINKS;
	struct file_place source, target;
	long answer = GUARD_GO;

	if (!opened)
		answer = ask("move_mount", from_dir, from, OP_WRITE, follows ? FILE_FOLLOW : 0);
	if (!answer)
		answer = ask("move_mount", to_dir, to, OP_WRITE, FILE_FOLLOW | FILE_EMPTY);
	if (answer || opened)
		return answer;
	place_as_asked(&source, from_dir, from);
	place_as_asked(&target, to_dir, to);
	return ask_moved("move_mount", &source, &target, true);
}

EXPORT int move_mount(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
	long answer = wrap_ask_move_mount(from_dir, from, to_dir, to, flags);

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
