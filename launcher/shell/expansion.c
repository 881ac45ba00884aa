/* SPDX-License-Identifier: MIT */
/* Expansions: their values are unknown, the commands inside them are read, and their source stands in the word. */
#include "shell/reader.h"

#include <ctype.h>
#include <string.h>

/* The commands of a substitution. Its here-documents are its own, and so is the end of its text. */
static void read_commands(struct reader *reader, size_t opened, int close, const char *error)
{
	struct reading *reading = reader->reading;
	size_t mark = reader->pending_mark;

	reader->pending_mark = reading->pending.length;
	list_until(reader, opened, close, error);
	if (reading->pending.length > reader->pending_mark)
		reader_fail(reader, opened, "a here-document that does not end");
	reader->pending_mark = mark;
}

/* "$(" or "$((": the latter may still hold commands, as in $((a); (b)). */
static void read_parenthesis(struct reader *reader, size_t opened)
{
	reader->at++;
	if (reader_peek(reader) == '(') {
		size_t inner = reader->at++;

		if (arithmetic_read(reader, "))"))
			return;
		reader->at = inner;
	}
	read_commands(reader, opened, ')', "a command substitution that is not closed");
}

/* Quotes inside ${..} inside quotes differ between shells unless what they hold is plain. */
static void read_doubtful_quotes(struct reader *reader, int quote)
{
	size_t opened = reader->at++;
	int byte;

	while ((byte = reader_raw(reader)) != quote) {
		if (byte == READER_END || strchr("}\"'$`\\", byte)) {
			reader_fail(reader, opened, "a quote inside ${..} that shells read differently");
			return;
		}
		reader->at++;
	}
	reader->at++;
}

/* ${ command; } runs commands in newer shells. */
static bool read_command_braces(struct reader *reader, size_t opened)
{
	int byte = reader_peek(reader);

	if (byte != ' ' && byte != '\t' && byte != '\n' && byte != '|')
		return false;
	if (byte == '|')
		reader->at++;
	read_commands(reader, opened, '}', "${ that is not closed");
	return true;
}

/* What quotes mean in ${..}. */
enum quotes {
	QUOTES_DOUBTFUL, /* shells differ */
	QUOTES_QUOTE,
	QUOTES_NUMBER, /* they quote, but what they hold is expanded: ${NAME:number} */
};

/* Everything before what stands behind the name. */
static enum quotes read_parameter_name(struct reader *reader)
{
	size_t from = reader->at;
	int byte = reader_peek(reader);

	if (byte == '!' || byte == '#') {
		int next = reader_second(reader);

		if (isalnum(next) || next == '_' || (next > 0 && strchr("@*?$!-#", next)))
			reader->at++;
	}
	while ((byte = reader_peek(reader)) != READER_END && (isalnum(byte) || byte == '_'))
		reader->at++;
	if (reader->at == from && byte != READER_END && byte != '}' && strchr("@*#?-$!", byte))
		reader->at++;
	if (reader_peek(reader) == '[') {
		reader->at++;
		arithmetic_read(reader, "]");
	}
	byte = reader_peek(reader);
	if (byte == '@' && reader_second(reader) == 'P')
		simple_unknown(reader, from, "@P runs code that a variable holds");
	if (byte == ':' && !strchr("-=?+", reader_second(reader)))
		return QUOTES_NUMBER;
	return byte != READER_END && strchr("#%/^,", byte) ? QUOTES_QUOTE : QUOTES_DOUBTFUL;
}

static void read_parameter_quotes(struct reader *reader, int byte, enum quotes quotes, enum expansion_place place)
{
	size_t mark = reader->reading->bytes.length, at = reader->at;
	struct shell_word ignored = {0};

	if (place == EXPANSION_BARE && quotes == QUOTES_DOUBTFUL)
		quotes = QUOTES_QUOTE;
	if (byte == '"' && (quotes != QUOTES_DOUBTFUL || place == EXPANSION_QUOTED))
		word_double_quotes(reader, &ignored);
	else if (byte == '"' || quotes == QUOTES_DOUBTFUL)
		read_doubtful_quotes(reader, byte);
	else
		word_single_quotes(reader, &ignored);
	if (byte == '\'' && quotes == QUOTES_NUMBER)
		arithmetic_expand(reader, mark, at);
}

