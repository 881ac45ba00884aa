/* SPDX-License-Identifier: MIT */
/* Takes apart what agents give to tools that find files by their names. */
#include "hook/pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct expansion {
	pattern_visit *visit;
	void *context;
	unsigned left; /* how many more may come of braces */
};

/* The end of the alternative at `from`: its "," or "}" at the same level; NULL where the brace is never closed. */
static const char *alternative_end(const char *from)
{
	unsigned level = 0;

	for (; *from; from++) {
		if (*from == '\\' && from[1])
			from++;
		else if (*from == '{')
			level++;
		else if (!level && (*from == ',' || *from == '}'))
			return from;
		else if (*from == '}')
			level--;
	}
	return NULL;
}

/* The closing brace of the one at `open` when there is a choice between them, else NULL. */
static const char *choice_end(const char *open)
{
	const char *end = alternative_end(open + 1);
	bool chosen = false;

	while (end && *end == ',') {
		chosen = true;
		end = alternative_end(end + 1);
	}
	return chosen ? end : NULL;
}

static bool expand(struct expansion *expansion, const char *pattern)
{
	const char *open = strchr(pattern, '{'), *close = NULL, *from, *end;
	bool stopped = false;

	while (open && !(close = choice_end(open)))
		open = strchr(open + 1, '{');
	if (!open || !expansion->left)
		return expansion->visit(expansion->context, pattern);
	for (from = open + 1; !stopped && from <= close; from = end + 1) {
		char *one;

		end = alternative_end(from);
		expansion->left -= expansion->left > 0;
		if (asprintf(&one, "%.*s%.*s%s", (int)(open - pattern), pattern, (int)(end - from), from, close + 1) < 0)
			return true;
		stopped = expand(expansion, one);
		free(one);
	}
	return stopped;
}

/* How much of the text is the next pattern: up to a blank, or a comma that stands in no braces. */
static size_t part_length(const char *text)
{
	size_t length = 0;
	unsigned level = 0;

	for (; text[length] && !strchr(" \t\n", text[length]); length++) {
		if (text[length] == ',' && !level)
			break;
		level += text[length] == '{';
		level -= level && text[length] == '}';
	}
	return length;
}

bool pattern_each(const char *text, bool parted, pattern_visit *visit, void *context)
{
	struct expansion expansion = {visit, context, PATTERNS_MAX};

	if (!parted)
		return expand(&expansion, text);
	for (text += strspn(text, " \t\n,"); *text; text += strspn(text, " \t\n,")) {
		size_t length = part_length(text);
		char *one = strndup(text, length);
		bool stopped = !one || expand(&expansion, one);

		free(one);
		if (stopped)
			return true;
		text += length;
	}
	return false;
}
