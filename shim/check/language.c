/* SPDX-License-Identifier: MIT */
/* A stream editor's script: what its commands do, command by command. */
#include "check/language.h"

#include <string.h>

bool check_language(enum image_role role, struct span script)
{
	return role == IMAGE_ROLE_EDIT ? language_edit_harms(script) : language_actions_harm(script);
}

bool language_is_tame_file(struct span name)
{
	if (span_is(name, "/dev/stdout") || span_is(name, "/dev/stderr") || span_is(name, "/dev/null") ||
	    span_is(name, "/dev/stdin"))
		return true;
	if (!name.length || name.text[0] == '/' || name.text[0] == '~')
		return false;
	for (size_t i = 0; i + 1 < name.length; i++)
		if (name.text[i] == '.' && name.text[i + 1] == '.')
			return false;
	return !memmem(name.text, name.length, ".git/", 5) && !span_starts(span_basename(name), ".");
}

struct edit {
	const char *at, *end;
};

static void skip_blanks(struct edit *edit, const char *blanks)
{
	while (edit->at < edit->end && strchr(blanks, *edit->at))
		edit->at++;
}

/* Steps behind the next `mark` that is neither escaped nor, in a regular expression, inside [ ]; false: there is none. */
static bool skip_to(struct edit *edit, char mark, bool regex)
{
	bool set = false;

	for (; edit->at < edit->end; edit->at++) {
		if (*edit->at == '\\' && edit->at + 1 < edit->end) {
			edit->at++;
		} else if (set) {
			set = *edit->at != ']';
		} else if (*edit->at == mark) {
			edit->at++;
			return true;
		} else if (regex && *edit->at == '[') {
			set = true;
			edit->at += edit->at + 1 < edit->end && edit->at[1] == '^';
			edit->at += edit->at + 1 < edit->end && edit->at[1] == ']';
		}
	}
	return false;
}

static bool skip_address(struct edit *edit)
{
	if (edit->at >= edit->end)
		return true;
	if (*edit->at == '/') {
		edit->at++;
		if (!skip_to(edit, '/', true))
			return false;
		skip_blanks(edit, "IM");
	} else if (*edit->at == '\\' && edit->at + 2 < edit->end) {
		char mark = edit->at[1];

		edit->at += 2;
		if (!skip_to(edit, mark, true))
			return false;
		skip_blanks(edit, "IM");
	} else {
		skip_blanks(edit, "0123456789$~+");
	}
	return true;
}

static struct span rest_of_line(struct edit *edit)
{
	const char *start = edit->at;

	while (edit->at < edit->end && *edit->at != '\n')
		edit->at++;
	return (struct span){start, (size_t)(edit->at - start)};
}

/* Behind a, i, c: text up to a line that does not end in a backslash. */
static void skip_text(struct edit *edit)
{
	struct span line;

	do {
		line = rest_of_line(edit);
		edit->at += edit->at < edit->end;
	} while (line.length && line.text[line.length - 1] == '\\' && edit->at < edit->end);
}

static bool file_harms(struct edit *edit)
{
	skip_blanks(edit, " \t");
	return !language_is_tame_file(rest_of_line(edit));
}

/* "s" and its flags, edit->at behind the letter. */
static bool substitute_harms(struct edit *edit)
{
	char mark = edit->at < edit->end ? *edit->at++ : '\n';

	if (mark == '\n' || mark == '\\' || !skip_to(edit, mark, true) || !skip_to(edit, mark, false))
		return true;
	for (; edit->at < edit->end && !strchr(";}\n#", *edit->at); edit->at++) {
		if (*edit->at == 'e')
			return true;
		if (*edit->at == 'w') {
			edit->at++;
			return file_harms(edit);
		}
	}
	return false;
}

/* One command, edit->at at its letter; steps behind it. */
static bool command_harms(struct edit *edit)
{
	char letter = *edit->at++, mark;

	switch (letter) {
	case 's':
		return substitute_harms(edit);
	case 'y':
		mark = edit->at < edit->end ? *edit->at++ : '\n';
		return mark == '\n' || !skip_to(edit, mark, false) || !skip_to(edit, mark, false);
	case 'e':
		return true;
	case 'r':
	case 'R':
	case 'w':
	case 'W':
		return file_harms(edit);
	case 'a':
	case 'i':
	case 'c':
		skip_text(edit);
		return false;
	case '#':
	case ':':
		rest_of_line(edit);
		return false;
	case 'b':
	case 't':
	case 'T':
	case 'v':
		while (edit->at < edit->end && !strchr(";}\n", *edit->at))
			edit->at++;
		return false;
	}
	return false;
}

bool language_edit_harms(struct span script)
{
	struct edit edit = {script.text, script.text + script.length};

	for (;;) {
		skip_blanks(&edit, " \t\n;{}");
		if (edit.at >= edit.end)
			return false;
		if (!skip_address(&edit))
			return true;
		skip_blanks(&edit, " \t");
		if (edit.at < edit.end && *edit.at == ',') {
			edit.at++;
			skip_blanks(&edit, " \t");
			if (!skip_address(&edit))
				return true;
		}
		skip_blanks(&edit, " \t!");
		if (edit.at >= edit.end)
			return false;
		if (*edit.at != '{' && *edit.at != ';' && *edit.at != '\n' && command_harms(&edit))
			return true;
	}
}
