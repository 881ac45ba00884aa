/* SPDX-License-Identifier: MIT */
/* Names of open files, as /proc tells them. */
#include "backstop/name.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* The kernel's name of an open file; 0 with errno when it has none that fits: ENAMETOOLONG where any would be too long. */
static size_t own_name_of(int descriptor, char *path, size_t size)
{
	char link[64];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
	length = readlink(link, path, size - 1);
	if (length <= 0 || (size_t)length >= size - 1)
		return 0;
	path[length] = '\0';
	return (size_t)length;
}

/* Sixteen folders up: as many names are 4096 bytes, so that no tree shorter than 256 bytes is climbed out of. */
#define UP "../../../../../../../../../../../../../../../.."
#define MOST_CLIMBS 256

size_t name_of(int descriptor, char *path, size_t size)
{
	size_t length = own_name_of(descriptor, path, size);
	int at = descriptor;

	for (int i = 0; i < MOST_CLIMBS && !length && errno == ENAMETOOLONG; i++) {
		int above = openat(at, UP, O_PATH | O_CLOEXEC | O_DIRECTORY);

		if (at != descriptor)
			close(at);
		at = above;
		length = at < 0 ? 0 : own_name_of(at, path, size);
	}
	if (at != descriptor && at >= 0)
		close(at);
	return length;
}
