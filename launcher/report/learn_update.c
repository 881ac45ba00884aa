/* SPDX-License-Identifier: MIT */
/*
 * Adds entries to the text of a policy without touching a byte of what stands there. A policy is settings NAME = value or
 * NAME : value; only those at the top and inside top groups matter here. Strings and comments are passed over.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "report/learn.h"
#include "report/policy_string.h"

struct cursor {
	const char *at;
};

/* Where a setting's value begins, and just behind its last byte. */
struct found {
	const char *begin, *end;
};

/* Passes over white space and comments. */
static void skip_space(struct cursor *cursor)
{
	for (;;) {
		const char *at = cursor->at;

		at += strspn(at, " \t\r\n\f");
		if (*at == '#' || (at[0] == '/' && at[1] == '/'))
			at += strcspn(at, "\n");
		else if (at[0] == '/' && at[1] == '*')
			at = strstr(at + 2, "*/") ? strstr(at + 2, "*/") + 2 : at + strlen(at);
		if (at == cursor->at)
			return;
		cursor->at = at;
	}
}

static void skip_string(struct cursor *cursor)
{
	for (cursor->at++; *cursor->at != '\0' && *cursor->at != '"'; cursor->at++)
		if (*cursor->at == '\\' && cursor->at[1] != '\0')
			cursor->at++;
	cursor->at += *cursor->at == '"';
}

/* Strings side by side are one. */
static bool string_follows(struct cursor cursor)
{
	bool string = cursor.at[-1] == '"';

	skip_space(&cursor);
	return string && *cursor.at == '"';
}

/* Passes over a value: brackets with all in them, strings (several side by side are one), or a word. False at the end. */
static bool skip_value(struct cursor *cursor)
{
	int depth = 0;
	bool word = false;

	do {
		skip_space(cursor);
		if (*cursor->at == '\0')
			return false;
		if (*cursor->at == '"') {
			skip_string(cursor);
			continue;
		}
		word = strchr("{[()]}", *cursor->at) == NULL;
		depth += strchr("{[(", *cursor->at) != NULL;
		depth -= strchr("}])", *cursor->at) != NULL;
		cursor->at++;
		while (word && (isalnum((unsigned char)*cursor->at) || strchr("+-._", *cursor->at) != NULL) &&
		       *cursor->at != '\0')
			cursor->at++;
	} while (depth > 0 || string_follows(*cursor));
	return depth == 0;
}

/* Looks among the settings from cursor on, up to an unmatched "}" or the end, for `name`. */
static bool find_setting(struct cursor cursor, const char *name, struct found *ret)
{
	size_t length = strlen(name);

	for (;;) {
		const char *start;
		bool same;

		skip_space(&cursor);
		if (*cursor.at == '@') { /* @include "file" */
			cursor.at += strcspn(cursor.at, "\"\n");
			skip_string(&cursor);
			continue;
		}
		start = cursor.at;
		while (isalnum((unsigned char)*cursor.at) || *cursor.at == '_' || *cursor.at == '-' || *cursor.at == '*')
			cursor.at++;
		if (cursor.at == start)
			return false;
		same = (size_t)(cursor.at - start) == length && strncmp(start, name, length) == 0;
		skip_space(&cursor);
		if (*cursor.at != '=' && *cursor.at != ':')
			return false;
		cursor.at++;
		skip_space(&cursor);
		ret->begin = cursor.at;
		if (!skip_value(&cursor))
			return false;
		ret->end = cursor.at;
		if (same)
			return true;
		skip_space(&cursor);
		while (*cursor.at == ';' || *cursor.at == ',')
			cursor.at++;
	}
}

/* Just behind the last entry of a list, or its "[" when it has none; *ret_comma: an entry was there without a comma. */
static const char *list_end(const struct found *list, bool *ret_comma)
{
	struct cursor cursor = {list->begin + 1};
	const char *end = cursor.at;

	*ret_comma = false;
	for (;;) {
		skip_space(&cursor);
		if (cursor.at >= list->end - 1 || *cursor.at == '\0')
			return end;
		*ret_comma = *cursor.at != ',';
		if (*cursor.at == ',')
			cursor.at++;
		else if (!skip_value(&cursor))
			return end;
		end = cursor.at;
	}
}

static void put_entries(FILE *out, const struct learn_list *list, const char *mark, bool comma)
{
	if (comma)
		fputc(',', out);
	for (size_t i = 0; i < list->count; i++) {
		fputs("\n\t\t", out);
		policy_string(out, list->entries[i].text);
		fprintf(out, "%s // %s: %s", i + 1 < list->count ? "," : "", mark, list->entries[i].comment);
	}
	fputs("\n\t", out);
}

static void put_list(FILE *out, const struct learn_list *list, bool scalar, const char *mark)
{
	if (scalar) {
		fprintf(out, "\n\t%s = ", list->name);
		policy_string(out, list->entries[0].text);
		fprintf(out, "; // %s: %s\n", mark, list->entries[0].comment);
		return;
	}
	fprintf(out, "\n\t%s = [", list->name);
	put_entries(out, list, mark, false);
	fputs("];\n", out);
}

/* The text with one list or scalar added. *text is replaced. */
static bool add_one(char **text, const struct learn_list *list, bool scalar, const char *mark, struct failure *failure)
{
	struct found group, member;
	const char *at = *text + strlen(*text);
	bool grouped = find_setting((struct cursor){*text}, list->group, &group), listed = false, comma = false;
	char *result = NULL;
	size_t size;
	FILE *out;

	if (grouped && *group.begin != '{')
		return failure_set(failure, "%s is no group", list->group);
	if (grouped) {
		at = group.end - 1;
		listed = find_setting((struct cursor){group.begin + 1}, list->name, &member);
	}
	if (listed && scalar)
		return failure_set(failure, "%s.%s is set already; to allow what was seen it must be \"%s\"",
				   list->group, list->name, list->entries[0].text);
	if (listed && *member.begin != '[' && *member.begin != '(')
		return failure_set(failure, "%s.%s is no list", list->group, list->name);
	if (listed)
		at = list_end(&member, &comma);
	out = open_memstream(&result, &size);
	if (out == NULL)
		return failure_set(failure, "out of memory");
	fwrite(*text, 1, (size_t)(at - *text), out);
	if (!grouped)
		fprintf(out, "%s%s: {", at > *text && at[-1] != '\n' ? "\n\n" : "\n", list->group);
	if (listed)
		put_entries(out, list, mark, comma);
	else
		put_list(out, list, scalar, mark);
	fputs(grouped ? "" : "};\n", out);
	fputs(at, out);
	if (fclose(out) != 0)
		return failure_set(failure, "out of memory");
	free(*text);
	*text = result;
	return true;
}

char *learn_update(const char *text, const struct learn_additions *additions, const char *mark,
		   struct failure *failure)
{
	char *updated = strdup(text);
	bool good = updated != NULL || failure_set(failure, "out of memory");

	for (size_t i = 0; good && i < LEARN_LISTS + additions->scalar_count; i++) {
		bool scalar = i >= LEARN_LISTS;
		const struct learn_list *list = scalar ? &additions->scalars[i - LEARN_LISTS] : &additions->lists[i];

		if (list->count != 0)
			good = add_one(&updated, list, scalar, mark, failure);
	}
	if (good)
		return updated;
	free(updated);
	return NULL;
}
