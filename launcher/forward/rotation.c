/* SPDX-License-Identifier: MIT */
/* Sets report files aside that have grown too long. */
#include "forward/rotation.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define NUMBER_MAX 99999

void rotation_open(struct rotation *rotation, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? strndup(path, (size_t)(slash - path + 1)) : strdup("./");

	*rotation = (struct rotation){.name = slash ? slash + 1 : path, .folder = -1};
	if (folder)
		rotation->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	free(folder);
}

void rotation_close(struct rotation *rotation)
{
	if (rotation->name && rotation->folder >= 0)
		close(rotation->folder);
	rotation->name = NULL;
}

static bool is_still(const struct rotation *rotation, int file)
{
	struct stat ours, named;

	return !fstat(file, &ours) && !fstatat(rotation->folder, rotation->name, &named, AT_SYMLINK_NOFOLLOW) &&
	       ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
}

static bool set_aside(const struct rotation *rotation)
{
	char name[NAME_MAX + 1];

	for (int number = 1; number <= NUMBER_MAX; number++) {
		if ((size_t)snprintf(name, sizeof(name), "%s.%d", rotation->name, number) >= sizeof(name))
			return false;
		if (!renameat2(rotation->folder, rotation->name, rotation->folder, name, RENAME_NOREPLACE))
			return true;
		if (errno != EEXIST)
			return false;
	}
	return false;
}

void rotation_make_room(struct rotation *rotation, int *file, size_t length)
{
	struct stat status;
	int fresh;

	if (!rotation->limit || rotation->folder < 0 || fstat(*file, &status) || !status.st_size ||
	    (uint64_t)status.st_size + length <= rotation->limit)
		return;
	flock(*file, LOCK_EX);
	if (is_still(rotation, *file) && !set_aside(rotation)) {
		flock(*file, LOCK_UN);
		return;
	}
	fresh = openat(rotation->folder, rotation->name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	flock(*file, LOCK_UN);
	if (fresh < 0)
		return; /* on in the old one, under its new name */
	close(*file);
	*file = fresh;
}
