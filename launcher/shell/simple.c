/* SPDX-License-Identifier: MIT */
/* Simple commands: assignments, words and redirections in any order. */
#include "shell/reader.h"

#include <string.h>

#define ALIASES_MAX 256 /* more: any name may be one */

/* Where the lists of the command that is being read begin in their stacks. */
struct marks {
	size_t words, assignments, redirects;
};

static struct shell_command *keep_command(struct reader *reader, size_t words, size_t assignments, size_t redirects)
{
	struct reading *reading = reader->reading;
	struct shell_command command = {.depth = reader->depth, .scope = reader->scope}, *kept;

	command.piped_input = reader->piped || reading->fed;

	command.word_count = reading->words.length - words;
	command.assignment_count = reading->assignments.length - assignments;
	command.redirect_count = reading->redirects.length - redirects;
	command.words = stack_keep(reading, &reading->words, words, sizeof(struct shell_word));
	command.assignments = stack_keep(reading, &reading->assignments, assignments, sizeof(struct shell_word));
	command.redirects = stack_keep(reading, &reading->redirects, redirects, sizeof(struct shell_redirect));
	if (reading->line.error)
		return NULL;
	kept = stack_push(reading, &reading->commands, sizeof(command));
	if (kept)
		*kept = command;
	return kept;
}

struct shell_command *simple_emit(struct reader *reader, size_t words, size_t assignments, size_t redirects)
{
	struct reading *reading = reader->reading;
	struct shell_command *kept = keep_command(reader, words, assignments, redirects);
	struct pending *pending = (struct pending *)reading->pending.items;

	/* Here-documents that this command named find it by its index. */
	for (size_t i = reader->pending_mark; i < reading->pending.length; i++) {
		if (pending[i].command != (size_t)-1)
			continue;
		pending[i].command = reading->commands.length - 1;
		pending[i].redirect -= redirects;
	}
	return kept;
}

void simple_unknown(struct reader *reader, size_t at, const char *why)
{
	struct reading *reading = reader->reading;
	struct shell_command *command = keep_command(reader, reading->words.length, reading->assignments.length,
						     reading->redirects.length);

	if (!command)
		return;
	command->unknown = why;
	command->unknown_position = reader_position(reader, at);
}

static bool is_alias(struct reading *reading, const char *name)
{
	char **aliases = (char **)reading->aliases.items;

	for (size_t i = 0; i < reading->aliases.length; i++)
		if (reading->aliases.length > ALIASES_MAX || strcmp(aliases[i], name) == 0)
			return true;
	return false;
}

static void push_word(struct reading *reading, struct stack *stack, const struct shell_word *word)
{
	struct shell_word *kept = stack_push(reading, stack, sizeof(*kept));

	if (!kept)
		return;
	*kept = *word;
	word_settle_home(reading, kept);
}

/* NAME ( ): a function's definition. */
static void read_function(struct reader *reader, const struct marks *marks)
{
	struct shell_word name = ((struct shell_word *)reader->reading->words.items)[marks->words];
	size_t opened = reader->at++;

	reader->reading->words.length = marks->words;
	reader_blanks(reader);
	if (!reader_accept(reader, ')')) {
		reader_fail(reader, opened, "a parenthesis that no command can hold here");
		return;
	}
	list_function(reader, name.text);
}

/* NAME[..]=value to a shell without arrays: a pattern, but one that no program's name matches. */
static bool is_array_element(const char *text)
{
	size_t name = strcspn(text, "[");
	const char *close = strchr(text, ']');

	return close && word_is_name(text, name) && (close[1] == '=' || close[1] == '+') && !strchr(text, '/');
}

/* What a list in braces makes; words that come out empty are none. */
static bool push_list(struct reader *reader, const struct word_read *read)
{
	struct reading *reading = reader->reading;
	struct shell_word word = read->word;
	size_t count = 0;
	char **texts = brace_expand(reader, read, &count);

	if (!texts)
		return false;
	reading->word_total += count - 1;
	if (reading->word_total > READER_MAX_WORDS)
		reader_fail(reader, reader->at, "too many words");
	word.dynamic = read->dynamic;
	for (size_t i = 0; i < count && !reading->line.error; i++) {
		word.text = texts[i];
		word.tilde = texts[i][0] == '~' && !word.quoted;
		if (*texts[i] || word.quoted)
			push_word(reading, &reading->words, &word);
	}
	return true;
}

static bool read_word(struct reader *reader, const struct marks *marks)
{
	struct reading *reading = reader->reading;
	bool first = reading->words.length == marks->words;
	enum word_mode mode = first ? WORD_ASSIGNMENT | WORD_SUBSCRIPT : WORD_ASSIGNMENT | WORD_PATTERN;
	struct word_read read;

	if (!word_read(reader, mode, &read))
		return false;
	if (first && read.value > 0) {
		read.word.dynamic = read.dynamic; /* braces make no list there */
		reading->homeless |= strncmp(read.word.text, "HOME=", 5) == 0;
		push_word(reading, &reading->assignments, &read.word);
	} else if (!push_list(reader, &read)) {
		if (first && is_array_element(read.word.text))
			read.word.glob = false;
		if (first && !read.word.quoted && is_alias(reading, read.word.text))
			read.word.dynamic = true;
		push_word(reading, &reading->words, &read.word);
	}
	return true;
}

void simple_read(struct reader *reader)
{
	struct reading *reading = reader->reading;
	struct marks marks = {reading->words.length, reading->assignments.length, reading->redirects.length};
	size_t from = reader->at;

	for (;;) {
		reader_blanks(reader);
		if (redirect_read(reader))
			continue;
		if (reader_peek(reader) == '(' && reading->words.length == marks.words + 1 &&
		    reading->assignments.length == marks.assignments &&
		    reading->redirects.length == marks.redirects) {
			read_function(reader, &marks);
			return;
		}
		if (!read_word(reader, &marks))
			break;
	}
	if (reading->words.length == marks.words && reading->assignments.length == marks.assignments &&
	    reading->redirects.length == marks.redirects)
		reader_fail(reader, from, "something that no command can start with");
	if (simple_emit(reader, marks.words, marks.assignments, marks.redirects))
		builtin_read(reader, reading->commands.length - 1);
}
