/* SPDX-License-Identifier: MIT */
/* Walking a path with the caller's eyes. */
#include "backstop/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "backstop/name.h"

#define LINKS_MAX 40 /* the kernel's own bound */
#define PROC_ROOT_INODE 1

struct walk {
	struct resolve_caller *caller;
	int at;   /* O_PATH: where the walk stands */
	int root; /* O_PATH: the caller's root, where ".." ends; -1 until it is needed */
	int from; /* O_PATH: the folder of the file that the walk stands at; -1 at a folder, or behind magic */
	int links;
	bool follow;
	char file[NAME_MAX + 1]; /* ... and that file's name in there */
	char rest[2 * PATH_MAX]; /* what is still to be walked */
};

bool walk_climbs(const char *path)
{
	for (const char *at = path; (at = strstr(at, "..")); at += 2)
		if ((at == path || at[-1] == '/') && (at[2] == '/' || !at[2]))
			return true;
	return false;
}

static void leave_folder(struct walk *walk)
{
	if (walk->from >= 0)
		close(walk->from);
	walk->from = -1;
}

static void move(struct walk *walk, int to)
{
	leave_folder(walk);
	close(walk->at);
	walk->at = to;
}

static int root_of(struct walk *walk)
{
	char link[64];

	if (walk->root < 0) {
		snprintf(link, sizeof(link), "/proc/%d/root", (int)walk->caller->tid);
		walk->root = open(link, O_PATH | O_CLOEXEC | O_DIRECTORY);
	}
	return walk->root;
}

