/* SPDX-License-Identifier: MIT */
/* A path pattern as a list of components, normalised: no empty ones, no ".", ".." taken back. */
#ifndef BRIDLE_COMPILE_PATH_PATTERN_H
#define BRIDLE_COMPILE_PATH_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "compile/resolver.h"

enum path_pattern_kind {
	PATH_PATTERN_LITERAL,
	PATH_PATTERN_GLOB,
	PATH_PATTERN_DEEP /* "**": any number of components, none too */
};

struct path_pattern_component {
	enum path_pattern_kind kind;
	const char *text; /* a part of the path that was added, not terminated */
	size_t length;
};

struct path_pattern {
	struct path_pattern_component *components;
	size_t count, room;
	struct path_pattern_component few[24]; /* where they stand as long as they fit */
	char *owned;                           /* the path that they are parts of, where it is the pattern's own */
};

/* Points into itself: not to be copied. */
void path_pattern_start(struct path_pattern *pattern);
void path_pattern_free(struct path_pattern *pattern);

/*
 * Appends the components of path, which must outlive the pattern; with `globs` false all of them as they are written. A
 * "**" at the end is left away: a rule covers what lies beneath anyway. False where ".." follows a component that is no
 * literal.
 */
bool path_pattern_add_path(struct path_pattern *pattern, const char *path, bool globs);

bool path_pattern_is_literal(const struct path_pattern *pattern);

/*
 * The pattern with the symlinks of its literal start followed, as far as that exists. False where that changes nothing
 * (*ret_pattern is then not set).
 */
bool path_pattern_resolve(const struct path_pattern *pattern, struct resolver *resolver,
			  struct path_pattern *ret_pattern);

#endif
