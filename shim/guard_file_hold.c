/* SPDX-License-Identifier: MIT */
/* Holds the place of a call that names a file, so that it is made where it was judged. */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>

#include "describe/alone.h"
#include "guard_file.h"
#include "print.h"
#include "real/syscall.h"

#include "forbid.h"

size_t file_last_name(const struct file_call *call, const char *path, size_t length)
{
	size_t at = length;

	while ((call->flags & FILE_ENTRY) && at > 1 && path[at - 1] == '/')
		at--;
	while (at && path[at - 1] != '/')
		at--;
	return at;
}

/* The folder of a call's other name, held by the same words: it need not be found again. */
static bool hold_beside(const struct file_call *call, uint64_t folder, const char *name, size_t length)
{
	const struct file_place *beside = call->beside;

	if (!beside || !beside->held || beside->folder != folder || beside->asked_dirfd != call->dirfd)
		return false;
	place_name(call->place, beside->dirfd, -1, name, length);
	return true;
}

static long open_plain(int dirfd, const char *path, unsigned more)
{
	const struct open_how how = {.flags = O_PATH | O_CLOEXEC | more, .resolve = RESOLVE_NO_SYMLINKS};

	return raw_openat2(dirfd, path, &how);
}

/* A bare name, in dirfd itself; in the working directory held, where a thread may move that. */
static void hold_here(const struct file_call *call, const char *name, size_t length)
{
	long fd = -1;

	if (!call->place)
		return;
	if (call->dirfd == AT_FDCWD && !alone_is_so())
		fd = open_plain(AT_FDCWD, ".", O_DIRECTORY);
	place_name(call->place, fd < 0 ? call->dirfd : (int)fd, (int)fd, name, length);
}

bool file_hold_plain(const struct file_call *call, char *path, size_t length)
{
	size_t name = file_last_name(call, path, length), part = call->flags & FILE_FOLLOW ? length : name;

	if (part == name && (name == length || path_ends_in_dots(path)))
		return false;
	if (part == 0) {
		hold_here(call, path, length);
		return true;
	}
	uint64_t folder = print_part((uintptr_t)call->name, path, part) | 1;
	bool stands = path[0] == '/' || alone_is_so();
	if (stands && part == name && hold_beside(call, folder, path + part, length - part))
		return true;
	char kept = path[part];
	path[part] = '\0';
	long fd = open_plain(call->dirfd, path, 0);
	path[part] = kept;
	if (fd < 0)
		return false;
	if (!call->place) {
		raw(SYS_close, fd);
	} else if (call->flags & FILE_FOLLOW) {
		place_file(call->place, (int)fd);
	} else {
		place_name(call->place, (int)fd, (int)fd, path + part, length - part);
		call->place->folder = folder;
	}
	return true;
}

void file_let_go(struct file_place *place)
{
	guard_leave(place);
	place->dirfd = place->asked_dirfd;
	place->path = place->asked;
	place->held = false;
	place->fd = -1;
	place->folder = 0;
}

long file_hold_lead(const struct file_call *call, const char *copy, struct path_room room, const struct path_lead *lead)
{
	char *name = room.text + lead->length;
	long fd;

	if (!call->place || lead->magic || lead->own_process || (lead->error && !lead->last_missing))
		return 0;
	if (call->flags & FILE_FOLLOW) {
		fd = open_plain(AT_FDCWD, room.text, lead->slash ? O_DIRECTORY : 0);
		if (fd >= 0)
			place_file(call->place, (int)fd);
		return fd == -ELOOP || fd == -ENOENT || fd == -ENOTDIR ? fd : 0;
	}
	if (lead->length <= 1 || path_ends_in_dots(copy) || lead->length + 2 > room.size)
		return 0;
	if (lead->slash)
		memcpy(name, "/", 2);
	while (*--name != '/')
		;
	*name = '\0';
	fd = open_plain(AT_FDCWD, name == room.text ? "/" : room.text, O_DIRECTORY);
	*name = '/';
	if (fd >= 0)
		place_name(call->place, (int)fd, (int)fd, name + 1, strlen(name + 1));
	return fd == -ELOOP || fd == -ENOENT || fd == -ENOTDIR ? fd : 0;
}
