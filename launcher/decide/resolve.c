/* SPDX-License-Identifier: MIT */
/* Follows a path component by component, also where the end of it does not exist yet. */
#include "decide/resolve.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40 /* as the kernel's */

struct walk {
	char *result; /* absolute, without a trailing slash: "" is "/" */
	size_t length;
	char rest[2 * PATH_MAX]; /* what is still to be walked */
	char target[PATH_MAX];   /* of a link that is met */
	int links;
	bool missing;
};

static void step_up(struct walk *walk)
{
	while (walk->length && walk->result[--walk->length] != '/')
		;
	walk->result[walk->length] = '\0';
}

static bool append(struct walk *walk, const char *name, size_t length)
{
	if (walk->length + length + 2 > PATH_MAX)
		return false;
	walk->result[walk->length] = '/';
	memcpy(walk->result + walk->length + 1, name, length);
	walk->length += length + 1;
	walk->result[walk->length] = '\0';
	return true;
}

/* Puts the target of a link in front of what is still to be walked. */
static bool splice(struct walk *walk, const char *target, size_t length)
{
	size_t left = strlen(walk->rest);

	if (length + left + 2 > sizeof(walk->rest) || ++walk->links > LINKS_MAX)
		return false;
	memmove(walk->rest + length + 1, walk->rest, left + 1);
	memcpy(walk->rest, target, length);
	walk->rest[length] = '/';
	if (target[0] == '/')
		walk->length = 0, walk->result[0] = '\0';
	else
		step_up(walk);
	return true;
}

/*
 * /proc/self/fd/3 names an open file, whatever its link says ("pipe:[17]", "/x (deleted)"). By now "self" has been
 * followed, so the number is ours; the command inherits what we have open.
 */
static bool is_descriptor(const char *path)
{
	int process, used = 0;

	if (sscanf(path, "/proc/%d/fd/%n", &process, &used) != 1 || !used || process != getpid())
		return false;
	return path[used] && strspn(path + used, "0123456789") == strlen(path + used);
}

static enum resolved follow(struct walk *walk)
{
	ssize_t length;

	if (walk->missing)
		return RESOLVED_MISSING;
	if (!walk->rest[strspn(walk->rest, "/")] && is_descriptor(walk->result))
		return RESOLVED_OPEN;
	length = readlink(walk->result, walk->target, sizeof(walk->target));
	if (length > 0 && length < (ssize_t)sizeof(walk->target))
		return splice(walk, walk->target, length) ? RESOLVED_EXISTS : RESOLVED_NOT;
	if (length < 0 && errno == EINVAL)
		return RESOLVED_EXISTS;
	if (length < 0 && (errno == ENOENT || errno == ENOTDIR)) {
		walk->missing = true;
		return RESOLVED_MISSING;
	}
	/* Unreadable for us is unreadable for the command; its name decides. */
	return length < 0 && errno == EACCES ? RESOLVED_EXISTS : RESOLVED_NOT;
}

static enum resolved walk_on(struct walk *walk)
{
	enum resolved found = RESOLVED_EXISTS;

	while (found != RESOLVED_NOT && found != RESOLVED_OPEN) {
		char name[NAME_MAX + 1], *from = walk->rest + strspn(walk->rest, "/");
		size_t length = strcspn(from, "/");

		if (!length)
			return walk->missing ? RESOLVED_MISSING : RESOLVED_EXISTS;
		if (length > NAME_MAX)
			return RESOLVED_NOT;
		memcpy(name, from, length);
		memmove(walk->rest, from + length, strlen(from + length) + 1);
		if (length == 1 && name[0] == '.')
			continue;
		if (length == 2 && !memcmp(name, "..", 2))
			step_up(walk);
		else
			found = append(walk, name, length) ? follow(walk) : RESOLVED_NOT;
	}
	return found;
}

static enum resolved walk_from(struct walk *walk, const char *base, const char *path)
{
	int length;

	if (path[0] == '/')
		base = "";
	else if (!base)
		base = getcwd(walk->target, sizeof(walk->target));
	if (!base)
		return RESOLVED_NOT;
	length = snprintf(walk->rest, sizeof(walk->rest), "%s/%s", base, path);
	return length < (int)sizeof(walk->rest) ? walk_on(walk) : RESOLVED_NOT;
}

/* The buffers are not for the stack: the launcher runs on small ones too. */
enum resolved resolve_path(const char *path, const char *base, char result[PATH_MAX])
{
	struct walk *walk = calloc(1, sizeof(*walk));
	enum resolved found = RESOLVED_NOT;

	result[0] = '\0';
	if (walk) {
		walk->result = result;
		found = walk_from(walk, base, path);
		if (!result[0])
			strcpy(result, "/");
	}
	free(walk);
	return found;
}
