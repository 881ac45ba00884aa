/* SPDX-License-Identifier: MIT */
/* The text of a path: folding it, and joining it to the directory that it starts from. */
#include "describe/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "describe/cwd.h"
#include "print.h"
#include "real/syscall.h"
#include "start.h"

#include "forbid.h"

#define PROC_ROOT 1 /* its inode, in every proc file system */
#define DESCRIPTOR_FOLDER "/proc/self/fd/"

/* Is there nothing to fold: no empty component, no "." and no "..", no slash at the end? Byte by byte. */
static bool is_plain_exactly(const char *path, size_t length)
{
	for (size_t at = 0, name = 0; at <= length; at++) {
		if (at < length && path[at] != '/')
			continue;
		if (at - name < 3 && (at == name || (path[name] == '.' && (at - name == 1 || path[name + 1] == '.'))))
			return false;
		name = at + 1;
	}
	return true;
}

/*
 * The same eight bytes at a time. "." and "/" differ in their last bit only: where no two of the two stand side by side, nor
 * one at the beginning, nothing can be wrong.
 */
static bool is_plain(const char *path, size_t length)
{
	uint64_t before = 0x80; /* of the byte in front of the word */

	if (length == 0 || path[length - 1] == '/')
		return false;
	for (size_t at = 0; at < length; at += sizeof(uint64_t)) {
		size_t left = length - at;
		uint64_t word, marks;

		if (left >= sizeof(word))
			__builtin_memcpy(&word, path + at, sizeof(word));
		else
			word = print_rest(path + at, left, at);
		marks = print_zeros((word | 0x0101010101010101u) ^ 0x2f2f2f2f2f2f2f2fu); /* bytes that are one of the two */
		if (marks & (marks << 8 | before))
			return is_plain_exactly(path, length);
		before = marks >> 56;
	}
	return true;
}

/* With zeros up to the next multiple of eight bytes, as far as the room goes. */
static inline long close_text(struct path_room room, size_t length)
{
	if (length + sizeof(uint64_t) <= room.size)
		__builtin_memset(room.text + length, 0, sizeof(uint64_t));
	else
		memset(room.text + length, 0, room.size - length);
	return (long)length;
}

/* Appends the components of path to the absolute path in text; "/" itself is kept as length 0 while folding. */
static long fold(struct path_room room, size_t length, const char *path, size_t left)
{
	const char *at = path, *end = path + left;
	size_t slash = left && path[0] == '/';

	if (is_plain(path + slash, left - slash) && length + left + 2 <= room.size) {
		room.text[length++] = '/';
		memcpy(room.text + length, path + slash, left - slash);
		return close_text(room, length + left - slash);
	}
	while (at < end) {
		const char *name = at;

		while (at < end && *at != '/')
			at++;
		size_t size = (size_t)(at - name);

		if (size == 2 && name[0] == '.' && name[1] == '.') {
			while (length && room.text[--length] != '/')
				;
		} else if (size && !(size == 1 && name[0] == '.')) {
			if (length + size + 2 > room.size)
				return -ENAMETOOLONG;
			room.text[length++] = '/';
			memcpy(room.text + length, name, size);
			length += size;
		}
		at++;
	}
	if (length == 0)
		room.text[length++] = '/';
	return close_text(room, length);
}

long path_join(struct path_room room, size_t length, const char *path, size_t left)
{
	return fold(room, length == 1 ? 0 : length, path, left); /* "/": nothing to join to */
}

long path_append(struct path_room room, size_t length, const char *path, size_t left)
{
	if (length + left + 2 > room.size)
		return -ENAMETOOLONG;
	if (!is_plain(path, left))
		return -EINVAL;
	length = length == 1 ? 0 : length; /* "/" */
	room.text[length++] = '/';
	memcpy(room.text + length, path, left);
	return close_text(room, length + left);
}

static size_t write_number(char *text, unsigned number)
{
	char digits[12];
	size_t count = 0, length = 0;

	do {
		digits[count++] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	while (count)
		text[length++] = digits[--count];
	text[length] = '\0';
	return length;
}

long path_of_descriptor(struct path_room room, int fd)
{
	char link[sizeof(DESCRIPTOR_FOLDER) + 12] = DESCRIPTOR_FOLDER;

	if (fd < 0)
		return -EBADF;
	if (start_filtered)
		return -ENOENT;
	write_number(link + sizeof(DESCRIPTOR_FOLDER) - 1, (unsigned)fd);
	long got = raw(SYS_readlinkat, AT_FDCWD, link, room.text, room.size);

	if (got == (long)room.size)
		return -ENAMETOOLONG;
	if (got == -ENOENT)
		return raw(SYS_fcntl, fd, F_GETFD) == -EBADF ? -EBADF : -ENOENT;
	if (got < 0)
		return got;
	if (room.text[0] != '/')
		return -ENOENT;
	room.text[got] = '\0';
	return got;
}

bool path_is_proc(int fd)
{
	struct statfs system;
	struct stat status;

	return raw(SYS_fstatfs, fd, &system) == 0 && system.f_type == PROC_SUPER_MAGIC &&
	       raw(SYS_fstat, fd, &status) == 0 && status.st_ino == PROC_ROOT;
}

bool path_ends_in_dots(const char *path)
{
	const char *end = path + strlen(path), *name;

	while (end > path && end[-1] == '/')
		end--;
	for (name = end; name > path && name[-1] != '/'; name--)
		;
	return end > name && name[0] == '.' && (end - name == 1 || (end - name == 2 && name[1] == '.'));
}

/* Sixteen folders up. */
#define UP "../../../../../../../../../../../../../../../.."
#define MOST_CLIMBS 256

/*
 * A directory whose path is longer than any path may be is known by its nearest ancestor that can be named: rules name
 * trees, and what holds for that one's descendants holds for it.
 */
static __attribute__((noinline)) long base_of_deep(struct path_room room, int dirfd)
{
	long fd = raw_guarded(SYS_openat, dirfd, ".", O_PATH | O_DIRECTORY | O_CLOEXEC, 0, 0), length = fd;

	for (unsigned i = 0; i < MOST_CLIMBS && fd >= 0; i++) {
		long above = raw_guarded(SYS_openat, fd, UP, O_PATH | O_DIRECTORY | O_CLOEXEC, 0, 0);

		raw(SYS_close, fd);
		fd = above;
		length = fd < 0 ? fd : path_of_descriptor(room, (int)fd);
		if (length != -ENAMETOOLONG)
			break;
	}
	if (fd >= 0)
		raw(SYS_close, fd);
	return length;
}

/* The directory that a relative path starts from. */
static long base(struct path_room room, int dirfd)
{
	long length = dirfd == AT_FDCWD ? cwd_get(room.text, room.size) : path_of_descriptor(room, dirfd);

	if (length == -ENAMETOOLONG && room.size > PATH_MAX && !start_filtered)
		length = base_of_deep(room, dirfd);
	return length == 1 ? 0 : length; /* "/": nothing to join to */
}

long path_fold(struct path_room room, int dirfd, const char *path, size_t length)
{
	long start = 0;

	if (path[0] != '/') {
		start = base(room, dirfd);
		if (start < 0)
			return start;
	}
	return fold(room, (size_t)start, path, length);
}
