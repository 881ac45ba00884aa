/* SPDX-License-Identifier: MIT */
/* Lists and pipelines of commands, and function definitions. */
#include "shell/reader.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

/* "coproc NAME compound", or coproc before any command: its input is a pipe. */
static void read_coprocess(struct reader *reader)
{
	size_t at;

	reader_blanks(reader);
	at = reader->at;
	while (isalnum(reader_peek(reader)) || reader_peek(reader) == '_')
		reader->at++;
	if (reader->at > at) {
		enum reserved next;

		reader_blanks(reader);
		next = compound_reserved(reader);
		if (reader_peek(reader) != '(' && (next == RESERVED_NONE || compound_closes(next)))
			reader->at = at;
	}
	reader->piped = true;
	list_command(reader);
}

static void skip_time_options(struct reader *reader)
{
	size_t at;

	reader_blanks(reader);
	at = reader->at;
	if (!reader_accept(reader, '-') || !reader_accept(reader, 'p') || !word_is_metachar(reader_peek(reader)))
		reader->at = at;
	reader_blanks(reader);
	at = reader->at;
	if (!reader_accept(reader, '-') || !reader_accept(reader, '-') || !word_is_metachar(reader_peek(reader)))
		reader->at = at;
}

/* ! and time stand before a pipeline, any number of times; *ret_bare: nothing needs to follow. */
static void read_prefixes(struct reader *reader, bool *ret_bare)
{
	*ret_bare = false;
	for (;;) {
		reader_blanks(reader);
		if (compound_accept(reader, RESERVED_NOT)) {
			*ret_bare = false;
		} else if (compound_accept(reader, RESERVED_TIME)) {
			skip_time_options(reader);
			*ret_bare = true;
		} else {
			return;
		}
	}
}

void list_command(struct reader *reader)
{
	if (!reader_enter(reader))
		return;
	reader_blanks(reader);
	if (compound_accept(reader, RESERVED_COPROCESS))
		read_coprocess(reader);
	else if (!compound_read(reader))
		simple_read(reader);
	reader_leave(reader);
}

static bool accept_pipe(struct reader *reader)
{
	reader_blanks(reader);
	if (reader_peek(reader) != '|' || reader_second(reader) == '|')
		return false;
	reader_accept(reader, '|');
	if (reader_peek(reader) == '&' && reader_bash(reader))
		reader_accept(reader, '&');
	reader_newlines(reader);
	return true;
}

static void read_pipeline(struct reader *reader)
{
	size_t first = reader->reading->commands.length, first_scope = reader->reading->scopes.length;
	size_t outer = reader->scope;
	bool piped = reader->piped, bare;
	int byte;

	read_prefixes(reader, &bare);
	byte = reader_peek(reader);
	if (bare && (byte == READER_END || strchr(";\n&|)", byte)))
		return;
	list_command(reader);
	while (accept_pipe(reader)) {
		if (reader->scope == outer)
			reader_fork(reader, first, first_scope);
		reader->scope = outer;
		reader_scope(reader);
		reader->piped = true;
		list_command(reader);
	}
	reader->piped = piped;
	reader->scope = outer;
}

/* && and ||, which must be followed by a pipeline, newlines between allowed. */
static bool accept_and_or(struct reader *reader)
{
	int byte;

	reader_blanks(reader);
	byte = reader_peek(reader);
	if ((byte != '&' && byte != '|') || reader_second(reader) != byte)
		return false;
	reader_accept(reader, byte);
	reader_accept(reader, byte);
	reader_newlines(reader);
	return true;
}

/* ; & or a newline; false: the list ends here. */
static bool accept_separator(struct reader *reader)
{
	int byte = reader_peek(reader), next = reader_second(reader);

	if (byte == '\n')
		return reader_newline(reader);
	if (byte == '&')
		return reader_accept(reader, '&');
	if (byte != ';' || next == ';' || (next == '&' && reader_bash(reader)))
		return false;
	return reader_accept(reader, ';');
}

size_t list_read(struct reader *reader)
{
	struct reading *reading = reader->reading;
	size_t count = 0, first, first_scope;
	int byte;

	for (;;) {
		reader_newlines(reader);
		first = reading->commands.length;
		first_scope = reading->scopes.length;
		byte = reader_peek(reader);
		if (byte == READER_END || byte == ')' || byte == ';' || compound_closes(compound_reserved(reader)))
			return count;
		do
			read_pipeline(reader);
		while (accept_and_or(reader));
		count++;
		if (reader_peek(reader) == '&')
			reader_fork(reader, first, first_scope);
		if (!accept_separator(reader) && !compound_closes(compound_reserved(reader)))
			return count;
	}
}

void list_until(struct reader *reader, size_t opened, int close, const char *error)
{
	size_t outer;

	if (!reader_enter(reader))
		return;
	outer = reader_scope(reader);
	reader->depth++;
	if (list_read(reader) == 0 && close == ')' && reader->text[opened] == '(')
		reader_fail(reader, opened, "parentheses without a command");
	if (!reader_accept(reader, close))
		reader_fail(reader, opened, error);
	reader->depth--;
	reader->scope = outer;
	reader_leave(reader);
}

static bool calls(const struct shell_command *command, const char *name)
{
	return command->skip < command->word_count && !strcmp(command->words[command->skip].text, name);
}

/* f() { f | f & } : a body that calls itself twice where it stands, and not in its own process. $(f) may well end. */
static void mark_multiplying(struct reading *reading, const struct function_body *body, size_t scope)
{
	struct shell_command *commands = (struct shell_command *)reading->commands.items;
	size_t count = 0, forked = 0;
	int depth = INT_MAX;

	for (size_t i = body->first; i < body->end; i++)
		depth = commands[i].depth < depth ? commands[i].depth : depth;
	for (size_t i = body->first; i < body->end; i++) {
		if (commands[i].depth != depth || !calls(&commands[i], body->name))
			continue;
		count++;
		forked += commands[i].scope != scope;
	}
	for (size_t i = body->first; count > 1 && forked && i < body->end; i++)
		commands[i].multiplies = commands[i].depth == depth && calls(&commands[i], body->name);
}

void list_function(struct reader *reader, const char *name)
{
	struct reading *reading = reader->reading;
	size_t first = reading->commands.length;
	struct function_body *body;

	reader_newlines(reader);
	reader->depth++;
	list_command(reader);
	reader->depth--;
	body = stack_push(reading, &reading->functions, sizeof(*body));
	if (!body)
		return;
	*body = (struct function_body){(char *)name, first, reading->commands.length};
	mark_multiplying(reading, body, reader->scope);
}
