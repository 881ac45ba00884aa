/* SPDX-License-Identifier: MIT */
/* The files that a session touched, as a tree of names with counts. */
#include "report/paths.h"

#include <stdlib.h>
#include <string.h>

bool paths_open(struct paths *paths, struct intern *names)
{
	*paths = (struct paths){.names = names, .room = 256};
	index_open(&paths->index, PATHS_MAX);
	paths->nodes = malloc(paths->room * sizeof(*paths->nodes));
	if (paths->nodes == NULL)
		return false;
	paths->nodes[paths->count++] =
		(struct path_node){.name = "", .first = INDEX_NONE, .next = INDEX_NONE};
	return true;
}

void paths_close(struct paths *paths)
{
	index_close(&paths->index);
	free(paths->nodes);
	*paths = (struct paths){0};
}

static bool make_room(struct paths *paths)
{
	struct path_node *nodes;

	if (paths->count < paths->room)
		return true;
	nodes = realloc(paths->nodes, 2 * paths->room * sizeof(*nodes));
	if (nodes == NULL)
		return false;
	paths->nodes = nodes;
	paths->room *= 2;
	return true;
}

static struct index_key child_key(uint32_t parent, const char *name)
{
	return (struct index_key){{parent, INDEX_WORD(name)}};
}

/* The child of this name, made when it is not there; INDEX_NONE when it cannot be kept. */
static uint32_t child(struct paths *paths, uint32_t parent, const char *name, size_t length)
{
	const char *kept = intern_bytes(paths->names, name, length);
	struct index_key key = child_key(parent, kept);
	uint32_t number = index_find(&paths->index, &key);
	bool fresh;

	if (number != INDEX_NONE)
		return number + 1;
	if (kept == intern_full || paths->nodes[parent].children == PATHS_CHILDREN_MAX ||
	    !make_room(paths) || index_add(&paths->index, &key, &fresh) == INDEX_NONE)
		return INDEX_NONE;
	paths->nodes[paths->count] = (struct path_node){
		.name = kept,
		.parent = parent,
		.first = INDEX_NONE,
		.next = paths->nodes[parent].first,
	};
	paths->nodes[parent].children++;
	paths->nodes[parent].first = paths->count;
	return paths->count++;
}

/* Takes the next component off *path; false at its end. "." and empty ones are passed over. */
static bool component(const char **path, const char **ret_name, size_t *ret_length)
{
	const char *at = *path;

	for (;;) {
		at += strspn(at, "/");
		*ret_name = at;
		*ret_length = strcspn(at, "/");
		at += *ret_length;
		if (*ret_length != 1 || **ret_name != '.')
			break;
	}
	*path = at;
	return *ret_length != 0;
}

static void set_marks(struct path_node *node, uint32_t marks)
{
	node->marks |= marks;
	if (marks & PATH_REMOVED)
		node->marks |= PATH_GONE;
	else if (marks & PATH_DONE)
		node->marks &= ~(uint32_t)PATH_GONE;
}

void paths_add(struct paths *paths, const char *path, uint32_t marks)
{
	uint32_t node = 0, next;
	const char *name;
	size_t length;
	int depth = 0;

	while (component(&path, &name, &length)) {
		if (length == 2 && memcmp(name, "..", 2) == 0) {
			node = paths->nodes[node].parent;
			continue;
		}
		next = ++depth > PATHS_DEPTH_MAX ? INDEX_NONE : child(paths, node, name, length);
		if (next == INDEX_NONE) {
			marks |= PATH_MORE;
			break;
		}
		node = next;
	}
	set_marks(&paths->nodes[node], marks);
	if (marks & (PATH_READ | PATH_RUN))
		paths->nodes[node].reads++;
	if (marks & PATH_CHANGES)
		paths->nodes[node].writes++;
	if (marks & PATH_MISSING)
		paths->nodes[node].misses++;
}

uint32_t paths_asked(uint32_t marks)
{
	return (marks & ~(uint32_t)PATH_DONE) | (marks & PATH_WRITTEN ? PATH_ASKED_TO_WRITE : 0) |
	       (marks & PATH_CREATED ? PATH_ASKED_TO_CREATE : 0) | (marks & PATH_REMOVED ? PATH_ASKED_TO_REMOVE : 0);
}

void paths_take_back(struct paths *paths, const char *path, uint32_t marks)
{
	uint32_t node = paths_find(paths, path);
	struct path_node *at = &paths->nodes[node];

	if (node == INDEX_NONE)
		return;
	if ((marks & PATH_CHANGES) && at->writes > 0 && --at->writes == 0)
		at->marks &= ~(uint32_t)(PATH_CHANGES | PATH_GONE);
	if ((marks & PATH_READ) && at->reads > 0 && --at->reads == 0)
		at->marks &= ~(uint32_t)PATH_READ;
}

void paths_mark(struct paths *paths, const char *path, uint32_t marks)
{
	uint32_t node = paths_find(paths, path);

	if (node != INDEX_NONE)
		set_marks(&paths->nodes[node], marks);
}

void paths_finish(struct paths *paths)
{
	for (uint32_t i = 0; i < paths->count; i++) {
		struct path_node *node = &paths->nodes[i];

		if ((node->marks & PATH_CREATED) && (node->marks & PATH_GONE))
			node->marks |= PATH_TEMPORARY;
		else if (node->marks & PATH_DONE)
			node->marks |= PATH_LASTING;
	}
}

uint32_t paths_find(const struct paths *paths, const char *path)
{
	uint32_t node = 0;
	const char *name;
	size_t length;

	while (component(&path, &name, &length)) {
		const char *kept = intern_bytes(paths->names, name, length);
		struct index_key key = child_key(node, kept);
		uint32_t number = index_find(&paths->index, &key);

		if (number == INDEX_NONE)
			return INDEX_NONE;
		node = number + 1;
	}
	return node;
}

size_t paths_name(const struct paths *paths, uint32_t node, char *buffer, size_t size)
{
	const char *names[PATHS_DEPTH_MAX + 1] = {0};
	size_t depth = 0, length = 0;

	for (; node != 0 && depth <= PATHS_DEPTH_MAX; node = paths->nodes[node].parent)
		names[depth++] = paths->nodes[node].name;
	buffer[length++] = '/';
	while (depth-- > 0) {
		size_t part = strlen(names[depth]);

		if (length + part + 2 > size)
			break;
		memcpy(buffer + length, names[depth], part);
		length += part;
		if (depth > 0)
			buffer[length++] = '/';
	}
	buffer[length] = '\0';
	return length;
}