static void read_parameter(struct reader *reader, size_t opened, enum expansion_place place)
{
	struct shell_word ignored = {0};
	enum quotes quotes;
	int byte;

	reader->at++;
	if (read_command_braces(reader, opened) || !reader_enter(reader))
		return;
	quotes = read_parameter_name(reader);
	while ((byte = reader_peek(reader)) != '}') {
		if (byte == READER_END) {
			reader_fail(reader, opened, "${ that is not closed");
			break;
		}
		if (byte == '$')
			expansion_dollar(reader, &ignored, place);
		else if (byte == '`')
			expansion_backtick(reader, &ignored, place);
		else if (byte == '\'' || byte == '"')
			read_parameter_quotes(reader, byte, quotes, place);
		else if ((byte == '<' || byte == '>') && place == EXPANSION_BARE && reader_second(reader) == '(' &&
			 reader_bash(reader))
			expansion_process(reader, &ignored);
		else
			reader->at += byte == '\\' && reader->at + 1 < reader->length ? 2 : 1;
	}
	reader_accept(reader, '}');
	reader_leave(reader);
}

/* What follows a $ and is consumed; false when the $ stands for itself. */
static bool read_after_dollar(struct reader *reader, size_t opened, enum expansion_place place)
{
	int byte = reader_peek(reader);

	if (byte == '(') {
		read_parenthesis(reader, opened);
	} else if (byte == '{') {
		read_parameter(reader, opened, place);
	} else if (byte == '[' && reader_bash(reader)) {
		reader->at++;
		if (!reader_enter(reader))
			return true;
		arithmetic_read(reader, "]");
		reader_leave(reader);
	} else if (byte != READER_END && (isalpha(byte) || byte == '_')) {
		while ((byte = reader_peek(reader)) != READER_END && (isalnum(byte) || byte == '_'))
			reader->at++;
	} else if (byte != READER_END && (isdigit(byte) || strchr("@*#?-$!", byte))) {
		reader->at++;
	} else {
		return false;
	}
	return true;
}

void expansion_dollar(struct reader *reader, struct shell_word *word, enum expansion_place place)
{
	size_t mark = reader->reading->bytes.length, from = reader->at++;
	int byte = reader_peek(reader);

	if (place == EXPANSION_BARE && (byte == '\'' || byte == '"') && reader_bash(reader)) {
		if (byte == '\'')
			ansi_quotes(reader, word);
		else
			word_double_quotes(reader, word);
		return;
	}
	if (!read_after_dollar(reader, from, place)) {
		word_append(reader, "$", 1);
		return;
	}
	reader->reading->bytes.length = mark;
	word->dynamic = true;
	word->expansions++;
	if (!reader->reading->line.error)
		word_append(reader, reader->text + from, reader->at - from);
}

void expansion_backtick(struct reader *reader, struct shell_word *word, enum expansion_place place)
{
	size_t mark = reader->reading->bytes.length, from = reader->at++, length;
	const char *unescaped = place == EXPANSION_QUOTED ? "$`\\\"" : "$`\\";
	size_t outer;
	char *text;
	int byte;

	word->dynamic = true;
	word->expansions++;
	while ((byte = reader_raw(reader)) != '`' && byte != READER_END) {
		if (byte == '\\' && reader->at + 1 < reader->length) {
			if (!strchr(unescaped, reader->text[++reader->at]))
				word_append(reader, "\\", 1);
		}
		word_append(reader, reader->text + reader->at++, 1);
	}
	length = reader->reading->bytes.length - mark;
	text = memory_text(reader->reading, reader->reading->bytes.items + mark, length);
	reader->reading->bytes.length = mark;
	if (byte == READER_END) {
		reader_fail(reader, from, "a backtick that is not closed");
		return;
	}
	reader->at++;
	if (!text)
		return;
	outer = reader_scope(reader);
	reader_commands_in(reader, text, length, reader_position(reader, from));
	reader->scope = outer;
	if (!reader->reading->line.error)
		word_append(reader, reader->text + from, reader->at - from);
}

void expansion_process(struct reader *reader, struct shell_word *word)
{
	size_t mark = reader->reading->bytes.length, from = reader->at;
	bool piped = reader->piped;

	word->dynamic = true;
	word->expansions++;
	if (reader->text[from] == '>')
		reader->piped = true;
	reader_peek(reader);
	reader->at++;
	reader_accept(reader, '(');
	read_commands(reader, from, ')', "a process substitution that is not closed");
	reader->piped = piped;
	reader->reading->bytes.length = mark;
	if (!reader->reading->line.error)
		word_append(reader, reader->text + from, reader->at - from);
}
