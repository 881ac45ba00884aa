/* SPDX-License-Identifier: MIT */
/* Follows the symlinks of paths, folder by folder, and remembers the folders. */
#include "compile/resolver.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINKS_MAX 40 /* as the kernel's */

void resolver_start(struct resolver *resolver)
{
	memset(resolver, 0, sizeof(*resolver));
}

void resolver_free(struct resolver *resolver)
{
	for (size_t i = 0; i < RESOLVER_SLOTS; i++) {
		free(resolver->slots[i].folder);
		free(resolver->slots[i].leads);
	}
}

static char *copied(const char *text, size_t length)
{
	char *copy = strndup(text, length);

	if (!copy)
		abort();
	return copy;
}

/* folder/name; the folder "/" has no second slash. */
static char *joined(const char *folder, const char *name, size_t length)
{
	size_t start = strcmp(folder, "/") ? strlen(folder) : 0;
	char *path = malloc(start + length + 2);

	if (!path)
		abort();
	memcpy(path, folder, start);
	path[start] = '/';
	memcpy(path + start + 1, name, length);
	path[start + 1 + length] = '\0';
	return path;
}

static struct resolver_slot *slot_of(struct resolver *resolver, const char *folder, size_t length)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)folder[i]) * 16777619u;
	return &resolver->slots[hash % RESOLVER_SLOTS];
}

/* One way through links. */
struct walk {
	struct resolver *resolver;
	int links;
	bool missing; /* it leads nowhere */
};

/* The path's first `length` bytes, followed. */
static char *follow(struct walk *walk, const char *path, size_t length);

/* Where a folder leads, remembered. The slot is borrowed: true until the next call. */
static const struct resolver_slot *folder_leads(struct walk *walk, const char *folder, size_t length)
{
	struct resolver_slot *slot = slot_of(walk->resolver, folder, length);
	struct walk own = {walk->resolver, 0, false};
	char *leads;

	if (slot->folder && !strncmp(slot->folder, folder, length) && !slot->folder[length])
		return slot;
	own.links = walk->links;
	leads = follow(&own, folder, length);
	free(slot->folder);
	free(slot->leads);
	slot->folder = copied(folder, length);
	slot->leads = leads;
	slot->missing = own.missing;
	return slot;
}

/* Where a link in the folder leads: component by component, as a ".." goes up from where the ones before it led. */
static char *follow_target(struct walk *walk, const char *folder, const char *target)
{
	char *at = copied(*target == '/' ? "/" : folder, *target == '/' ? 1 : strlen(folder));

	while (*target && !walk->missing) {
		size_t length = strcspn(target, "/");
		char *next = NULL, *step;

		if (length == 2 && !strncmp(target, "..", 2)) {
			char *slash = strrchr(at, '/');

			slash[slash == at] = '\0';
		} else if (length > 1 || (length == 1 && *target != '.')) {
			step = joined(at, target, length);
			next = follow(walk, step, strlen(step));
			free(step);
		}
		if (next) {
			free(at);
			at = next;
		}
		target += length + (target[length] == '/');
	}
	return at;
}

static char *follow(struct walk *walk, const char *path, size_t length)
{
	const struct resolver_slot *slot = NULL;
	char target[PATH_MAX], *place, *real;
	size_t folder = length;
	ssize_t got;

	while (folder && path[folder - 1] != '/')
		folder--;
	if (folder == length)
		return copied("/", 1);
	if (folder > 1)
		slot = folder_leads(walk, path, folder - 1);
	place = joined(slot ? slot->leads : "/", path + folder, length - folder);
	walk->missing = slot && slot->missing;
	if (walk->missing)
		return place;
	got = readlink(place, target, sizeof(target) - 1);
	if (got < 0 || ++walk->links > LINKS_MAX) {
		walk->missing = got >= 0 || errno != EINVAL;
		return place;
	}
	target[got] = '\0';
	*strrchr(place, '/') = '\0';
	real = follow_target(walk, *place ? place : "/", target);
	if (!walk->missing) {
		free(place);
		return real;
	}
	/* What leads nowhere stays as it is written. */
	free(real);
	place[strlen(place)] = '/';
	return place;
}

char *resolver_follow(struct resolver *resolver, const char *path)
{
	struct walk walk = {resolver, 0, false};

	return follow(&walk, path, strlen(path));
}

char *resolver_real(struct resolver *resolver, const char *path)
{
	struct walk walk = {resolver, 0, false};
	char *real = follow_target(&walk, "/", path);

	if (!walk.missing)
		return real;
	free(real);
	return NULL;
}
