/* SPDX-License-Identifier: MIT */
/* Removes what sessions leave: their own folder at the end, and the folders of launchers that were killed. */
#include "session/session.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DEPTH_MAX 32    /* folders held open at once; what lies deeper is moved up first */
#define YOUNG_SECONDS 5 /* a folder without a session file may be one that is just being made */

static bool remove_entries(int folder, int top, unsigned depth);

static bool remove_folder(int parent, const char *name, int top, unsigned depth)
{
	int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (folder < 0 && errno == EACCES && !fchmodat(parent, name, 0700, 0))
		folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (folder < 0)
		return false;
	if (faccessat(parent, name, W_OK | X_OK, 0))
		fchmod(folder, 0700);
	return remove_entries(folder, top, depth + 1) && !unlinkat(parent, name, AT_REMOVEDIR);
}

/* Moves a folder that lies too deep to the top, where a later round removes it. */
static bool move_up(int parent, const char *name, int top)
{
	static unsigned number;
	char moved[32];

	snprintf(moved, sizeof(moved), "deep-%u", number++);
	return !renameat(parent, name, top, moved);
}

/* Takes over `folder`. top is the folder where the removal began; -1: this is it. */
static bool remove_entries(int folder, int top, unsigned depth)
{
	DIR *entries = fdopendir(folder);
	struct dirent *entry;
	bool whole = true;

	if (!entries) {
		close(folder);
		return false;
	}
	while ((entry = readdir(entries))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (!unlinkat(folder, entry->d_name, 0) || errno == ENOENT)
			continue;
		if (errno != EISDIR && errno != EPERM)
			whole = false;
		else if (depth >= DEPTH_MAX)
			whole &= move_up(folder, entry->d_name, top);
		else
			whole &= remove_folder(folder, entry->d_name, top < 0 ? folder : top, depth);
	}
	closedir(entries);
	return whole;
}

bool session_remove_tree(int parent, const char *name)
{
	/* Each round takes off up to DEPTH_MAX levels; a folder that gains files while we work gets a few more. */
	for (int round = 0; round < 256; round++) {
		if (remove_folder(parent, name, -1, 0))
			return true;
		if (errno == ENOENT || faccessat(parent, name, F_OK, AT_SYMLINK_NOFOLLOW))
			return true;
		if (errno != ENOTEMPTY && errno != EEXIST)
			break;
	}
	return false;
}

/* A session file whose lock can be had has no launcher any more. */
static bool is_stale(int folder, const struct stat *status)
{
	int file = openat(folder, SESSION_FILE, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat inside;
	bool free;

	if (file < 0)
		return errno == ENOENT && status->st_mtime + YOUNG_SECONDS < time(NULL);
	/* A launcher creates the file and then locks it: an empty one is left the time between. */
	free = !flock(file, LOCK_EX | LOCK_NB) && !fstat(file, &inside) &&
	       (inside.st_size || inside.st_mtime + YOUNG_SECONDS < time(NULL));
	close(file);
	return free;
}

unsigned session_sweep(const char *parent, const char *outer)
{
	DIR *entries = opendir(parent);
	struct dirent *entry;
	unsigned swept = 0;

	if (!entries)
		return 0;
	while ((entry = readdir(entries))) {
		struct stat status;
		int folder;

		if (!session_is_name(entry->d_name) || (outer && strstr(outer, entry->d_name)))
			continue;
		folder = openat(dirfd(entries), entry->d_name,
				O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (folder < 0)
			continue;
		if (!fstat(folder, &status) && status.st_uid == geteuid() && is_stale(folder, &status))
			swept += session_remove_tree(dirfd(entries), entry->d_name);
		close(folder);
	}
	closedir(entries);
	return swept;
}
