/* SPDX-License-Identifier: MIT */
/* Prints a tree of settings as a policy file. */
#include "policy/write.h"

#include <inttypes.h>
#include <string.h>

#include "report/visible.h"

static void write_indent(FILE *stream, int depth)
{
	for (int i = 0; i < depth; i++)
		fputc('\t', stream);
}

static void write_text(FILE *stream, const char *text)
{
	char form[VISIBLE_MAX];

	fputc('"', stream);
	while (*text) {
		const char *next = visible_next(text, form);
		size_t length = (size_t)(next - text);

		/* What acts on a terminal is spelt byte by byte, as a policy may. */
		if (strlen(form) != length || memcmp(form, text, length))
			for (; text < next; text++)
				fprintf(stream, "\\x%02x", (unsigned char)*text);
		else
			fprintf(stream, "%s%s", *text == '"' || *text == '\\' ? "\\" : "", form);
		text = next;
	}
	fputc('"', stream);
}

static void write_scalar(FILE *stream, const struct setting *setting)
{
	switch (setting->kind) {
	case SETTING_STRING:
		write_text(stream, setting->text);
		break;
	case SETTING_INTEGER:
		fprintf(stream, "%" PRId64 "%s", setting->integer,
			setting->integer > INT32_MAX || setting->integer < INT32_MIN ? "L" : "");
		break;
	case SETTING_REAL:
		fprintf(stream, "%.6f", setting->real);
		break;
	default:
		fputs(setting->integer ? "true" : "false", stream);
	}
}

/* Where an entry of a policy stands; the values inside an entry stand with it. */
static void write_origin(FILE *stream, const struct setting *setting)
{
	fputs("  # ", stream);
	visible_put(stream, setting->file, 0);
	if (setting->line)
		fprintf(stream, ":%u", setting->line);
}

static bool is_aggregate(const struct setting *setting)
{
	return setting->kind == SETTING_GROUP || setting->kind == SETTING_LIST;
}

/* On one line: what stands inside an entry of a list. */
static void write_inline(FILE *stream, const struct setting *setting)
{
	bool group = setting->kind == SETTING_GROUP, vector = setting->first && !is_aggregate(setting->first);

	if (!is_aggregate(setting)) {
		write_scalar(stream, setting);
		return;
	}
	fputs(group ? "{ " : vector ? "[ "
				    : "( ",
	      stream);
	SETTING_EACH(member, setting)
	{
		if (group)
			fprintf(stream, "%s = ", member->name);
		write_inline(stream, member);
		fputs(group ? "; " : member->next ? ", "
						  : " ",
		      stream);
	}
	fputs(group ? "}" : vector ? "]"
				   : ")",
	      stream);
}

static void write_list(FILE *stream, const struct setting *list, int depth)
{
	bool texts = !list->first || list->first->kind == SETTING_STRING;

	fputs(texts ? "[" : "(", stream);
	SETTING_EACH(entry, list)
	{
		fputc('\n', stream);
		write_indent(stream, depth + 1);
		write_inline(stream, entry);
		if (entry->next)
			fputc(',', stream);
		write_origin(stream, entry);
	}
	if (list->first) {
		fputc('\n', stream);
		write_indent(stream, depth);
	}
	fputs(texts ? "]" : ")", stream);
}

static void write_group(FILE *stream, const struct setting *group, int depth)
{
	SETTING_EACH(member, group)
	{
		if (!depth && !strcmp(member->name, "extends"))
			continue;
		write_indent(stream, depth);
		fprintf(stream, "%s%s", member->name, member->kind == SETTING_GROUP ? ": {\n" : " = ");
		if (member->kind == SETTING_GROUP) {
			write_group(stream, member, depth + 1);
			write_indent(stream, depth);
			fputs("};\n", stream);
		} else if (member->kind == SETTING_LIST) {
			write_list(stream, member, depth);
			fputs(";\n", stream);
		} else {
			write_scalar(stream, member);
			fputc(';', stream);
			write_origin(stream, member);
			fputc('\n', stream);
		}
	}
}

void write_settings(FILE *stream, const struct setting *top)
{
	fputs("extends = \"none\";\n", stream);
	write_group(stream, top, 0);
}
