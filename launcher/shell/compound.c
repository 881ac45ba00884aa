/* SPDX-License-Identifier: MIT */
/* Compound commands and the reserved words that make them. */
#include "shell/reader.h"

#include <string.h>

static const struct {
	const char *word;
	bool closes;
} reserved_words[] = {
	{"", false},
#define RESERVED(name, word, closes) {word, closes},
#include "shell/reserved.def"
#undef RESERVED
};

#define RESERVED_COUNT (sizeof(reserved_words) / sizeof(*reserved_words))
#define RESERVED_LONGEST 8

static bool is_bash_only(enum reserved word)
{
	return word == RESERVED_SELECT || word == RESERVED_CONDITION || word == RESERVED_TIME ||
	       word == RESERVED_COPROCESS || word == RESERVED_FUNCTION;
}

enum reserved compound_reserved(struct reader *reader)
{
	char text[RESERVED_LONGEST + 2];
	size_t length = 0, at = reader->at;
	int byte;

	while (length <= RESERVED_LONGEST && !word_is_metachar(byte = reader_peek(reader))) {
		text[length++] = (char)byte;
		reader->at++;
	}
	text[length] = '\0';
	reader->at = at;
	for (size_t i = 1; i < RESERVED_COUNT && length <= RESERVED_LONGEST; i++)
		if (strcmp(text, reserved_words[i].word) == 0)
			return !is_bash_only(i) || reader_bash(reader) ? (enum reserved)i : RESERVED_NONE;
	return RESERVED_NONE;
}

bool compound_closes(enum reserved word)
{
	return reserved_words[word].closes;
}

bool compound_accept(struct reader *reader, enum reserved word)
{
	if (compound_reserved(reader) != word)
		return false;
	for (size_t i = 0; reserved_words[word].word[i]; i++) {
		reader_peek(reader);
		reader->at++;
	}
	return true;
}

/* A list that must hold something, and the word that must end it. */
static void read_block(struct reader *reader, size_t opened, enum reserved close, const char *error)
{
	if (list_read(reader) == 0 || (close && !compound_accept(reader, close)))
		reader_fail(reader, opened, error);
}

static void read_if(struct reader *reader, size_t opened)
{
	static const char error[] = "an if that is not complete";

	do {
		read_block(reader, opened, RESERVED_THEN, error);
		read_block(reader, opened, RESERVED_NONE, error);
	} while (compound_accept(reader, RESERVED_ELIF));
	if (compound_accept(reader, RESERVED_ELSE))
		read_block(reader, opened, RESERVED_NONE, error);
	if (!compound_accept(reader, RESERVED_FI))
		reader_fail(reader, opened, error);
}

static void read_while(struct reader *reader, size_t opened)
{
	read_block(reader, opened, RESERVED_DO, "a loop that is not complete");
	read_block(reader, opened, RESERVED_DONE, "a loop that is not complete");
}

/* What `for NAME in` gives NAME is a command of assignments. */
static void add_value(struct reader *reader, const struct shell_word *name, const struct shell_word *value)
{
	struct reading *reading = reader->reading;
	size_t mark = reading->bytes.length;
	struct shell_word *kept = stack_push(reading, &reading->assignments, sizeof(*kept));

	if (!kept)
		return;
	*kept = *value;
	word_append(reader, name->text, strlen(name->text));
	word_append(reader, "=", 1);
	word_append(reader, value->text, strlen(value->text));
	kept->text = memory_text(reading, reading->bytes.items + mark, reading->bytes.length - mark);
	reading->bytes.length = mark;
}

static void read_values(struct reader *reader, const struct shell_word *name)
{
	struct reading *reading = reader->reading;
	size_t mark = reading->assignments.length;
	char all[] = "$@";
	struct shell_word parameters = {.text = all, .position = name->position, .dynamic = true};
	struct word_read value;

	reader_newlines(reader);
	if (!compound_accept(reader, RESERVED_IN)) {
		add_value(reader, name, &parameters);
	} else {
		for (reader_blanks(reader); word_read(reader, WORD_PATTERN, &value); reader_blanks(reader))
			add_value(reader, name, &value.word);
	}
	if (reading->assignments.length > mark)
		simple_emit(reader, reading->words.length, mark, reading->redirects.length);
}

static void read_for(struct reader *reader, size_t opened)
{
	static const char error[] = "a loop that is not complete";
	struct word_read name;

	reader_blanks(reader);
	if (reader_peek(reader) == '(' && reader_second(reader) == '(' && reader_bash(reader)) {
		reader_accept(reader, '(');
		reader_accept(reader, '(');
		if (!arithmetic_read(reader, "))"))
			reader_fail(reader, opened, error);
	} else if (word_read(reader, WORD_PLAIN, &name)) {
		read_values(reader, &name.word);
	} else {
		reader_fail(reader, opened, error);
	}
	reader_blanks(reader);
	reader_accept(reader, ';');
	reader_newlines(reader);
	if (compound_accept(reader, RESERVED_OPEN_BRACE))
		read_block(reader, opened, RESERVED_CLOSE_BRACE, error);
	else if (compound_accept(reader, RESERVED_DO))
		read_block(reader, opened, RESERVED_DONE, error);
	else
		reader_fail(reader, opened, error);
}

static bool accept_case_end(struct reader *reader)
{
	if (reader_peek(reader) != ';')
		return false;
	reader_accept(reader, ';');
	if (!reader_accept(reader, ';'))
		return reader_accept(reader, '&');
	if (reader_peek(reader) == '&' && reader_bash(reader))
		reader_accept(reader, '&');
	return true;
}

