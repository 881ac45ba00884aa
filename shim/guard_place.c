/* SPDX-License-Identifier: MIT */
/* Places: a directory held open and a name in it, or a file by the link that /proc has for its descriptor. */
#include "guard_place.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>

#include "real/syscall.h"
#include "report/text.h"
#include "start.h"

#include "forbid.h"

/* Not /proc/self: a thread may have descriptors of its own, and outlive the thread that the process began with. */
#define DESCRIPTORS "/proc/thread-self/fd/"
#define PREFIX 48 /* of room: for what stands before a name */

static bool proc_seen;

void place_as_asked(struct file_place *ret, int dirfd, const char *path)
{
	ret->dirfd = dirfd;
	ret->path = ret->asked = path;
	ret->asked_dirfd = dirfd;
	ret->call = NULL;
	ret->had_line = 0;
	ret->held = false;
	ret->covers = false;
	ret->fd = -1;
	ret->folder = 0;
}

void place_name(struct file_place *ret, int dirfd, int fd, const char *name, size_t length)
{
	if (length + PREFIX >= sizeof(ret->room)) {
		if (fd >= 0)
			raw(SYS_close, fd);
		return;
	}
	memcpy(ret->room + PREFIX, name, length);
	ret->room[PREFIX + length] = '\0';
	ret->dirfd = dirfd;
	ret->path = ret->room + PREFIX;
	ret->held = true;
	ret->fd = fd;
}

/* Writes the name of a descriptor and whether there is such a thing. Result: its length, 0 without /proc. */
static size_t name_descriptor(char *room, size_t size, int fd)
{
	struct text text = {room, room + size - 1, false};
	char link[8];

	text_add(&text, DESCRIPTORS);
	text_number(&text, fd);
	*text.at = '\0';
	if (!__atomic_load_n(&proc_seen, __ATOMIC_RELAXED)) {
		if (raw(SYS_readlinkat, AT_FDCWD, room, link, sizeof(link)) < 0)
			return 0;
		__atomic_store_n(&proc_seen, true, __ATOMIC_RELAXED);
	}
	return (size_t)(text.at - room);
}

void place_file(struct file_place *ret, int fd)
{
	if (!name_descriptor(ret->room, sizeof(ret->room), fd)) {
		raw(SYS_close, fd);
		return;
	}
	ret->dirfd = AT_FDCWD;
	ret->path = ret->room;
	ret->held = true;
	ret->fd = fd;
}

const char *place_text(struct file_place *place)
{
	char prefix[PREFIX];
	size_t length;

	if (!place->held || place->dirfd == AT_FDCWD)
		return place->path;
	length = name_descriptor(prefix, sizeof(prefix), place->dirfd);
	if (!length)
		return place->asked;
	prefix[length++] = '/';
	char *start = place->room + PREFIX - length;
	memcpy(start, prefix, length);
	return start;
}

void place_forget(void)
{
	__atomic_store_n(&proc_seen, false, __ATOMIC_RELAXED);
	start_moved();
}

void guard_leave(const struct file_place *place)
{
	if (place->fd >= 0)
		raw(SYS_close, place->fd);
}
