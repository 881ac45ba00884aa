/* SPDX-License-Identifier: MIT */
/* From a shell line to its commands: the cursor, its bounds and errors, and the entry point. */
#include "shell/reader.h"

#include <stdlib.h>
#include <string.h>

#define FUNCTIONS_MAX 64

void reading_fail(struct reading *reading, size_t position, const char *error)
{
	if (reading->line.error)
		return;
	reading->line.error = error;
	reading->line.error_position = position;
}

size_t reader_position(const struct reader *reader, size_t at)
{
	return reader->unquoted ? reader->base : reader->base + at;
}

void reader_fail(struct reader *reader, size_t at, const char *error)
{
	reading_fail(reader->reading, reader_position(reader, at), error);
}

int reader_raw(struct reader *reader)
{
	if (reader->reading->line.error || reader->at >= reader->length)
		return READER_END;
	return (unsigned char)reader->text[reader->at];
}

int reader_peek(struct reader *reader)
{
	while (reader->at + 1 < reader->length && reader->text[reader->at] == '\\' &&
	       reader->text[reader->at + 1] == '\n')
		reader->at += 2;
	return reader_raw(reader);
}

int reader_second(struct reader *reader)
{
	size_t at = reader->at;
	int byte = READER_END;

	if (reader_peek(reader) != READER_END) {
		reader->at++;
		byte = reader_peek(reader);
	}
	reader->at = at;
	return byte;
}

bool reader_accept(struct reader *reader, int byte)
{
	if (reader_peek(reader) != byte)
		return false;
	reader->at++;
	return true;
}

/* A comment runs to the end of its line; a backslash there continues nothing. */
void reader_blanks(struct reader *reader)
{
	int byte;

	while ((byte = reader_peek(reader)) == ' ' || byte == '\t')
		reader->at++;
	if (byte != '#')
		return;
	while ((byte = reader_raw(reader)) != READER_END && byte != '\n')
		reader->at++;
}

bool reader_newline(struct reader *reader)
{
	if (!reader_accept(reader, '\n'))
		return false;
	heredoc_bodies(reader);
	return true;
}

void reader_newlines(struct reader *reader)
{
	do
		reader_blanks(reader);
	while (reader_newline(reader));
}

bool reader_bash(struct reader *reader)
{
	reader->reading->line.ambiguous = true;
	return reader->reading->dialect == SHELL_BASH;
}

bool reader_enter(struct reader *reader)
{
	if (reader->reading->nesting >= READER_MAX_DEPTH) {
		reader_fail(reader, reader->at, "nested too deeply");
		return false;
	}
	reader->reading->nesting++;
	return true;
}

void reader_leave(struct reader *reader)
{
	reader->reading->nesting--;
}

size_t reader_scope(struct reader *reader)
{
	size_t outer = reader->scope, *parent = stack_push(reader->reading, &reader->reading->scopes, sizeof(*parent));

	if (parent) {
		*parent = outer;
		reader->scope = reader->reading->scopes.length - 1;
	}
	return outer;
}

void reader_fork(struct reader *reader, size_t first, size_t first_scope)
{
	struct reading *reading = reader->reading;
	struct shell_command *commands = (struct shell_command *)reading->commands.items;
	size_t outer = reader_scope(reader), *scopes = (size_t *)reading->scopes.items;

	for (size_t i = first; i < reading->commands.length; i++)
		if (commands[i].scope == outer)
			commands[i].scope = reader->scope;
	for (size_t i = first_scope; i + 1 < reading->scopes.length; i++)
		if (scopes[i] == outer)
			scopes[i] = reader->scope;
	reader->scope = outer;
}

/* Text that is read again is paid for, so that nesting cannot multiply the time. */
static bool reader_other(struct reader *reader, struct reader *ret_other, const char *text, size_t length,
			 size_t position)
{
	reader->reading->work += length;
	if (reader->reading->work > reader->reading->work_limit) {
		reader_fail(reader, reader->at, "too complicated to read");
		return false;
	}
	if (!reader_enter(reader))
		return false;
	*ret_other = (struct reader){
		.reading = reader->reading,
		.text = text,
		.length = length,
		.base = position,
		.unquoted = true,
		.depth = reader->depth,
		.scope = reader->scope,
		.piped = reader->piped,
		.pending_mark = reader->reading->pending.length,
	};
	return true;
}

