/* SPDX-License-Identifier: MIT */
/* One compiled policy for many sessions: only the name of the session's folder differs. */
#include "compile/restamp.h"

#include <stdlib.h>
#include <string.h>

#include "compile/trie.h"

/* Its last component; NULL where the paths differ in more than that. */
static const char *name_of(const char *from, const char *to)
{
	const char *slash = strrchr(from, '/');
	size_t folder = slash ? (size_t)(slash - from) + 1 : 0;

	return folder && strlen(from) == strlen(to) && !strncmp(from, to, folder) ? from + folder : NULL;
}

/* In whatever string it stands: it is so long and so random that it stands for nothing else. */
static void rename_strings(struct image *image, const char *from, const char *to)
{
	char *strings = (char *)image + image->strings.offset, *end = strings + image->strings.count;
	size_t length = strlen(from);

	for (char *at = strings; (at = memmem(at, (size_t)(end - at), from, length)) != NULL; at += length)
		memcpy(at, to, length);
}

/* A new name has another place in the table of edges. */
static bool rebuild_edges(struct image *image)
{
	struct image_path_edge *table = (void *)((char *)image + image->path_edges.offset);
	size_t size = image->path_edges.count * sizeof(*table);
	struct image_path_edge *old = malloc(size);

	if (!old)
		return false;
	memcpy(old, table, size);
	memset(table, 0, size);
	for (uint32_t i = 0; i < image->path_edges.count; i++)
		if (old[i].child)
			trie_put_edge(table, image->path_edges.count, image_string(image, old[i].component), &old[i]);
	free(old);
	return true;
}

bool compile_restamp(struct image *image, const char *from, const char *to)
{
	const char *name = name_of(from, to);

	if (!name)
		return false;
	rename_strings(image, name, to + (name - from));
	return rebuild_edges(image);
}
