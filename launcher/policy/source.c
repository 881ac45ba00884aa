/* SPDX-License-Identifier: MIT */
/* From files and embedded texts to one text whose lines know where they come from. Knows no setting. */
#include "policy/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compile/rules.h"

#define INCLUDE_DEPTH 8
#define SOURCE_MAX (16u << 20) /* bytes of all parts */

struct gathering {
	struct arena *arena;
	struct failure *failure;
	bool embedded;
	const char **rules;
	char *text; /* malloc, grows */
	size_t used, room;
	struct source_line *lines; /* malloc, grows */
	size_t count, lines_room;
};

const char *source_profile_text(const char *profile)
{
	size_t length = strlen(profile);

	if (strchr(profile, '/'))
		return NULL;
	for (const struct profile_text *at = profile_texts; at->name; at++)
		if (!strncmp(at->name, profile, length) && !strcmp(at->name + length, ".cfg"))
			return at->text;
	return NULL;
}

char *source_profile_names(struct arena *arena)
{
	char *names = arena_format(arena, "%s", "");

	for (const struct profile_text *at = profile_texts; at->name; at++)
		if (!strchr(at->name, '/'))
			names = arena_format(arena, "%s%s%.*s", names, *names ? ", " : "",
					     (int)(strlen(at->name) - strlen(".cfg")), at->name);
	return names;
}

static bool gather_line(struct gathering *all, const char *line, size_t length, struct source_line at)
{
	if (all->used + length + 1 > SOURCE_MAX)
		return failure_set(all->failure, "%s:%u: the policy with its parts is longer than %u MiB",
				   at.file, at.line, SOURCE_MAX >> 20);
	if (all->used + length + 2 > all->room) {
		all->room = (all->room + length + 2) * 2;
		all->text = realloc(all->text, all->room);
	}
	if (all->count == all->lines_room) {
		all->lines_room = all->lines_room * 2 + 64;
		all->lines = realloc(all->lines, all->lines_room * sizeof(*all->lines));
	}
	if (!all->text || !all->lines)
		abort();
	memcpy(all->text + all->used, line, length);
	all->used += length;
	all->text[all->used++] = '\n';
	all->lines[all->count++] = at;
	return true;
}

/* `@include "NAME"` alone on its line: NAME in the arena; else NULL. */
static char *included_name(struct arena *arena, const char *line, size_t length)
{
	static const char word[] = "@include";
	const char *end = line + length, *name;

	while (line < end && (*line == ' ' || *line == '\t'))
		line++;
	if ((size_t)(end - line) < sizeof(word) || strncmp(line, word, sizeof(word) - 1))
		return NULL;
	name = memchr(line, '"', (size_t)(end - line));
	line = name ? memchr(name + 1, '"', (size_t)(end - name - 1)) : NULL;
	return line ? arena_text(arena, name + 1, (size_t)(line - name - 1)) : NULL;
}

static char *read_whole(struct gathering *all, const char *file, const char *whence)
{
	/* a FIFO would be waited for, and signals wait as well until the command runs */
	int descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "r");
	struct stat status;
	char *text;
	size_t length;

	if (!stream || fstat(fileno(stream), &status) < 0 || !S_ISREG(status.st_mode)) {
		failure_set(all->failure, "%s%s: cannot read the policy: %s", whence, file,
			    stream ? "not a regular file" : strerror(errno));
		if (stream)
			fclose(stream);
		return NULL;
	}
	length = status.st_size < (off_t)SOURCE_MAX ? (size_t)status.st_size : SOURCE_MAX;
	text = arena_take(all->arena, length + 1);
	length = fread(text, 1, length, stream);
	if (ferror(stream))
		failure_set(all->failure, "%s%s: cannot read the policy: %s", whence, file, strerror(errno));
	else if (memchr(text, '\0', length))
		failure_set(all->failure, "%s%s: a NUL byte in the policy: it is not a text file", whence, file);
	else
		length = SIZE_MAX;
	fclose(stream);
	return length == SIZE_MAX ? text : NULL;
}

static bool gather_text(struct gathering *all, const char *file, const char *text, int depth);

static bool gather_include(struct gathering *all, const char *name, struct source_line at, int depth)
{
	const char *slash = strrchr(at.file, '/'), *file = name, *text = NULL;

	if (depth >= INCLUDE_DEPTH)
		return failure_set(all->failure, "%s:%u: @include goes deeper than %d files", at.file,
				   at.line, INCLUDE_DEPTH);
	if (all->rules && !*all->rules && rules_image(name)) {
		*all->rules = name;
		return true;
	}
	if (all->embedded) {
		for (const struct profile_text *part = profile_texts; part->name; part++)
			if (!strcmp(part->name, name))
				text = part->text;
		if (!text)
			return failure_set(all->failure, "%s:%u: no built-in part is called \"%s\"", at.file,
					   at.line, name);
		return gather_text(all, arena_format(all->arena, "profile part %s", name), text, depth + 1);
	}
	if (*name != '/' && slash)
		file = arena_format(all->arena, "%.*s%s", (int)(slash + 1 - at.file), at.file, name);
	text = read_whole(all, file, arena_format(all->arena, "%s:%u: ", at.file, at.line));
	return text && gather_text(all, file, text, depth + 1);
}

static bool gather_text(struct gathering *all, const char *file, const char *text, int depth)
{
	struct source_line at = {file, 0};

	while (*text) {
		size_t length = strcspn(text, "\n");
		char *name = included_name(all->arena, text, length);

		at.line++;
		if (name ? !gather_include(all, name, at, depth) : !gather_line(all, text, length, at))
			return false;
		text += length + (text[length] == '\n');
	}
	return true;
}

static bool gather(struct gathering *all, const char *file, const char *text, struct source *ret_source)
{
	bool good = gather_text(all, file, text, 0);

	if (good && !all->count)
		good = gather_line(all, "", 0, (struct source_line){file, 1});
	if (good) {
		ret_source->text = arena_text(all->arena, all->text, all->used);
		ret_source->count = all->count;
		ret_source->lines = arena_take(all->arena, all->count * sizeof(*all->lines));
		memcpy(ret_source->lines, all->lines, all->count * sizeof(*all->lines));
	}
	free(all->text);
	free(all->lines);
	return good;
}

bool source_file(struct arena *arena, const char *file, struct source *ret_source, struct failure *failure)
{
	struct gathering all = {.arena = arena, .failure = failure};
	char *text = read_whole(&all, file, "");

	return text && gather(&all, arena_text(arena, file, strlen(file)), text, ret_source);
}

bool source_profile(struct arena *arena, const char *profile, const char **rules, struct source *ret_source,
		    struct failure *failure)
{
	struct gathering all = {.arena = arena, .failure = failure, .embedded = true, .rules = rules};
	const char *text = source_profile_text(profile);

	if (!text)
		return failure_set(failure, "no built-in profile is called \"%s\"; there are: %s", profile,
				   source_profile_names(arena));
	return gather(&all, arena_format(arena, "profile %s", profile), text, ret_source);
}

struct source_line source_at(const struct source *source, uint32_t number)
{
	if (number > source->count)
		number = (uint32_t)source->count;
	return source->lines[number ? number - 1 : 0];
}
