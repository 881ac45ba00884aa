/* SPDX-License-Identifier: MIT */
/*
 * The text of a policy with its parts put in: a line that is only `@include "NAME"` stands for that file's lines. NAME
 * is relative to the including file's folder; a built-in profile includes built-in texts by their name in
 * launcher/profiles/. Each line remembers where it comes from.
 */
#ifndef BRIDLE_POLICY_SOURCE_H
#define BRIDLE_POLICY_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "policy/setting.h"

/*
 * The embedded texts (build/profiles.c, made by launcher/profiles/embed.sh), ended by a NULL name. A profile is a name
 * of the form "tool.cfg"; names with a slash ("knowledge/wrappers.cfg") are parts for the profiles to include.
 */
struct profile_text {
	const char *name;
	const char *text;
};
extern const struct profile_text profile_texts[];

struct source_line {
	const char *file;
	uint32_t line;
};

struct source {
	char *text;
	struct source_line *lines; /* of each line of text, from 0 */
	size_t count;
};

/* Both live in the arena. The file is named in complaints as it is given. */
bool source_file(struct arena *arena, const char *file, struct source *ret_source, struct failure *failure);
/* rules: NULL, or where the name of a part goes that is compiled already (compile/rules.h) and was left out. */
bool source_profile(struct arena *arena, const char *profile, const char **rules, struct source *ret_source,
		    struct failure *failure);

/* Where line `number` (from 1) of the text comes from; what lies behind the end is the last line. */
struct source_line source_at(const struct source *source, uint32_t number);

/* The text of the built-in profile, as embedded, or NULL. */
const char *source_profile_text(const char *profile);
/* "agent, code, tool": for messages. */
char *source_profile_names(struct arena *arena);

#endif
