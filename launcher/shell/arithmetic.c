/* SPDX-License-Identifier: MIT */
/* Arithmetic: a text whose parentheses balance, in which expansions run commands. */
#include "shell/reader.h"

#include <ctype.h>
#include <string.h>

/*
 * Bash evaluates a variable's text as arithmetic again, and there a[$(command)] runs the command: quoted text of that
 * shape is code in disguise.
 */
bool arithmetic_hides_code(const char *text, size_t length)
{
	bool inside = false;

	for (size_t i = 0; i < length; i++) {
		if (text[i] == '[' && i > 0 && (isalnum((unsigned char)text[i - 1]) || text[i - 1] == '_'))
			inside = true;
		else if (text[i] == ']')
			inside = false;
		else if (inside && (text[i] == '`' || (text[i] == '$' && i + 1 < length && strchr("({", text[i + 1]))))
			return true;
	}
	return false;
}

/* Single quotes keep nothing from being expanded there: reads the quoted text on the stack from mark on. */
void arithmetic_expand(struct reader *reader, size_t mark, size_t at)
{
	struct stack *bytes = &reader->reading->bytes;
	struct shell_word word = {.position = reader_position(reader, at)};

	word.text = memory_text(reader->reading, bytes->items + mark, bytes->length - mark);
	if (word.text && strpbrk(word.text, "$`"))
		reader_expansions_in(reader, &word);
}

/* One piece of it that is neither a bracket nor the end. */
static void read_piece(struct reader *reader, int byte)
{
	struct shell_word word = {0};
	size_t mark = reader->reading->bytes.length, at = reader->at;

	if (byte == '$')
		expansion_dollar(reader, &word, EXPANSION_BARE);
	else if (byte == '`')
		expansion_backtick(reader, &word, EXPANSION_QUOTED);
	else if (byte == '"' && reader_bash(reader))
		word_double_quotes(reader, &word);
	else if (byte == '\'' && reader_bash(reader))
		word_single_quotes(reader, &word);
	else
		reader->at += byte == '\\' && reader->at + 1 < reader->length ? 2 : 1;
	if (word.quoted && !word.dynamic &&
	    arithmetic_hides_code(reader->reading->bytes.items + mark, reader->reading->bytes.length - mark))
		simple_unknown(reader, at, "arithmetic runs the command that this text holds");
	if (byte == '\'' && word.quoted)
		arithmetic_expand(reader, mark, at);
	reader->reading->bytes.length = mark;
}

/* What a failed attempt leaves behind is dropped; its length is paid for as text that is read twice. */
static void undo(struct reader *reader, size_t from, size_t commands, size_t functions)
{
	struct reading *reading = reader->reading;

	reading->work += reader->at - from;
	if (reading->work > reading->work_limit)
		reader_fail(reader, from, "too complicated to read");
	reading->commands.length = commands;
	reading->functions.length = functions;
	reader->at = from;
}

bool arithmetic_read(struct reader *reader, const char *close)
{
	size_t from = reader->at, depth = 0;
	size_t commands = reader->reading->commands.length, functions = reader->reading->functions.length;
	char opens = close[0] == ')' ? '(' : '[';
	int byte;

	if (!reader_enter(reader))
		return true;
	for (;;) {
		byte = reader_peek(reader);
		if (byte == READER_END) {
			reader_fail(reader, from, "arithmetic that is not closed");
			break;
		}
		if (byte == close[0] && depth == 0)
			break;
		if (byte == opens || byte == close[0]) {
			depth += byte == opens ? 1 : (size_t)-1;
			reader->at++;
		} else {
			read_piece(reader, byte);
		}
	}
	reader_leave(reader);
	if (byte == READER_END)
		return true;
	if (close[1] && reader_second(reader) != close[1]) {
		undo(reader, from, commands, functions);
		return false;
	}
	for (; *close; close++)
		reader_accept(reader, *close);
	return true;
}
