/* SPDX-License-Identifier: MIT */
/*
 * Follows a path as the kernel would, one readlink a component. The slow way: taken when a symlink stands in the path
 * or when the policy is about to say no.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "describe/path.h"
#include "real/syscall.h"

#include "forbid.h"

#define MAX_LINKS 40 /* the kernel's own limit */

struct walk {
	struct path_room room, rest;
	size_t length; /* of the path so far in room; "/" is 0 */
	size_t at;     /* where in rest the unwalked part starts; it ends at the end of rest, with a NUL */
	unsigned want;
	unsigned links;
	bool entered; /* the last component was looked at and is no link: a directory or not, nobody has asked */
};

static bool put_rest(struct walk *walk, const char *text, size_t length)
{
	if (length > walk->at)
		return false;
	walk->at -= length;
	memmove(walk->rest.text + walk->at, text, length);
	return true;
}

static long read_link(const struct walk *walk)
{
	long got = raw(SYS_readlinkat, AT_FDCWD, walk->length ? walk->room.text : "/", walk->rest.text, walk->at);

	return got == (long)walk->at ? -ENAMETOOLONG : got;
}

static bool append(struct walk *walk, const char *name, size_t size)
{
	if (walk->length + size + 2 > walk->room.size)
		return false;
	walk->room.text[walk->length++] = '/';
	memcpy(walk->room.text + walk->length, name, size);
	walk->length += size;
	walk->room.text[walk->length] = '\0';
	return true;
}

static void step_up(struct walk *walk)
{
	while (walk->length && walk->room.text[--walk->length] != '/')
		;
	walk->room.text[walk->length] = '\0';
}

/* The kernel steps up from directories only. Result: 0, or its error about the component that ".." stands behind. */
static long check_directory(struct walk *walk)
{
	char *end = walk->room.text + walk->length;
	char target[8];
	long got;

	if (walk->length + sizeof("/.") > walk->room.size)
		return -ENAMETOOLONG;
	memcpy(end, "/.", sizeof("/."));
	got = raw(SYS_readlinkat, AT_FDCWD, walk->room.text, target, sizeof(target));
	*end = '\0';
	return got < 0 && got != -EINVAL ? got : 0;
}

static const char *after_number(const char *text, long *ret)
{
	const char *at = text;

	for (*ret = 0; *at >= '0' && *at <= '9' && *ret < 100000000; at++)
		*ret = *ret * 10 + (*at - '0');
	return at == text ? NULL : at;
}

/* Splits "/proc/PID[/task/TID]/REST"; PID is 0 for "self" and "thread-self". NULL: the path is nothing of a process. */
static const char *process_entry(const char *path, long *ret_pid)
{
	const char *at;
	long tid;

	if (strncmp(path, "/proc/", 6) != 0)
		return NULL;
	*ret_pid = 0;
	if (strncmp(path + 6, "self/", 5) == 0)
		return path + 11;
	if (strncmp(path + 6, "thread-self/", 12) == 0)
		return path + 18;
	at = after_number(path + 6, ret_pid);
	if (!at || *at != '/')
		return NULL;
	if (strncmp(at, "/task/", 6) == 0) {
		at = after_number(at + 6, &tid);
		if (!at || *at != '/')
			return NULL;
	}
	return at + 1;
}

/* Is this the link of one of our own descriptors, open for what is asked? Then nothing new is opened. */
static bool is_open_already(const struct walk *walk)
{
	long pid, fd, flags;
	const char *entry = process_entry(walk->room.text, &pid);

	if (!entry || strncmp(entry, "fd/", 3) != 0 || pid != 0)
		return false;
	entry = after_number(entry + 3, &fd);
	if (!entry || *entry)
		return false;
	flags = raw(SYS_fcntl, fd, F_GETFL);
	if (flags < 0 || (flags & O_PATH))
		return false;
	if ((walk->want & PATH_WANT_WRITE) && (flags & O_ACCMODE) == O_RDONLY)
		return false;
	return !((walk->want & PATH_WANT_READ) && (flags & O_ACCMODE) == O_WRONLY);
}

/*
 * Is this the folder of our own process in /proc? It is called "/proc/self" towards the policy, whether the caller said
 * so or used the number.
 */
static bool is_own_process(struct walk *walk, struct path_lead *lead)
{
	char *name = walk->room.text + 6;
	const char *end;
	long pid;

	if (walk->length < 7 || !path_in_proc(walk->room))
		return false;
	if (strcmp(name, "self") != 0 && strcmp(name, "thread-self") != 0) {
		end = after_number(name, &pid);
		if (!end || *end || pid != raw(SYS_getpid) || walk->room.size < sizeof("/proc/self"))
			return false;
		memcpy(name, "self", sizeof("self"));
		walk->length = sizeof("/proc/self") - 1;
	}
	lead->own_process = true;
	return true;
}

