/* SPDX-License-Identifier: MIT */
/* Keeps one emptied session folder for the next session. */
#include "session/spare.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "session/session.h"

#define SPARE "spare"
#define TABLE_BYTES 4096 /* of a folder that never held many names */

bool spare_take(const char *around, const char *folder)
{
	char spare[SESSION_FOLDER_MAX];

	return snprintf(spare, sizeof(spare), "%s/" SPARE, around) < (int)sizeof(spare) && !rename(spare, folder);
}

/* Removes what is in the folder, but for the entries that `kept` tells. */
static bool empty(int folder, bool (*kept)(const char *name))
{
	int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *entries = again >= 0 ? fdopendir(again) : NULL;
	struct dirent *entry;
	bool good = entries != NULL;

	while (good && (entry = readdir(entries)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") && !kept(entry->d_name))
			good = !unlinkat(folder, entry->d_name, 0) || session_remove_tree(folder, entry->d_name);
	if (entries)
		closedir(entries);
	else if (again >= 0)
		close(again);
	return good;
}

static bool no_name(const char *name)
{
	(void)name;
	return false;
}

/* What the next session would make just so. Not what processes have mapped: it stays what it is as long as one lives. */
static bool is_of_use(const char *name)
{
	return !strcmp(name, SESSION_TMP) || !strcmp(name, SESSION_FIFO) || !strcmp(name, SESSION_LIBRARY);
}

static bool is_as_made(int folder, nlink_t links)
{
	struct stat status;

	return !fstat(folder, &status) && status.st_uid == geteuid() && status.st_gid == getegid() &&
	       status.st_nlink == links && status.st_size <= TABLE_BYTES && flistxattr(folder, NULL, 0) == 0;
}

static bool put_aside(int folder, int tmp, const char *path)
{
	char spare[SESSION_FOLDER_MAX + sizeof(SPARE)];
	char *slash;

	if (!empty(tmp, no_name) || !empty(folder, is_of_use) || !is_as_made(tmp, 2) || !is_as_made(folder, 3) ||
	    fchmod(tmp, 0700) || fchmod(folder, 0700) || fchmodat(folder, SESSION_FIFO, 0600, 0))
		return false;
	strcpy(spare, path);
	slash = strrchr(spare, '/');
	strcpy(slash + 1, SPARE);
	return !renameat2(AT_FDCWD, path, AT_FDCWD, spare, RENAME_NOREPLACE);
}

/* A link to another shim, or a copy of one, makes place. */
bool spare_holds_link(int folder, const char *library)
{
	char target[PATH_MAX];
	ssize_t length = readlinkat(folder, SESSION_LIBRARY, target, sizeof(target));

	if (length == (ssize_t)strlen(library) && !memcmp(target, library, (size_t)length))
		return true;
	unlinkat(folder, SESSION_LIBRARY, 0);
	return false;
}

bool spare_holds_fifo(int folder)
{
	struct stat status;

	return !fstatat(folder, SESSION_FIFO, &status, AT_SYMLINK_NOFOLLOW) && S_ISFIFO(status.st_mode) &&
	       status.st_uid == geteuid();
}

bool spare_keep(const char *folder)
{
	int file = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int tmp = file >= 0 ? openat(file, SESSION_TMP, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
	bool good = tmp >= 0 && put_aside(file, tmp, folder);

	if (tmp >= 0)
		close(tmp);
	if (file >= 0)
		close(file);
	return good;
}
