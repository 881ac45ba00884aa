/* SPDX-License-Identifier: MIT */
/* Path patterns as components, and where their literal start leads in the file system. */
#include "compile/path_pattern.h"

#include <stdlib.h>
#include <string.h>

#include "check/glob.h"

void path_pattern_start(struct path_pattern *pattern)
{
	memset(pattern, 0, sizeof(*pattern));
}

void path_pattern_free(struct path_pattern *pattern)
{
	for (size_t i = 0; i < pattern->count; i++)
		free(pattern->components[i].text);
	free(pattern->components);
	memset(pattern, 0, sizeof(*pattern));
}

static void append(struct path_pattern *pattern, enum path_pattern_kind kind, const char *text, size_t length)
{
	if (pattern->count == pattern->room) {
		pattern->room = pattern->room * 2 + 8;
		pattern->components =
			realloc(pattern->components, pattern->room * sizeof(*pattern->components));
		if (!pattern->components)
			abort();
	}
	text = strndup(text, length);
	if (!text)
		abort();
	pattern->components[pattern->count++] = (struct path_pattern_component){kind, (char *)text};
}

static bool go_up(struct path_pattern *pattern)
{
	if (!pattern->count)
		return true;
	if (pattern->components[pattern->count - 1].kind != PATH_PATTERN_LITERAL)
		return false;
	free(pattern->components[--pattern->count].text);
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
		free(pattern->components[--pattern->count].text);
	return true;
}

bool path_pattern_is_literal(const struct path_pattern *pattern)
{
	for (size_t i = 0; i < pattern->count; i++)
		if (pattern->components[i].kind != PATH_PATTERN_LITERAL)
			return false;
	return true;
}

/* The first `count` components as a path, from malloc. */
static char *joined(const struct path_pattern *pattern, size_t count)
{
	size_t length = 2;
	char *path, *end;

	for (size_t i = 0; i < count; i++)
		length += strlen(pattern->components[i].text) + 1;
	path = end = malloc(length);
	if (!path)
		abort();
	*end++ = '/';
	for (size_t i = 0; i < count; i++) {
		end = stpcpy(end, pattern->components[i].text);
		*end++ = '/';
	}
	end[end - 1 > path ? -1 : 0] = '\0';
	return path;
}

bool path_pattern_resolve(const struct path_pattern *pattern, struct resolver *resolver,
			  struct path_pattern *ret_pattern)
{
	size_t literal = 0;
	char *path, *real;
	bool changed;

	while (literal < pattern->count && pattern->components[literal].kind == PATH_PATTERN_LITERAL)
		literal++;
	path = joined(pattern, literal);
	real = resolver_follow(resolver, path);
	/* What /proc/self leads to is the launcher's, not the reader's. */
	changed = strcmp(real, path) && strncmp(real, "/proc/", 6);
	if (changed) {
		path_pattern_start(ret_pattern);
		path_pattern_add_path(ret_pattern, real, false);
		for (size_t i = literal; i < pattern->count; i++)
			append(ret_pattern, pattern->components[i].kind, pattern->components[i].text,
			       strlen(pattern->components[i].text));
	}
	free(real);
	free(path);
	return changed;
}
