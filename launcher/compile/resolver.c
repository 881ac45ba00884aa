/* SPDX-License-Identifier: MIT */
/* Follows the symlinks of paths, folder by folder, and remembers the folders. */
#include "compile/resolver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

static struct resolver_slot *slot_of(struct resolver *resolver, const char *folder, size_t length)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)folder[i]) * 16777619u;
	return &resolver->slots[hash % RESOLVER_SLOTS];
}

/* Of the path's first `length` bytes; *ret_missing: it does not exist. */
static char *follow(struct resolver *resolver, const char *path, size_t length, bool *ret_missing);

/* Where a folder leads, remembered. The slot is borrowed: true until the next call. */
static const struct resolver_slot *folder_leads(struct resolver *resolver, const char *folder, size_t length)
{
	struct resolver_slot *slot = slot_of(resolver, folder, length);
	bool missing;
	char *leads;

	if (slot->folder && !strncmp(slot->folder, folder, length) && !slot->folder[length])
		return slot;
	leads = follow(resolver, folder, length, &missing);
	free(slot->folder);
	free(slot->leads);
	slot->folder = copied(folder, length);
	slot->leads = leads;
	slot->missing = missing;
	return slot;
}

static char *follow(struct resolver *resolver, const char *path, size_t length, bool *ret_missing)
{
	const struct resolver_slot *slot = NULL;
	size_t folder = length;
	struct stat status;
	const char *leads;
	char *joined, *real;

	*ret_missing = false;
	while (folder && path[folder - 1] != '/')
		folder--;
	if (folder == length)
		return copied("/", 1);
	if (folder > 1)
		slot = folder_leads(resolver, path, folder - 1);
	leads = slot && strcmp(slot->leads, "/") ? slot->leads : "";
	if (asprintf(&joined, "%s/%.*s", leads, (int)(length - folder), path + folder) < 0)
		abort();
	*ret_missing = (slot && slot->missing) || lstat(joined, &status);
	if (*ret_missing || !S_ISLNK(status.st_mode))
		return joined;
	real = realpath(joined, NULL);
	if (!real)
		return joined;
	free(joined);
	return real;
}

char *resolver_follow(struct resolver *resolver, const char *path)
{
	bool missing;

	return follow(resolver, path, strlen(path), &missing);
}
