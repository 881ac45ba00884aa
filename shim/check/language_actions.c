/* SPDX-License-Identifier: MIT */
/* A program of patterns and { actions }: strings, comments and regular expressions are stepped over, the rest is read. */
#include <string.h>

#include "check/language.h"

struct actions {
	const char *at, *end;
	char before;      /* the last byte that was no blank: a "/" behind a value divides, else it starts an expression */
	struct span word; /* the last identifier */
	bool prints;      /* inside a print or printf statement: ">" writes a file */
	bool gets;        /* behind getline: "<" reads one */
	int parentheses;
};

static bool is_word(char byte)
{
	return byte == '_' || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
	       (byte >= 'A' && byte <= 'Z');
}

static struct span take_quoted(struct actions *actions, char mark)
{
	const char *start = ++actions->at;

	while (actions->at < actions->end && *actions->at != mark) {
		bool set = mark == '/' && *actions->at == '[';

		actions->at += *actions->at == '\\' && actions->at + 1 < actions->end;
		actions->at++;
		if (!set)
			continue;
		actions->at += actions->at < actions->end && *actions->at == '^';
		actions->at += actions->at < actions->end && *actions->at == ']';
		while (actions->at < actions->end && *actions->at != ']')
			actions->at++;
	}
	actions->at += actions->at < actions->end;
	return (struct span){start, (size_t)(actions->at - start) - (actions->at > start && actions->at[-1] == mark)};
}

static void skip_blanks(struct actions *actions)
{
	while (actions->at < actions->end && (*actions->at == ' ' || *actions->at == '\t'))
		actions->at++;
}

static bool next_word_is(const struct actions *actions, const char *word)
{
	struct actions look = *actions;

	skip_blanks(&look);
	return span_starts((struct span){look.at, (size_t)(look.end - look.at)}, word);
}

/* Behind ">" or ">>" of a print statement, or "getline <". */
static bool file_harms(struct actions *actions)
{
	skip_blanks(actions);
	if (actions->at >= actions->end || *actions->at != '"')
		return true; /* a name that is made at run time */
	return !language_is_tame_file(take_quoted(actions, '"'));
}

static bool take_word(struct actions *actions)
{
	const char *start = actions->at;

	while (actions->at < actions->end && is_word(*actions->at))
		actions->at++;
	actions->word = (struct span){start, (size_t)(actions->at - start)};
	actions->before = 'a';
	if (span_is(actions->word, "print") || span_is(actions->word, "printf")) {
		actions->prints = true;
		actions->parentheses = 0;
	}
	actions->gets |= span_is(actions->word, "getline");
	return span_is(actions->word, "system") && next_word_is(actions, "(");
}

/* A byte that is neither of a word nor a blank nor the start of a quoted piece. */
static bool take_sign(struct actions *actions)
{
	char sign = *actions->at++;

	actions->before = sign;
	switch (sign) {
	case '|':
		if (actions->at < actions->end && *actions->at == '|') {
			actions->at++;
			return false;
		}
		actions->at += actions->at < actions->end && *actions->at == '&';
		return actions->prints || next_word_is(actions, "getline");
	case '>':
		if (!actions->prints || actions->parentheses > 0)
			return false;
		actions->at += actions->at < actions->end && *actions->at == '>';
		return file_harms(actions);
	case '<':
		return actions->gets && file_harms(actions);
	case '@':
		return next_word_is(actions, "load") || next_word_is(actions, "include") || next_word_is(actions, "f");
	case '(':
		actions->parentheses++;
		return false;
	case ')':
		actions->parentheses--;
		return false;
	case ';':
	case '\n':
	case '{':
	case '}':
		actions->prints = actions->gets = false;
		return false;
	}
	return false;
}

bool language_actions_harm(struct span script)
{
	struct actions actions = {.at = script.text, .end = script.text + script.length, .before = '\n'};

	while (actions.at < actions.end) {
		char byte = *actions.at;

		if (byte == ' ' || byte == '\t' || byte == '\r') {
			actions.at++;
		} else if (byte == '#') {
			while (actions.at < actions.end && *actions.at != '\n')
				actions.at++;
		} else if (byte == '"' || (byte == '/' && !is_word(actions.before) && !strchr(")]$\"", actions.before))) {
			take_quoted(&actions, byte);
			actions.before = '"';
		} else if (is_word(byte) ? take_word(&actions) : take_sign(&actions)) {
			return true;
		}
	}
	return false;
}
