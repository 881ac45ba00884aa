/* SPDX-License-Identifier: MIT */
/*
 * The short way: one openat2 that meets no symlink, and the kernel's own name for what it found. It serves nearly every
 * call. Whatever it refuses goes the long way (walk.c).
 */
#include "backstop/resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
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

void resolve_roots_close(struct resolve_roots *roots)
{
	for (size_t i = 0; i < RESOLVE_ROOTS; i++) {
		if (roots->slots[i].tid)
			close(roots->slots[i].descriptor);
		roots->slots[i].tid = 0;
	}
}

static bool open_root(pid_t tid, struct resolve_root *ret_root)
{
	char link[64], name[2];

	snprintf(link, sizeof(link), "/proc/%d/root", (int)tid);
	ret_root->descriptor = open(link, O_PATH | O_CLOEXEC);
	if (ret_root->descriptor < 0)
		return false;
	ret_root->plain = readlink(link, name, sizeof(name)) == 1;
	ret_root->tid = tid;
	return true;
}

/* The caller's root, from the roots kept or into them; false with errno. */
static bool keep_root(const struct resolve_caller *caller, struct resolve_root *ret_root)
{
	struct resolve_root *slot = &caller->roots->slots[(unsigned)caller->tid % RESOLVE_ROOTS];

	if (slot->tid != caller->tid) {
		if (slot->tid)
			close(slot->descriptor);
		slot->tid = 0;
		if (!open_root(caller->tid, slot))
			return false;
	}
	*ret_root = *slot;
	return true;
}

/* Where the walk starts: the caller's root, working folder or descriptor. False with errno. */
static bool open_base(const struct resolve_caller *caller, int dirfd, bool absolute, struct resolve_root *ret_base)
{
	char link[64];

	if (absolute)
		return caller->roots ? keep_root(caller, ret_base) : open_root(caller->tid, ret_base);
	if (dirfd == RESOLVE_HERE)
		snprintf(link, sizeof(link), "/proc/%d/cwd", (int)caller->tid);
	else
		snprintf(link, sizeof(link), "/proc/%d/fd/%d", (int)caller->tid, dirfd);
	*ret_base = (struct resolve_root){.descriptor = open(link, O_PATH | O_CLOEXEC)};
	return ret_base->descriptor >= 0;
}

static void close_base(const struct resolve_caller *caller, const struct resolve_root *base)
{
	if (!base->tid || !caller->roots)
		close(base->descriptor);
}

static int open_plainly(int base, const char *path, bool follow, bool absolute)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW),
		.resolve = RESOLVE_NO_SYMLINKS | (absolute ? RESOLVE_IN_ROOT : 0),
	};

	return (int)syscall(SYS_openat2, base, path, &how, sizeof(how));
}

static void fail(struct resolved *ret, int error, int otherwise)
{
	/* what the caller lacks fails for it too; what only we may not see is not known */
	ret->state = error == EACCES || error == EPERM ? RESOLVE_UNKNOWN : RESOLVE_FAILS;
	ret->error = otherwise ? otherwise : error;
}

/* Tries the short way; false when it is not one. */
static bool resolve_plainly(struct resolve_caller *caller, const struct resolve_root *base, const char *path,
			    bool follow, bool existing, struct resolved *ret)
{
	bool absolute = path[0] == '/';

	if (!absolute && walk_climbs(path))
		return false;
	ret->descriptor = open_plainly(base->descriptor, path, follow, absolute);
	if (ret->descriptor >= 0) {
		if (absolute && base->plain)
			walk_fold(caller, path, ret);
		else
			walk_name(caller, ret);
		return true;
	}
	if (errno != ENOENT || !existing)
		return false;
	ret->state = RESOLVE_MISSING;
	ret->error = ENOENT;
	return true;
}

void resolve_caller_path(struct resolve_caller *caller, int dirfd, const char *path, bool follow,
			 bool existing, struct resolved *ret)
{
	struct resolve_root base;

	memset(ret, 0, offsetof(struct resolved, path));
	ret->path[0] = '\0';
	ret->descriptor = -1;
	if (!open_base(caller, dirfd, path[0] == '/', &base)) {
		fail(ret, errno, dirfd != RESOLVE_HERE && errno == ENOENT ? EBADF : 0);
		return;
	}
	if (!path[0]) {
		ret->descriptor = base.descriptor;
		walk_name(caller, ret);
		return;
	}
	if (!resolve_plainly(caller, &base, path, follow, existing, ret))
		walk_path(caller, base.descriptor, path, follow, ret);
	close_base(caller, &base);
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
