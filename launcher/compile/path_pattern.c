/* SPDX-License-Identifier: MIT */
/* Path patterns as components, and where their literal start leads in the file system. */
#include "compile/path_pattern.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void path_pattern_start(struct path_pattern *pattern)
{
	pattern->components = pattern->few;
	pattern->count = 0;
	pattern->room = sizeof(pattern->few) / sizeof(pattern->few[0]);
	pattern->owned = NULL;
}

void path_pattern_free(struct path_pattern *pattern)
{
	if (pattern->components != pattern->few)
		free(pattern->components);
	free(pattern->owned);
	path_pattern_start(pattern);
}

static void grow(struct path_pattern *pattern)
{
	struct path_pattern_component *old = pattern->components == pattern->few ? NULL : pattern->components;

	pattern->room *= 2;
	pattern->components = reallocarray(old, pattern->room, sizeof(*pattern->components));
	if (!pattern->components)
		abort();
	if (!old)
		memcpy(pattern->components, pattern->few, sizeof(pattern->few));
}

static void append(struct path_pattern *pattern, enum path_pattern_kind kind, const char *text, size_t length)
{
	if (pattern->count == pattern->room)
		grow(pattern);
	pattern->components[pattern->count++] = (struct path_pattern_component){kind, text, length};
}

static bool go_up(struct path_pattern *pattern)
{
	if (!pattern->count)
		return true;
	if (pattern->components[pattern->count - 1].kind != PATH_PATTERN_LITERAL)
		return false;
	pattern->count--;
	return true;
}

static enum path_pattern_kind kind_of(const char *text, size_t length)
{
	if (length == 2 && text[0] == '*' && text[1] == '*')
		return PATH_PATTERN_DEEP;
	for (size_t i = 0; i < length; i++)
		if (text[i] == '*' || text[i] == '?' || text[i] == '[' || text[i] == '\\')
			return PATH_PATTERN_GLOB;
	return PATH_PATTERN_LITERAL;
}

bool path_pattern_add_path(struct path_pattern *pattern, const char *path, bool globs)
{
	while (*path) {
		size_t length = (size_t)(strchrnul(path, '/') - path);

		if (length == 2 && !strncmp(path, "..", 2)) {
			if (!go_up(pattern))
				return false;
		} else if (length > 1 || (length == 1 && *path != '.')) {
			append(pattern, globs ? kind_of(path, length) : PATH_PATTERN_LITERAL, path, length);
		}
		path += length + (path[length] == '/');
	}
	while (pattern->count && pattern->components[pattern->count - 1].kind == PATH_PATTERN_DEEP)
		pattern->count--;
	return true;
}

bool path_pattern_is_literal(const struct path_pattern *pattern)
{
	for (size_t i = 0; i < pattern->count; i++)
		if (pattern->components[i].kind != PATH_PATTERN_LITERAL)
			return false;
	return true;
}

/* The first `count` components as a path. False when it is longer than a path may be. */
static bool join(const struct path_pattern *pattern, size_t count, char path[PATH_MAX])
{
	char *end = path, *last = path + PATH_MAX - 1;

	for (size_t i = 0; i < count; i++) {
		const struct path_pattern_component *component = &pattern->components[i];

		if (component->length + 1 > (size_t)(last - end))
			return false;
		*end++ = '/';
		end = mempcpy(end, component->text, component->length);
	}
	if (end == path)
		*end++ = '/';
	*end = '\0';
	return true;
}

bool path_pattern_resolve(const struct path_pattern *pattern, struct resolver *resolver,
			  struct path_pattern *ret_pattern)
{
	char path[PATH_MAX], *real;
	size_t literal = 0;

	while (literal < pattern->count && pattern->components[literal].kind == PATH_PATTERN_LITERAL)
		literal++;
	real = join(pattern, literal, path) ? resolver_follow(resolver, path) : NULL;
	/* What /proc/self leads to is the launcher's, not the reader's. */
	if (!real || !strncmp(real, "/proc/", 6)) {
		free(real);
		return false;
	}
	path_pattern_start(ret_pattern);
	ret_pattern->owned = real;
	path_pattern_add_path(ret_pattern, real, false);
	for (size_t i = literal; i < pattern->count; i++)
		append(ret_pattern, pattern->components[i].kind, pattern->components[i].text,
		       pattern->components[i].length);
	return true;
}