/* Patterns, which are data, and their list. */
static void read_case_item(struct reader *reader, size_t opened, const char *error)
{
	struct word_read pattern;

	reader_accept(reader, '(');
	do {
		reader_blanks(reader);
		if (!word_read(reader, WORD_PATTERN, &pattern))
			reader_fail(reader, opened, error);
		reader_blanks(reader);
	} while (reader_accept(reader, '|'));
	if (!reader_accept(reader, ')'))
		reader_fail(reader, opened, error);
	list_read(reader);
}

static void read_case(struct reader *reader, size_t opened)
{
	static const char error[] = "a case that is not complete";
	struct word_read subject;

	reader_blanks(reader);
	if (!word_read(reader, WORD_PATTERN, &subject))
		reader_fail(reader, opened, error);
	reader_newlines(reader);
	if (!compound_accept(reader, RESERVED_IN))
		reader_fail(reader, opened, error);
	reader_newlines(reader);
	while (!compound_accept(reader, RESERVED_ESAC)) {
		if (reader_peek(reader) == READER_END) {
			reader_fail(reader, opened, error);
			return;
		}
		read_case_item(reader, opened, error);
		if (!accept_case_end(reader) && compound_reserved(reader) != RESERVED_ESAC)
			reader_fail(reader, opened, error);
		reader_newlines(reader);
	}
}

static bool accept_condition_end(struct reader *reader)
{
	size_t at = reader->at;

	if (reader_accept(reader, ']') && reader_accept(reader, ']') && word_is_metachar(reader_peek(reader)))
		return true;
	reader->at = at;
	return false;
}

/* Inside [[ ]] the operators < > ( ) && || and ! are data, and so are words. */
static void read_condition(struct reader *reader, size_t opened)
{
	enum word_mode mode = WORD_PATTERN;
	struct word_read word;
	int byte;

	for (reader_newlines(reader); !accept_condition_end(reader); reader_newlines(reader)) {
		byte = reader_peek(reader);
		if (byte == READER_END || byte == ';') {
			reader_fail(reader, opened, "[[ that is not closed");
			return;
		}
		if (!word_read(reader, mode, &word)) {
			reader_accept(reader, byte);
			continue;
		}
		if (word.word.quoted && !word.word.dynamic &&
		    arithmetic_hides_code(word.word.text, strlen(word.word.text)))
			simple_unknown(reader, opened, "[[ runs the command that this text holds");
		mode = !word.word.quoted && strcmp(word.word.text, "=~") == 0 ? WORD_REGEX : WORD_PATTERN;
	}
}

static void read_named_function(struct reader *reader, size_t opened)
{
	struct word_read name;

	reader_blanks(reader);
	if (!word_read(reader, WORD_PLAIN, &name)) {
		reader_fail(reader, opened, "a function without a name");
		return;
	}
	reader_blanks(reader);
	if (reader_peek(reader) == '(' && reader_second(reader) != '(') {
		size_t at = reader->at;

		reader_accept(reader, '(');
		reader_blanks(reader);
		if (!reader_accept(reader, ')'))
			reader->at = at;
	}
	list_function(reader, name.word.text);
}

/* ( .. ), or (( .. )) where that is arithmetic. */
static void read_subshell(struct reader *reader, size_t opened)
{
	size_t inner;

	reader_accept(reader, '(');
	inner = reader->at;
	if (reader_peek(reader) == '(' && reader_bash(reader)) {
		reader_accept(reader, '(');
		if (arithmetic_read(reader, "))"))
			return;
		reader->at = inner;
	}
	list_until(reader, opened, ')', "a parenthesis that is not closed");
}

/* Redirections behind a compound command hold for all that it runs. */
static void read_redirects(struct reader *reader, size_t first)
{
	struct reading *reading = reader->reading;
	size_t mark = reading->redirects.length;
	struct shell_command *commands, *command;

	for (reader_blanks(reader); redirect_read(reader); reader_blanks(reader))
		;
	if (reading->redirects.length == mark)
		return;
	command = simple_emit(reader, reading->words.length, reading->assignments.length, mark);
	if (!command || !redirect_feeds(command->redirects, command->redirect_count, false))
		return;
	commands = (struct shell_command *)reading->commands.items;
	for (size_t i = first; i < reading->commands.length; i++)
		commands[i].piped_input = true;
}

static bool read_reserved(struct reader *reader, enum reserved word, size_t opened)
{
	switch (word) {
	case RESERVED_IF:
		read_if(reader, opened);
		return true;
	case RESERVED_WHILE:
	case RESERVED_UNTIL:
		read_while(reader, opened);
		return true;
	case RESERVED_FOR:
	case RESERVED_SELECT:
		read_for(reader, opened);
		return true;
	case RESERVED_CASE:
		read_case(reader, opened);
		return true;
	case RESERVED_OPEN_BRACE:
		read_block(reader, opened, RESERVED_CLOSE_BRACE, "a brace that is not closed");
		return true;
	case RESERVED_CONDITION:
		read_condition(reader, opened);
		return true;
	case RESERVED_FUNCTION:
		read_named_function(reader, opened);
		return true;
	default:
		return false;
	}
}

bool compound_read(struct reader *reader)
{
	size_t opened = reader->at, first = reader->reading->commands.length;
	enum reserved word;

	if (reader_peek(reader) == '(') {
		read_subshell(reader, opened);
		read_redirects(reader, first);
		return true;
	}
	word = compound_reserved(reader);
	if (compound_closes(word))
		reader_fail(reader, opened, "a reserved word that no command can start with");
	if (word == RESERVED_NONE || !compound_accept(reader, word))
		return false;
	if (read_reserved(reader, word, opened))
		read_redirects(reader, first);
	return true;
}
