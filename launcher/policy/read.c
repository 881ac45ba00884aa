/* SPDX-License-Identifier: MIT */
/* From text to a tree of settings, by libconfig. Checks syntax only; which keys there are is the schema's business. */
#include "policy/read.h"

#include <libconfig.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * libconfig 1.5 wraps numbers that do not fit into 32 bits and blames an unclosed string on the last line, both without
 * a word. So the text is looked over first, as its lexer would see it.
 */
struct scan {
	const char *at;
	uint32_t line;
};

static void scan_string(struct scan *scan)
{
	for (scan->at++; *scan->at && *scan->at != '"'; scan->at++) {
		scan->line += *scan->at == '\n';
		if (*scan->at == '\\' && scan->at[1])
			scan->at++;
	}
}

/* After it, at is the comment's last byte. */
static void scan_comment(struct scan *scan)
{
	bool block = scan->at[1] == '*';

	if (block)
		scan->at += 2;
	while (scan->at[0] && scan->at[1]) {
		if (block ? scan->at[0] == '*' && scan->at[1] == '/' : scan->at[1] == '\n')
			break;
		scan->line += scan->at[0] == '\n';
		scan->at++;
	}
	if (block && scan->at[0] == '*')
		scan->at++;
}

/* The word or number here; false where it is a whole number that needs more than 32 bits and does not say so. */
static bool scan_word(struct scan *scan)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_*.+-";
	size_t length = strspn(scan->at, letters);
	const char *word = scan->at;
	char *end;
	double value;

	scan->at += length - 1;
	if (!memchr("0123456789+-", *word, 12))
		return true;
	value = strtod(word, &end);
	if (end == word || memchr(word, '.', length))
		return true;
	if (!memchr(word, 'x', length) && (memchr(word, 'e', length) || memchr(word, 'E', length)))
		return isfinite(value);
	if (*end == 'L')
		return fabs(value) < 9.2e18;
	return value >= INT32_MIN && value <= (word[0] == '0' && length > 1 ? UINT32_MAX : INT32_MAX);
}

static bool scan_text(const struct source *source, struct failure *failure)
{
	struct scan scan = {source->text, 1};

	for (; *scan.at; scan.at++) {
		struct source_line from = source_at(source, scan.line);

		if (*scan.at == '\n') {
			scan.line++;
		} else if (*scan.at == '"') {
			scan_string(&scan);
			if (!*scan.at)
				return failure_set(failure, "%s:%u: a string starts here and never ends",
						   from.file, from.line);
		} else if (*scan.at == '#' || (*scan.at == '/' && (scan.at[1] == '/' || scan.at[1] == '*'))) {
			scan_comment(&scan);
			if (!*scan.at)
				break;
		} else if (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_*+-", *scan.at)) {
			if (!scan_word(&scan))
				return failure_set(failure, "%s:%u: the number is out of range", from.file,
						   from.line);
		}
	}
	return true;
}

static void read_scalar(struct arena *arena, const config_setting_t *from, struct setting *setting)
{
	const char *text;

	switch (config_setting_type(from)) {
	case CONFIG_TYPE_INT:
	case CONFIG_TYPE_INT64:
		setting->kind = SETTING_INTEGER;
		setting->integer = config_setting_get_int64(from);
		setting->real = (double)setting->integer;
		break;
	case CONFIG_TYPE_FLOAT:
		setting->kind = SETTING_REAL;
		setting->real = config_setting_get_float(from);
		break;
	case CONFIG_TYPE_BOOL:
		setting->kind = SETTING_BOOLEAN;
		setting->integer = config_setting_get_bool(from);
		break;
	default:
		text = config_setting_get_string(from);
		setting->kind = SETTING_STRING;
		setting->text = text ? arena_text(arena, text, strlen(text)) : "";
	}
}

static struct setting *read_one(struct arena *arena, const struct source *source,
				const config_setting_t *from)
{
	struct source_line at = source_at(source, config_setting_source_line(from));
	struct setting *setting = setting_new(arena, SETTING_LIST, config_setting_name(from), at.file, at.line);

	if (config_setting_is_group(from))
		setting->kind = SETTING_GROUP;
	if (!config_setting_is_aggregate(from)) {
		read_scalar(arena, from, setting);
		return setting;
	}
	for (unsigned int i = 0; i < (unsigned int)config_setting_length(from); i++)
		setting_append(setting, read_one(arena, source, config_setting_get_elem(from, i)));
	return setting;
}

struct setting *read_settings(struct arena *arena, const struct source *source, struct failure *failure)
{
	struct setting *top = NULL;
	config_t config;

	if (!scan_text(source, failure))
		return NULL;
	config_init(&config);
	if (config_read_string(&config, source->text) == CONFIG_TRUE) {
		top = read_one(arena, source, config_root_setting(&config));
	} else {
		struct source_line at = source_at(source, (uint32_t)config_error_line(&config));

		failure_set(failure, "%s:%u: %s (a libconfig file: key = value; group: { ... }; no comma after "
				     "the last entry of a list)",
			    at.file, at.line, config_error_text(&config));
	}
	config_destroy(&config);
	return top;
}
