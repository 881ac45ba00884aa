/* SPDX-License-Identifier: MIT */
/* Follows the symlinks of paths, component by component, and remembers each. */
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
		free(resolver->slots[i].path);
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

static struct resolver_slot *slot_of(struct resolver *resolver, const char *path, size_t length)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)path[i]) * 16777619u;
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

/* The same, remembered. The slot is borrowed: true until the next call. */
static const struct resolver_slot *known(struct walk *walk, const char *path, size_t length)
{
	struct resolver_slot *slot = slot_of(walk->resolver, path, length);
	char *leads;

	if (slot->path && slot->length == length && !memcmp(slot->path, path, length))
		return slot;
	leads = follow(walk, path, length);
	free(slot->path);
	free(slot->leads);
	slot->path = copied(path, length);
	slot->length = length;
	slot->leads = leads;
	slot->missing = walk->missing;
	walk->missing = false;
	return slot;
}

/* Where a link in the folder leads: component by component, as a ".." goes up from where the ones before it led. */
static char *follow_target(struct walk *walk, const char *folder, const char *target)
{
	char *at = copied(*target == '/' ? "/" : folder, *target == '/' ? 1 : strlen(folder));

	while (*target && !walk->missing) {
		size_t length = strcspn(target, "/");
		const struct resolver_slot *slot = NULL;
		char *step;

		if (length == 2 && !strncmp(target, "..", 2)) {
			char *slash = strrchr(at, '/');

			slash[slash == at] = '\0';
		} else if (length > 1 || (length == 1 && *target != '.')) {
			step = joined(at, target, length);
			slot = known(walk, step, strlen(step));
			free(step);
		}
		if (slot) {
			const char *leads = slot->leads ? slot->leads : slot->path;

			walk->missing = slot->missing;
			free(at);
			at = copied(leads, strlen(leads));
		}
		target += length + (target[length] == '/');
	}
	return at;
}

/* Where the link at `place`, which leads to target, ends; NULL: nowhere, or in a circle. */
static char *follow_link(struct walk *walk, const char *place, const char *target)
{
	size_t folder = (size_t)(strrchr(place, '/') - place);
	char *at = copied(folder ? place : "/", folder ? folder : 1), *real;

	real = follow_target(walk, at, target);
	free(at);
	if (!walk->missing)
		return real;
	free(real);
	return NULL;
}

/* What a link says; NULL with errno: it is none. Apart, so that a path's depth costs no such buffer for each folder. */
__attribute__((noinline)) static char *read_link(const char *place)
{
	char target[PATH_MAX];
	ssize_t got = readlink(place, target, sizeof(target) - 1);

	return got < 0 ? NULL : copied(target, (size_t)got);
}

static char *follow(struct walk *walk, const char *path, size_t length)
{
	const struct resolver_slot *slot = NULL;
	char *target, *place, *real = NULL;
	size_t folder = length;
	bool moved;

	while (folder && path[folder - 1] != '/')
		folder--;
	if (folder == length)
		return NULL; /* the root */
	if (folder > 1)
		slot = known(walk, path, folder - 1);
	moved = slot && slot->leads;
	walk->missing = slot && slot->missing;
	if (walk->missing && !moved)
		return NULL;
	place = moved ? joined(slot->leads, path + folder, length - folder) : copied(path, length);
	if (walk->missing)
		return place;
	target = read_link(place);
	if (target && ++walk->links <= LINKS_MAX)
		real = follow_link(walk, place, target);
	else
		walk->missing = target || errno != EINVAL;
	free(target);
	if (real) {
		free(place);
		return real;
	}
	/* What leads nowhere stays as it is written. */
	if (moved)
		return place;
	free(place);
	return NULL;
}

char *resolver_follow(struct resolver *resolver, const char *path)
{
	struct walk walk = {resolver, 0, false};
	const struct resolver_slot *slot = known(&walk, path, strlen(path));

	return slot->leads ? copied(slot->leads, strlen(slot->leads)) : NULL;
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
