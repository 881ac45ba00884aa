/* SPDX-License-Identifier: MIT */
/* The tree of settings and the arena that holds it. Knows no key. */
#include "policy/setting.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_CHUNK 16384

struct arena {
	struct arena *older; /* chunks filled before */
	size_t used, room;
	_Alignas(max_align_t) char bytes[];
};

static struct arena *chunk_new(size_t room, struct arena *older)
{
	struct arena *chunk = calloc(1, sizeof(*chunk) + room);

	if (!chunk)
		abort();
	chunk->room = room;
	chunk->older = older;
	return chunk;
}

struct arena *arena_new(void)
{
	return chunk_new(ARENA_CHUNK, NULL);
}

void arena_free(struct arena *arena)
{
	while (arena) {
		struct arena *older = arena->older;

		free(arena);
		arena = older;
	}
}

/* The arena's name is its first chunk; newer ones hang behind it, the newest first. */
void *arena_take(struct arena *arena, size_t size)
{
	struct arena *chunk = arena->older ? arena->older : arena;
	char *bytes;

	size = (size + 15) & ~(size_t)15;
	if (chunk->room - chunk->used < size)
		chunk = arena->older = chunk_new(size > ARENA_CHUNK ? size : ARENA_CHUNK, arena->older);
	bytes = chunk->bytes + chunk->used;
	chunk->used += size;
	return bytes;
}

char *arena_text(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_take(arena, length + 1);

	memcpy(copy, text, length);
	return copy;
}

char *arena_format(struct arena *arena, const char *format, ...)
{
	va_list arguments, again;
	char *text;
	int length;

	va_start(arguments, format);
	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	text = arena_take(arena, (size_t)length + 1);
	vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}

struct setting *setting_new(struct arena *arena, enum setting_kind kind, const char *name,
			    const char *file, uint32_t line)
{
	struct setting *setting = arena_take(arena, sizeof(*setting));

	setting->kind = kind;
	setting->name = name ? arena_text(arena, name, strlen(name)) : NULL;
	setting->file = file;
	setting->line = line;
	return setting;
}

void setting_append(struct setting *parent, struct setting *child)
{
	child->next = NULL;
	if (parent->last)
		parent->last->next = child;
	else
		parent->first = child;
	parent->last = child;
}

struct setting *setting_copy(struct arena *arena, const struct setting *setting)
{
	struct setting *copy = arena_take(arena, sizeof(*copy));

	*copy = *setting;
	copy->next = NULL;
	return copy;
}

struct setting *setting_member(const struct setting *group, const char *name)
{
	struct setting *member = group && group->kind == SETTING_GROUP ? group->first : NULL;

	while (member && strcmp(member->name, name))
		member = member->next;
	return member;
}

struct setting *setting_find(const struct setting *top, const char *path)
{
	struct setting *found = NULL;
	char name[64];

	while (top && *path) {
		size_t length = strcspn(path, ".");

		if (length >= sizeof(name))
			return NULL;
		memcpy(name, path, length);
		name[length] = '\0';
		top = found = setting_member(top, name);
		path += length + (path[length] == '.');
	}
	return found;
}

size_t setting_count(const struct setting *parent)
{
	size_t count = 0;

	SETTING_EACH(member, parent)
	count++;
	return count;
}

const char *setting_text(const struct setting *group, const char *name, const char *fallback)
{
	const struct setting *member = setting_member(group, name);

	return member ? member->text : fallback;
}

int64_t setting_integer(const struct setting *group, const char *name, int64_t fallback)
{
	const struct setting *member = setting_member(group, name);

	return member ? member->integer : fallback;
}

double setting_real(const struct setting *group, const char *name, double fallback)
{
	const struct setting *member = setting_member(group, name);

	return member ? member->real : fallback;
}

bool setting_boolean(const struct setting *group, const char *name, bool fallback)
{
	return setting_integer(group, name, fallback) != 0;
}
