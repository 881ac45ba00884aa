/* SPDX-License-Identifier: MIT */
/*
 * A session of root's is also for descendants that become another user (setpriv, su, daemons that drop privileges): they
 * load the shim, read the policy, report, and count in a page of their own. Strangers are kept out by a folder around
 * the session's that only root can list, so that nobody learns the name who is not told it.
 */
#include "session/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define COPY_BYTES (1 << 20)

bool shared_parent(const char *parent, char *path, size_t size)
{
	struct stat status;
	int length = snprintf(path, size, "%s/" SESSION_ROOT_PARENT, strcmp(parent, "/") ? parent : "");

	if (geteuid() || length >= (int)size)
		return false;
	/* The umask of who starts bridle takes bits away, so they are set again; what is there already is only looked at. */
	if (!mkdir(path, 0700))
		return !chmod(path, 0711);
	return errno == EEXIST && !lstat(path, &status) && S_ISDIR(status.st_mode) && status.st_uid == 0 &&
	       (status.st_mode & 0777) == 0711;
}

/* Can everybody read the file, and walk to it? */
static bool is_open_to_all(const char *file)
{
	char path[PATH_MAX];
	struct stat status;

	if (snprintf(path, sizeof(path), "%s", file) >= (int)sizeof(path) || stat(path, &status) ||
	    !(status.st_mode & S_IROTH))
		return false;
	for (char *slash = strrchr(path, '/'); slash && slash > path; slash = strrchr(path, '/')) {
		*slash = '\0';
		if (stat(path, &status) || !(status.st_mode & S_IXOTH))
			return false;
	}
	return true;
}

/* By the kernel: a buffer might be more than the stack holds. */
static bool copy_bytes(int from, int to)
{
	ssize_t got;

	do
		got = sendfile(to, from, NULL, COPY_BYTES);
	while (got > 0);
	return !got;
}

static bool copy_library(int folder, const char *library)
{
	int from = open(library, O_RDONLY | O_CLOEXEC);
	int to = openat(folder, SESSION_LIBRARY, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0700);
	bool good = from >= 0 && to >= 0 && copy_bytes(from, to) && !fchmod(to, 0755);

	if (from >= 0)
		close(from);
	if (to >= 0)
		close(to);
	return good;
}

bool shared_place_library(const struct session *session, int folder, const char *library)
{
	if (session->shared && !is_open_to_all(library) && !access(library, R_OK))
		return copy_library(folder, library);
	return !symlinkat(library, folder, SESSION_LIBRARY);
}

bool shared_open(struct session *session, int folder)
{
	int file;

	if (!session->shared)
		return true;
	file = openat(folder, SESSION_COUNTERS, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (file < 0)
		return false;
	session->others = MAP_FAILED;
	if (!ftruncate(file, SESSION_IMAGE_OFFSET) && !fchmod(file, 0666))
		session->others = mmap(NULL, SESSION_IMAGE_OFFSET, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	if (session->others == MAP_FAILED) {
		session->others = NULL;
		return false;
	}
	return !fchmod(session->file, 0644) && !fchmodat(folder, SESSION_FIFO, 0666, 0) &&
	       !fchmodat(folder, SESSION_TMP, 01777, 0) && !fchmod(folder, 0711);
}

static void move(uint64_t *to, uint64_t *from)
{
	__atomic_fetch_add(to, __atomic_exchange_n(from, 0, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
}

void session_gather(struct session *session)
{
	if (!session->page || !session->others)
		return;
	move(&session->page->started, &session->others->started);
	move(&session->page->checked, &session->others->checked);
	move(&session->page->denied, &session->others->denied);
	move(&session->page->lost, &session->others->lost);
}
