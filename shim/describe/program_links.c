/* SPDX-License-Identifier: MIT */
/* The symlinks in a program's path: found once, then each is read again, which is one system call and needs no descriptor. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "describe/program.h"
#include "print.h"
#include "real/syscall.h"

#include "forbid.h"

#define LONGEST 256 /* of a path that is worth it */

uint64_t program_links_print(const char *target, size_t length)
{
	return print_part((uintptr_t)program_links_print, target, length) | 1;
}

/* What the name that ends there leads to takes its place. Result: the new length; -EINVAL: it is no link; or -errno. */
static long replace_link(struct path_room room, size_t length, size_t end)
{
	char link[LONGEST], rest[LONGEST], next = room.text[end];
	size_t left = length - end, base = end;
	long got;

	if (left >= sizeof(rest))
		return -ENAMETOOLONG;
	room.text[end] = '\0';
	got = raw(SYS_readlinkat, AT_FDCWD, room.text, link, sizeof(link));
	room.text[end] = next;
	if (got <= 0 || got == sizeof(link))
		return got < 0 ? got : -ENAMETOOLONG;
	memcpy(rest, room.text + end, left);
	while (base && room.text[--base] != '/')
		;
	got = path_join(room, link[0] == '/' || !base ? 1 : base, link, (size_t)got);
	return got < 0 || !left ? got : path_join(room, (size_t)got, rest, left);
}

/* The first link in it is replaced. Result: as replace_link's, *ret_end where it stood; 0: there is none. */
static long replace_first(struct path_room room, size_t length, size_t *ret_end)
{
	for (size_t end = 1; end <= length; end++) {
		long got;

		if (end < length && room.text[end] != '/')
			continue;
		got = replace_link(room, length, end);
		*ret_end = end;
		if (got != -EINVAL)
			return got;
	}
	return 0;
}

void program_links_find(struct program_links *ret, int dirfd, const char *path, uint64_t target)
{
	char text[LONGEST];
	struct path_room room = {text, sizeof(text)};
	long left = path_fold(room, dirfd, path, strlen(path));
	size_t end;

	for (ret->count = 0; left > 0 && program_links_print(text, (size_t)left) != target; ret->count++) {
		left = ret->count < PROGRAM_LINKS ? replace_first(room, (size_t)left, &end) : 0;
		if (left > 0)
			ret->ends[ret->count] = (uint32_t)end;
	}
	ret->target = left > 0 ? target : 0;
}

long program_links_follow(const struct program_links *links, struct path_room room, size_t length)
{
	long left = (long)length;

	for (unsigned i = 0; i < links->count && left > 0; i++)
		left = links->ends[i] <= left ? replace_link(room, (size_t)left, links->ends[i]) : -EINVAL;
	return left > 0 && program_links_print(room.text, (size_t)left) == links->target ? left : -ENOENT;
}