/* Takes the link whose text (size bytes) read_link left in rest. */
static long take_link(struct walk *walk, size_t size, bool last, bool slash, struct path_lead *lead)
{
	const char *text = walk->rest.text;
	long pid;

	if (last && !slash && is_open_already(walk)) {
		lead->open_already = lead->magic = true;
		return 0;
	}
	if (text[0] != '/' && process_entry(walk->room.text, &pid)) {
		lead->magic = true; /* "pipe:[1]", "net:[2]": no path behind it */
		return 0;
	}
	if (process_entry(walk->room.text, &pid))
		lead->magic = last;
	lead->behind_link = lead->behind_link || last;
	if (++walk->links > MAX_LINKS)
		return -ELOOP;
	bool more = walk->rest.text[walk->at] != '\0' || (last && slash); /* "link/": the slash holds for where it leads */
	if ((more && !put_rest(walk, "/", 1)) || !put_rest(walk, text, size))
		return -ENAMETOOLONG;
	if (walk->rest.text[walk->at] == '/')
		walk->length = 0;
	else
		step_up(walk);
	return 0;
}

/* Cuts the next component off the rest. Its text stays where it was. Length 0: there is none. */
static size_t next_name(struct walk *walk, const char **ret_name, bool *ret_last, bool *ret_slash)
{
	const char *text = walk->rest.text, *name, *at;

	for (at = text + walk->at; *at == '/'; at++)
		;
	for (name = at; *at && *at != '/'; at++)
		;
	*ret_name = name;
	size_t size = (size_t)(at - name);
	*ret_slash = *at == '/';
	while (*at == '/')
		at++;
	*ret_last = *at == '\0';
	walk->at = (size_t)(at - text);
	return size;
}

/* Looks at the component just appended. Result: 0, or the kernel's error about it. */
static long look(struct walk *walk, bool last, bool slash, struct path_lead *lead)
{
	long got = read_link(walk);

	if ((got == -EINVAL || got > 0) && is_own_process(walk, lead))
		return 0;
	if (got == -EINVAL)
		return 0; /* there, and no link */
	if (got < 0)
		return got;
	if (last && !(walk->want & PATH_FOLLOW_LAST) && (!slash || (walk->want & PATH_ENTRY))) {
		lead->link = true;
		return 0;
	}
	return take_link(walk, (size_t)got, last, slash, lead);
}

/* One component. Errors of the path itself go into lead, a room that is too small is the result. */
static long step(struct walk *walk, struct path_lead *lead)
{
	const char *name;
	bool last, slash;
	size_t size = next_name(walk, &name, &last, &slash);
	bool dot = size == 1 && name[0] == '.', dots = size == 2 && name[0] == '.' && name[1] == '.';

	if (size == 0)
		return 0;
	lead->slash = lead->slash || (last && (slash || dot || dots));
	if (dot)
		return 0;
	if (dots) {
		if (walk->entered && !lead->error)
			lead->error = (int)check_directory(walk);
		walk->entered = false;
		step_up(walk);
		return 0;
	}
	if (!append(walk, name, size))
		return -ENAMETOOLONG;
	if (lead->error)
		return 0; /* nothing more to see: the rest is text */
	unsigned links = walk->links;
	long error = look(walk, last, slash, lead);

	walk->entered = !error && walk->links == links;
	if (error == -ENAMETOOLONG)
		return error;
	if (error) {
		lead->error = (int)error;
		lead->last_missing = error == -ENOENT && last;
	}
	return 0;
}

long path_follow(struct path_room room, struct path_room rest, int dirfd, const char *path, unsigned want,
		 struct path_lead *ret)
{
	struct walk walk = {.room = room, .rest = rest, .at = rest.size, .want = want};
	struct path_lead lead = {0};
	long error = 0;

	if (!put_rest(&walk, path, strlen(path) + 1))
		return -ENAMETOOLONG;
	if (path[0] != '/') {
		error = path_fold(room, dirfd, "", 0);
		if (error < 0)
			return error;
		walk.length = error == 1 ? 0 : (size_t)error;
	}
	error = 0;
	while (!error && rest.text[walk.at] && !(lead.magic && lead.open_already))
		error = step(&walk, &lead);
	if (error)
		return error;
	if (walk.length == 0) {
		if (room.size < 2)
			return -ENAMETOOLONG;
		room.text[walk.length++] = '/';
		room.text[walk.length] = '\0';
	}
	if (lead.magic)
		lead.error = 0; /* the kernel holds the file, whatever stands at its former path ("... (deleted)") */
	lead.length = walk.length;
	*ret = lead;
	return 0;
}