static bool same_file(int one, int other)
{
	struct stat a, b;

	return !fstat(one, &a) && !fstat(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static bool in_proc(int descriptor, bool *ret_top)
{
	struct statfs system;
	struct stat status;

	if (fstatfs(descriptor, &system) < 0 || system.f_type != PROC_SUPER_MAGIC || fstat(descriptor, &status) < 0)
		return false;
	*ret_top = status.st_ino == PROC_ROOT_INODE;
	return true;
}

/* "/proc/<the caller>/x" is judged as "/proc/self/x", as policies name it. */
static void rename_self(struct resolve_caller *caller, struct resolved *ret)
{
	char own[32];
	size_t size;

	if (strncmp(ret->path, "/proc/", strlen("/proc/")))
		return;
	size = (size_t)snprintf(own, sizeof(own), "/proc/%d", (int)resolve_group(caller));
	if (strncmp(ret->path, own, size) || (ret->path[size] && ret->path[size] != '/'))
		return;
	memmove(ret->path + strlen("/proc/self"), ret->path + size, ret->length - size + 1);
	memcpy(ret->path, "/proc/self", strlen("/proc/self"));
	ret->length = strlen(ret->path);
}

void walk_name(struct resolve_caller *caller, struct resolved *ret)
{
	static const char gone[] = " (deleted)";
	struct stat status;

	ret->length = name_of(ret->descriptor, ret->path, sizeof(ret->path));
	if (!ret->length) {
		ret->state = RESOLVE_UNKNOWN;
		ret->error = EOVERFLOW;
		return;
	}
	if (ret->length >= sizeof(gone) && !strcmp(ret->path + ret->length - strlen(gone), gone) &&
	    !fstat(ret->descriptor, &status) && !status.st_nlink) {
		ret->length -= strlen(gone);
		ret->path[ret->length] = '\0';
	}
	rename_self(caller, ret);
	ret->state = RESOLVE_FOUND;
}

void walk_fold(struct resolve_caller *caller, const char *path, struct resolved *ret)
{
	size_t length = 0;

	while (*path) {
		size_t word;

		path += strspn(path, "/");
		word = strcspn(path, "/");
		if (word == 2 && path[0] == '.' && path[1] == '.') {
			while (length && ret->path[--length] != '/')
				;
		} else if (word && !(word == 1 && path[0] == '.')) {
			ret->path[length++] = '/';
			memcpy(ret->path + length, path, word);
			length += word;
		}
		path += word;
	}
	if (!length)
		ret->path[length++] = '/';
	ret->path[length] = '\0';
	ret->length = length;
	rename_self(caller, ret);
	ret->state = RESOLVE_FOUND;
}

/* Puts a link's text before what is left to walk. */
static bool put_before(struct walk *walk, const char *text, const char *rest)
{
	char joined[sizeof(walk->rest)];
	int length = snprintf(joined, sizeof(joined), "%s%s%s", text, *rest ? "/" : "", rest);

	if (length < 0 || (size_t)length >= sizeof(joined))
		return false;
	memcpy(walk->rest, joined, (size_t)length + 1);
	return true;
}

/* "/proc/self/fd/N" of the caller: what is N open with? */
static void note_own_descriptor(struct walk *walk, const char *name, struct resolved *ret)
{
	char folder[64], info[96], line[64];
	int own;
	FILE *stream;

	snprintf(folder, sizeof(folder), "/proc/%d/fd", (int)resolve_group(walk->caller));
	own = open(folder, O_PATH | O_CLOEXEC);
	if (own < 0)
		return;
	if (same_file(own, walk->at)) {
		snprintf(info, sizeof(info), "/proc/%d/fdinfo/%d", (int)resolve_group(walk->caller), atoi(name));
		stream = fopen(info, "re");
		while (stream && fgets(line, sizeof(line), stream))
			if (sscanf(line, "flags: %o", (unsigned *)&ret->own_flags) == 1)
				ret->own_descriptor = true;
		if (stream)
			fclose(stream);
	}
	close(own);
}

/* A symlink in procfs that is no text but leads straight to an object. */
static bool is_magic(int at, const char *name)
{
	struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_MAGICLINKS};
	int descriptor = (int)syscall(SYS_openat2, at, name, &how, sizeof(how));

	if (descriptor >= 0)
		close(descriptor);
	return descriptor < 0 && errno == ELOOP;
}

/* In procfs: "self" means the caller, a magic link leads where it leads. 1: done, 0: an ordinary link, -1: errno. */
static int follow_proc(struct walk *walk, const char *name, const char *rest, bool top, struct resolved *ret)
{
	char own[64];
	int next;

	if (top && (!strcmp(name, "self") || !strcmp(name, "thread-self"))) {
		if (name[0] == 's')
			snprintf(own, sizeof(own), "/proc/%d", (int)resolve_group(walk->caller));
		else
			snprintf(own, sizeof(own), "/proc/%d/task/%d", (int)resolve_group(walk->caller),
				 (int)walk->caller->tid);
		next = open(own, O_PATH | O_CLOEXEC | O_DIRECTORY);
	} else if (is_magic(walk->at, name)) {
		if (!*rest)
			note_own_descriptor(walk, name, ret);
		next = openat(walk->at, name, O_PATH | O_CLOEXEC);
	} else {
		return 0;
	}
	if (next < 0)
		return -1;
	memmove(walk->rest, rest, strlen(rest) + 1);
	move(walk, next);
	return 1;
}

/* Follows the symlink `name` (open as `link`); 0 or an errno. */
static int follow_link(struct walk *walk, const char *name, int link, const char *rest, struct resolved *ret)
{
	char text[PATH_MAX];
	ssize_t length;
	bool top;

	if (++walk->links > LINKS_MAX)
		return ELOOP;
	if (in_proc(walk->at, &top)) {
		int done = follow_proc(walk, name, rest, top, ret);

		if (done)
			return done < 0 ? errno : 0;
	}
	length = readlinkat(link, "", text, sizeof(text) - 1);
	if (length < 0)
		return errno;
	if (!length)
		return ENOENT;
	text[length] = '\0';
	if (!put_before(walk, text, rest))
		return ENAMETOOLONG;
	if (text[0] == '/') {
		int root = fcntl(root_of(walk), F_DUPFD_CLOEXEC, 0);

		if (root < 0)
			return errno;
		move(walk, root);
	}
	return 0;
}

/* One component; `last` when nothing but slashes follows. 0 or an errno. */
static int step(struct walk *walk, const char *name, const char *rest, bool last, bool slash, struct resolved *ret)
{
	struct stat status;
	int next, error;

	if (!strcmp(name, "..")) {
		if (root_of(walk) < 0)
			return errno;
		if (same_file(walk->at, walk->root))
			next = fcntl(walk->at, F_DUPFD_CLOEXEC, 0);
		else
			next = openat(walk->at, "..", O_PATH | O_CLOEXEC | O_DIRECTORY);
	} else {
		next = openat(walk->at, name, O_PATH | O_CLOEXEC | O_NOFOLLOW);
	}
	if (next < 0)
		return errno;
	if (fstat(next, &status) < 0)
		status.st_mode = S_IFDIR;
	if (S_ISLNK(status.st_mode) && (!last || slash || walk->follow)) {
		error = follow_link(walk, name, next, slash && last ? "./" : rest, ret);
		close(next);
		return error;
	}
	memmove(walk->rest, rest, strlen(rest) + 1);
	if (S_ISDIR(status.st_mode)) {
		move(walk, next);
	} else {
		leave_folder(walk);
		walk->from = walk->at;
		walk->at = next;
		strcpy(walk->file, name);
	}
	return 0;
}

/* Names what lies in a folder, whether it is there or not: the folder's own name and the words behind it. */
static bool name_inside(struct walk *walk, int folder, const char *name, const char *rest, struct resolved *ret)
{
	size_t length = name_of(folder, ret->path, sizeof(ret->path) - 1);

	if (!length || ret->path[0] != '/') {
		ret->error = EOVERFLOW;
		return false;
	}
	if (length == 1)
		length = 0;
	length += (size_t)snprintf(ret->path + length, sizeof(ret->path) - length, "/%s", name);
	for (const char *at = rest; *at && length < sizeof(ret->path) - 1;) {
		size_t word = strcspn(at, "/");

		if (word && !(word == 1 && *at == '.'))
			length += (size_t)snprintf(ret->path + length, sizeof(ret->path) - length, "/%.*s",
						   (int)word, at);
		at += word;
		at += strspn(at, "/");
	}
	if (length >= sizeof(ret->path))
		return false;
	ret->length = length;
	rename_self(walk->caller, ret);
	return true;
}

/* The walk ends before something that is not there. */
static void end_missing(struct walk *walk, int error, const char *name, const char *rest, struct resolved *ret)
{
	ret->state = RESOLVE_UNKNOWN;
	ret->error = error;
	if (walk_climbs(rest) || !strcmp(name, "..")) {
		/* nothing can be reached through a folder that is not there */
		ret->state = error == ENOENT ? RESOLVE_FAILS : RESOLVE_UNKNOWN;
		ret->path[0] = '\0';
		return;
	}
	if (name_inside(walk, walk->at, name, rest, ret))
		ret->state = RESOLVE_MISSING;
}

static void walk_all(struct walk *walk, struct resolved *ret)
{
	for (;;) {
		char name[NAME_MAX + 1];
		const char *start = walk->rest + strspn(walk->rest, "/");
		size_t word = strcspn(start, "/");
		const char *rest = start + word + strspn(start + word, "/");
		bool slash = start[word] == '/';
		int error;

		if (!word)
			break;
		if (word > NAME_MAX) {
			ret->state = RESOLVE_FAILS;
			ret->error = ENAMETOOLONG;
			return;
		}
		memcpy(name, start, word);
		name[word] = '\0';
		if (!strcmp(name, ".")) {
			memmove(walk->rest, rest, strlen(rest) + 1);
			continue;
		}
		error = step(walk, name, rest, !*rest, slash, ret);
		if (error == ENOENT || error == EACCES) {
			end_missing(walk, error, name, rest, ret);
			return;
		}
		if (error) {
			ret->state = error == EPERM ? RESOLVE_UNKNOWN : RESOLVE_FAILS;
			ret->error = error;
			return;
		}
	}
	ret->descriptor = walk->at;
	walk->at = -1;
	walk_name(walk->caller, ret);
	if (ret->state == RESOLVE_UNKNOWN && walk->from >= 0 && name_inside(walk, walk->from, walk->file, "", ret))
		ret->state = RESOLVE_FOUND;
}

void walk_path(struct resolve_caller *caller, int base, const char *path, bool follow, struct resolved *ret)
{
	struct walk walk = {.caller = caller, .root = -1, .from = -1, .follow = follow};

	if (strlen(path) >= sizeof(walk.rest)) {
		ret->state = RESOLVE_FAILS;
		ret->error = ENAMETOOLONG;
		return;
	}
	memcpy(walk.rest, path, strlen(path) + 1);
	walk.at = base == AT_FDCWD ? open("/", O_PATH | O_CLOEXEC) : fcntl(base, F_DUPFD_CLOEXEC, 0);
	if (walk.at < 0) {
		ret->state = RESOLVE_UNKNOWN;
		ret->error = errno;
		return;
	}
	walk_all(&walk, ret);
	if (walk.at >= 0)
		close(walk.at);
	if (walk.root >= 0)
		close(walk.root);
	leave_folder(&walk);
}