static void reader_end(struct reader *reader)
{
	if (reader_peek(reader) != READER_END)
		reader_fail(reader, reader->at, "something that no command can continue with");
	else if (reader->reading->pending.length > reader->pending_mark)
		reader_fail(reader, reader->length, "a here-document that does not end");
	reader->reading->pending.length = reader->pending_mark;
}

void reader_commands_in(struct reader *reader, const char *text, size_t length, size_t position)
{
	struct reader other;

	if (!reader_other(reader, &other, text, length, position))
		return;
	other.depth++;
	list_read(&other);
	reader_end(&other);
	reader_leave(reader);
}

void reader_expansions_in(struct reader *reader, struct shell_word *word)
{
	struct stack *bytes = &reader->reading->bytes;
	size_t mark = bytes->length;
	struct reader other;
	int byte;

	if (!reader_other(reader, &other, word->text, strlen(word->text), word->position))
		return;
	while ((byte = reader_raw(&other)) != READER_END) {
		if (byte == '$') {
			expansion_dollar(&other, word, EXPANSION_HERE);
		} else if (byte == '`') {
			expansion_backtick(&other, word, EXPANSION_HERE);
		} else {
			if (byte == '\\' && other.at + 1 < other.length && strchr("$`\\", other.text[other.at + 1]))
				other.at++;
			word_append(&other, other.text + other.at++, 1);
		}
	}
	word->text = memory_text(reader->reading, bytes->items + mark, bytes->length - mark);
	bytes->length = mark;
	reader_leave(reader);
}

/* Is a function of this name called with text of the line as its input? */
static bool is_fed(const struct reading *reading, const char *name)
{
	const struct shell_command *commands = (const struct shell_command *)reading->commands.items;

	for (size_t i = 0; i < reading->commands.length; i++) {
		if (commands[i].piped_input && commands[i].skip < commands[i].word_count &&
		    strcmp(commands[i].words[commands[i].skip].text, name) == 0)
			return true;
	}
	return false;
}

/* It may hand it to any command of its body. Of very many functions, any may. */
static void spread_input(struct reading *reading)
{
	struct shell_command *commands = (struct shell_command *)reading->commands.items;
	struct function_body *bodies = (struct function_body *)reading->functions.items;
	bool many = reading->functions.length > FUNCTIONS_MAX;

	for (size_t i = 0; i < reading->commands.length; i++)
		commands[i].piped_input = redirect_feeds(commands[i].redirects, commands[i].redirect_count,
							 commands[i].piped_input);
	for (size_t i = 0; i < reading->functions.length; i++) {
		bool fed = many || is_fed(reading, bodies[i].name);

		for (size_t c = bodies[i].first; fed && c < bodies[i].end; c++)
			commands[c].piped_input =
				redirect_feeds(commands[c].redirects, commands[c].redirect_count, true);
	}
}

struct shell_line *shell_read(const char *text, size_t length, enum shell_dialect dialect)
{
	struct reading *reading = calloc(1, sizeof(*reading));
	struct reader reader = {.reading = reading, .text = text, .length = length};
	const char *nul = length ? memchr(text, '\0', length) : NULL;

	if (!reading)
		return NULL;
	reading->dialect = dialect;
	reading->work_limit = 8 * length + ((size_t)1 << 20);
	if (nul)
		reading_fail(reading, (size_t)(nul - text), "a NUL byte");
	stack_push(reading, &reading->bytes, 1); /* so that it has an address */
	reader_scope(&reader);
	list_read(&reader);
	reader_end(&reader);
	spread_input(reading);
	reading->line.commands = (struct shell_command *)reading->commands.items;
	reading->line.count = reading->commands.length;
	reading->line.scopes = (size_t *)reading->scopes.items;
	reading->line.scope_count = reading->scopes.length;
	return &reading->line;
}

void shell_free(struct shell_line *line)
{
	struct reading *reading = (struct reading *)line;

	if (!reading)
		return;
	memory_free(reading);
	free(reading);
}
