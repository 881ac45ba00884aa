/* SPDX-License-Identifier: MIT */
/*
 * The short ways, which serve nearly every call: one openat2 that meets no symlink, or one that follows them and the
 * kernel's own name for what it found. Whatever these refuse goes the long way (walk.c).
 */
#include "backstop/resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "backstop/walk.h"

pid_t resolve_group(struct resolve_caller *caller)
{
	char name[64], line[64];
	FILE *stream;

	if (caller->tgid)
		return caller->tgid;
	snprintf(name, sizeof(name), "/proc/%d/status", (int)caller->tid);
	stream = fopen(name, "re");
	while (stream && fgets(line, sizeof(line), stream))
		if (sscanf(line, "Tgid: %d", &caller->tgid) == 1)
			break;
	if (stream)
		fclose(stream);
	return caller->tgid;
}

/* Where the walk starts: the caller's root, working folder or descriptor. -1 with errno; AT_FDCWD: our own root. */
static int open_base(const struct resolve_caller *caller, int dirfd, bool absolute)
{
	char link[64];

	if (absolute && caller->home)
		return AT_FDCWD;
	if (absolute)
		snprintf(link, sizeof(link), "/proc/%d/root", (int)caller->tid);
	else if (dirfd == RESOLVE_HERE)
		snprintf(link, sizeof(link), "/proc/%d/cwd", (int)caller->tid);
	else
		snprintf(link, sizeof(link), "/proc/%d/fd/%d", (int)caller->tid, dirfd);
	return open(link, O_PATH | O_CLOEXEC);
}

static int open_path(const struct resolve_caller *caller, int base, const char *path, bool follow, uint64_t resolve)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW),
		.resolve = resolve | (path[0] == '/' && !caller->home ? RESOLVE_IN_ROOT : 0),
	};

	return (int)syscall(SYS_openat2, base, path, &how, sizeof(how));
}

static void fail(struct resolved *ret, int error, int otherwise)
{
	/* what the caller lacks fails for it too; what only we may not see is not known */
	ret->state = error == EACCES || error == EPERM ? RESOLVE_UNKNOWN : RESOLVE_FAILS;
	ret->error = otherwise ? otherwise : error;
}

/* False when it has no name: the long way knows the folder that it lies in. */
static bool name_found(struct resolve_caller *caller, struct resolved *ret)
{
	walk_name(caller, ret);
	if (ret->state == RESOLVE_UNKNOWN)
		resolve_close(ret);
	return ret->state != RESOLVE_UNKNOWN;
}

/*
 * Symlinks, followed by the kernel. Not what ends in procfs: there "self" would be the supervisor. And not a link out of
 * the folder that a relative path starts from, where the caller's root is another.
 */
static bool resolve_links(struct resolve_caller *caller, int base, const char *path, bool follow, struct resolved *ret)
{
	bool beneath = path[0] != '/' && !caller->home;
	struct statfs system;

	ret->descriptor = open_path(caller, base, path, follow, RESOLVE_NO_MAGICLINKS | (beneath ? RESOLVE_BENEATH : 0));
	if (ret->descriptor < 0)
		return false;
	if (fstatfs(ret->descriptor, &system) < 0 || system.f_type == PROC_SUPER_MAGIC) {
		resolve_close(ret);
		return false;
	}
	return name_found(caller, ret);
}

/* Tries the short ways; false when there is none. */
static bool resolve_plainly(struct resolve_caller *caller, int base, const char *path, bool follow, bool existing,
			    struct resolved *ret)
{
	bool absolute = path[0] == '/';

	if (!absolute && !caller->home && walk_climbs(path))
		return false;
	ret->descriptor = open_path(caller, base, path, follow, RESOLVE_NO_SYMLINKS);
	if (ret->descriptor >= 0) {
		if (absolute && caller->home)
			walk_fold(caller, path, ret);
		else
			return name_found(caller, ret);
		return true;
	}
	if (errno == ELOOP)
		return resolve_links(caller, base, path, follow, ret);
	if (errno != ENOENT || !existing)
		return false;
	ret->state = RESOLVE_MISSING;
	ret->error = ENOENT;
	return true;
}

void resolve_caller_path(struct resolve_caller *caller, int dirfd, const char *path, bool follow,
			 bool existing, struct resolved *ret)
{
	int base = open_base(caller, dirfd, path[0] == '/');

	memset(ret, 0, offsetof(struct resolved, path));
	ret->path[0] = '\0';
	ret->descriptor = -1;
	if (base == -1) {
		fail(ret, errno, dirfd != RESOLVE_HERE && errno == ENOENT ? EBADF : 0);
		return;
	}
	if (!path[0]) {
		ret->descriptor = base;
		walk_name(caller, ret);
		return;
	}
	if (!resolve_plainly(caller, base, path, follow, existing, ret))
		walk_path(caller, base, path, follow, ret);
	if (base != AT_FDCWD)
		close(base);
}

struct stat resolve_status(const struct resolved *found)
{
	struct stat status;

	if (found->descriptor < 0 || fstat(found->descriptor, &status) < 0)
		memset(&status, 0, sizeof(status));
	return status;
}

void resolve_close(struct resolved *resolved)
{
	if (resolved->descriptor >= 0)
		close(resolved->descriptor);
	resolved->descriptor = -1;
}
