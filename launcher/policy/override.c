/* SPDX-License-Identifier: MIT */
/* Settings from the command line. */
#include "policy/override.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "policy/read.h"
#include "policy/schema.h"
#include "policy/source.h"

#define FROM "--set"

/* `text` as libconfig spells a value, or NULL. */
static struct setting *read_spelt(struct arena *arena, const char *text, struct failure *failure)
{
	struct source_line at = {FROM, 0};
	struct source source = {arena_format(arena, "value = %s;", text), &at, 1};
	struct setting *top = read_settings(arena, &source, failure);

	return top ? setting_member(top, "value") : NULL;
}

/* Is it a whole list, not one entry? An IPv6 address in brackets is an entry. */
static bool spells_list(const char *text)
{
	if (*text != '[' && *text != '(')
		return false;
	text += 1 + strspn(text + 1, " \t");
	return *text == '"' || *text == ']' || *text == ')';
}

static struct setting *read_texts(struct arena *arena, const char *text, struct failure *failure)
{
	struct setting *list, *entry;

	if (spells_list(text))
		return read_spelt(arena, text, failure);
	list = setting_new(arena, SETTING_LIST, NULL, FROM, 0);
	entry = setting_new(arena, SETTING_STRING, NULL, FROM, 0);
	entry->text = arena_text(arena, text, strlen(text));
	setting_append(list, entry);
	return list;
}

static struct setting *read_number(struct arena *arena, const char *text, bool whole)
{
	struct setting *value = setting_new(arena, SETTING_INTEGER, NULL, FROM, 0);
	char *end;

	errno = 0;
	value->integer = strtoll(text, &end, 10);
	value->real = (double)value->integer;
	if (end != text && !*end && !errno)
		return value;
	value->kind = SETTING_REAL;
	value->real = strtod(text, &end);
	return whole || end == text || *end ? NULL : value;
}

static struct setting *read_value(struct arena *arena, const struct schema_row *row, const char *text,
				  struct failure *failure)
{
	struct setting *value;

	switch (row->type) {
	case SCHEMA_TEXT:
	case SCHEMA_WORD:
		value = setting_new(arena, SETTING_STRING, NULL, FROM, 0);
		value->text = arena_text(arena, text, strlen(text));
		return value;
	case SCHEMA_BOOLEAN:
		value = setting_new(arena, SETTING_BOOLEAN, NULL, FROM, 0);
		value->integer = !strcmp(text, "true");
		if (!value->integer && strcmp(text, "false"))
			return failure_set(failure, "must be true or false"), NULL;
		return value;
	case SCHEMA_INTEGER:
	case SCHEMA_NUMBER:
		value = read_number(arena, text, row->type == SCHEMA_INTEGER);
		if (!value)
			failure_set(failure, "must be a %snumber", row->type == SCHEMA_INTEGER ? "whole " : "");
		return value;
	case SCHEMA_TEXTS:
		return read_texts(arena, text, failure);
	default:
		return read_spelt(arena, text, failure);
	}
}

/* The groups that the dotted key names, around the value. */
static struct setting *wrap(struct arena *arena, const char *key, struct setting *value)
{
	struct setting *top = setting_new(arena, SETTING_GROUP, NULL, FROM, 0), *group = top;
	const char *dot;

	for (; (dot = strchr(key, '.')); key = dot + 1) {
		struct setting *inner = setting_new(arena, SETTING_GROUP,
						    arena_text(arena, key, (size_t)(dot - key)), FROM, 0);

		setting_append(group, inner);
		group = inner;
	}
	value->name = arena_text(arena, key, strlen(key));
	setting_append(group, value);
	return top;
}

struct setting *override_read(struct arena *arena, const char *set, struct failure *failure)
{
	const char *equals = strchr(set, '=');
	const struct schema_row *row;
	struct failure inner = {""};
	struct setting *value, *top;
	char *key;

	if (!equals || equals == set) {
		failure_set(failure, "--set %s: write KEY=VALUE, as in --set limits.cpu_seconds=5", set);
		return NULL;
	}
	key = arena_text(arena, set, (size_t)(equals - set));
	row = strchr(key, '[') ? NULL : schema_row(key);
	if (!row || row->type == SCHEMA_GROUP || !strcmp(key, "extends")) {
		failure_set(failure, "--set %s: %s", set,
			    row ? "this key cannot be set from the command line" : "no setting has this key");
		return NULL;
	}
	value = read_value(arena, row, equals + 1, &inner);
	top = value ? wrap(arena, key, value) : NULL;
	if (!top || !schema_check(top, &inner)) {
		const char *words = strncmp(inner.text, FROM ":0: ", 9) ? inner.text : inner.text + 9;

		failure_set(failure, "--set %s: %s", set, words);
		return NULL;
	}
	return top;
}
