/* SPDX-License-Identifier: MIT */
/*
 * The builtins of the shell's own grammar that run text or evaluate it: what they are given is read as code where it
 * stands in the line, and noted as unknown where it does not.
 */
#include "shell/reader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum action {
	ACTION_JOIN,    /* the operands, joined by blanks, are code */
	ACTION_HANDLER, /* the first of several operands is code */
	ACTION_VALUES,  /* each operand is NAME=code */
	ACTION_FILE,    /* the first operand is a file of code */
	ACTION_NUMBERS, /* operands are evaluated as names or numbers */
	ACTION_ASSIGNS, /* operands are NAME=value */
	ACTION_CODE,    /* the option's value is code */
	ACTION_TEXT,    /* the option's value is expanded */
	ACTION_UNKNOWN, /* with this option it runs what cannot be read here */
};

static const struct builtin {
	const char *name;
	char option; /* 0: always */
	enum action action;
} builtins[] = {
	{"eval", 0, ACTION_JOIN},
	{"trap", 0, ACTION_HANDLER},
	{"alias", 0, ACTION_VALUES},
	{".", 0, ACTION_FILE},
	{"source", 0, ACTION_FILE},
	{"let", 0, ACTION_NUMBERS},
	{"test", 0, ACTION_NUMBERS},
	{"[", 0, ACTION_NUMBERS},
	{"unset", 0, ACTION_NUMBERS},
	{"read", 0, ACTION_NUMBERS},
	{"wait", 0, ACTION_NUMBERS},
	{"getopts", 0, ACTION_NUMBERS},
	{"printf", 'v', ACTION_NUMBERS},
	{"export", 0, ACTION_ASSIGNS},
	{"readonly", 0, ACTION_ASSIGNS},
	{"local", 0, ACTION_ASSIGNS},
	{"declare", 0, ACTION_ASSIGNS},
	{"typeset", 0, ACTION_ASSIGNS},
	{"mapfile", 'C', ACTION_CODE},
	{"readarray", 'C', ACTION_CODE},
	{"complete", 'C', ACTION_CODE},
	{"compgen", 'C', ACTION_CODE},
	{"complete", 'W', ACTION_TEXT},
	{"compgen", 'W', ACTION_TEXT},
	{"hash", 'p', ACTION_CODE},
	{"enable", 'f', ACTION_UNKNOWN},
	{"jobs", 'x', ACTION_UNKNOWN},
	{"bind", 'x', ACTION_UNKNOWN},
};

/* Words that stand before the command that runs; options: those that take a value are followed by a colon. */
static const struct {
	const char *name, *options;
	bool asks_with_v; /* -v and -V only ask what a name means */
} prefixes[] = {
	{"command", "pvV", true},
	{"builtin", "", false},
	{"exec", "cla:", false},
};

/* Variables whose text shells expand or run. */
static const char *const expanded_variables[] = {"PS0", "PS1", "PS2", "PS4", "ENV", "BASH_ENV"};
static const char code_variable[] = "PROMPT_COMMAND";

static size_t skip_options(const struct shell_command *command, size_t at, const char *options, bool *ret_asks)
{
	while (at < command->word_count && command->words[at].text[0] == '-' && command->words[at].text[1]) {
		const char *text = command->words[at++].text;
		const char *takes = strchr(options, ':');

		if (strcmp(text, "--") == 0)
			break;
		*ret_asks |= strpbrk(text, "vV") != NULL;
		if (takes && strchr(text, takes[-1]) == text + strlen(text) - 1)
			at++;
	}
	return at < command->word_count ? at : command->word_count;
}

static size_t skip_prefixes(const struct shell_command *command)
{
	size_t at = 0, i = 0;

	while (at < command->word_count && i < sizeof(prefixes) / sizeof(*prefixes)) {
		bool asks = false;

		if (strcmp(command->words[at].text, prefixes[i].name) != 0) {
			i++;
			continue;
		}
		at = skip_options(command, at + 1, prefixes[i].options, &asks);
		if (asks && prefixes[i].asks_with_v)
			return command->word_count;
		i = 0;
	}
	return at;
}

static void note_unknown(struct reader *reader, size_t index, const struct shell_word *word, const char *why)
{
	struct shell_command *commands = (struct shell_command *)reader->reading->commands.items;

	if (commands[index].unknown)
		return;
	commands[index].unknown = why;
	commands[index].unknown_position = word->position;
}

/* Code that a word holds. Where parts of it are unknown it need not parse. */
static void read_code(struct reader *reader, size_t index, const struct shell_word *word, const char *text)
{
	struct reading *reading = reader->reading;
	bool failed = reading->line.error != NULL;

	reader_commands_in(reader, text, strlen(text), word->position);
	if (!word->dynamic)
		return;
	if (!failed)
		reading->line.error = NULL;
	note_unknown(reader, index, word, "the text that it runs is not known");
}

static void read_expansions(struct reader *reader, const struct shell_word *word, const char *text)
{
	struct shell_word copy = *word;

	copy.text = memory_text(reader->reading, text, strlen(text));
	if (copy.text)
		reader_expansions_in(reader, &copy);
}

static void read_joined(struct reader *reader, size_t index, const struct shell_word *words, size_t count)
{
	struct reading *reading = reader->reading;
	size_t mark = reading->bytes.length;
	struct shell_word joined = words[0];

	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			word_append(reader, " ", 1);
		word_append(reader, words[i].text, strlen(words[i].text));
		joined.dynamic |= words[i].dynamic;
	}
	joined.text = memory_text(reading, reading->bytes.items + mark, reading->bytes.length - mark);
	reading->bytes.length = mark;
	if (joined.text)
		read_code(reader, index, &joined, joined.text);
}

static void read_alias(struct reader *reader, size_t index, const struct shell_word *word)
{
	const char *equals = strchr(word->text, '=');
	struct reading *reading = reader->reading;
	struct shell_word value = *word;
	char **name;

	if (!equals)
		return;
	name = stack_push(reading, &reading->aliases, sizeof(*name));
	if (!name)
		return;
	*name = memory_text(reading, word->text, (size_t)(equals - word->text));
	value.dynamic = true; /* an alias may hold half a command */
	read_code(reader, index, &value, equals + 1);
	((struct shell_command *)reading->commands.items)[index].unknown = word->dynamic ? "an alias that is not known"
											 : NULL;
}

/* The file is read like any other; text from a descriptor is code that the line must hold. */
static void note_file(struct reader *reader, size_t index, const struct shell_word *word)
{
	struct shell_command *command = (struct shell_command *)reader->reading->commands.items + index;
	struct shell_redirect *redirects;

	if (word->dynamic) {
		note_unknown(reader, index, word, "the file that it runs is not known");
		return;
	}
	if (strncmp(word->text, "/dev/", 5) == 0 || strncmp(word->text, "/proc/", 6) == 0) {
		command->code_input = true;
		return;
	}
	redirects = memory_take(reader->reading, (command->redirect_count + 1) * sizeof(*redirects));
	if (!redirects)
		return;
	if (command->redirect_count > 0)
		memcpy(redirects, command->redirects, command->redirect_count * sizeof(*redirects));
	redirects[command->redirect_count++] = (struct shell_redirect){SHELL_READ, -1, *word};
	command->redirects = redirects;
}

static void check_assignment(struct reader *reader, size_t index, const struct shell_word *word)
{
	const char *equals = strchr(word->text, '=');
	size_t length = equals ? (size_t)(equals - word->text) : 0;

	if (word->quoted && !word->dynamic && arithmetic_hides_code(word->text, strlen(word->text)))
		note_unknown(reader, index, word, "arithmetic would run the command that this text holds");
	if (!equals || !word->quoted || !strpbrk(equals, "$`"))
		return;
	if (length == sizeof(code_variable) - 1 && memcmp(word->text, code_variable, length) == 0)
		read_code(reader, index, word, equals + 1);
	for (size_t i = 0; i < sizeof(expanded_variables) / sizeof(*expanded_variables); i++)
		if (strlen(expanded_variables[i]) == length && memcmp(word->text, expanded_variables[i], length) == 0)
			read_expansions(reader, word, equals + 1);
}

/* The value of an option: the rest of its cluster, or the next word. */
static const struct shell_word *find_option(const struct shell_command *command, size_t at, char letter,
					    const char **ret_text)
{
	for (; at < command->word_count; at++) {
		const struct shell_word *word = &command->words[at];
		const char *found = word->text[0] == '-' ? strchr(word->text + 1, letter) : NULL;

		if (!found)
			continue;
		*ret_text = found + 1;
		if (found[1] == '\0' && at + 1 < command->word_count) {
			word++;
			*ret_text = word->text;
		}
		return word;
	}
	return NULL;
}

static void read_operands(struct reader *reader, size_t index, const struct shell_command *command, size_t at,
			  enum action action)
{
	while (at < command->word_count && command->words[at].text[0] == '-' &&
	       (action == ACTION_HANDLER || action == ACTION_VALUES || strcmp(command->words[at].text, "--") == 0)) {
		if (strcmp(command->words[at++].text, "-") == 0)
			return;
	}
	if (at >= command->word_count)
		return;
	if (action == ACTION_JOIN)
		read_joined(reader, index, command->words + at, command->word_count - at);
	else if (action == ACTION_HANDLER && command->word_count - at > 1)
		read_code(reader, index, &command->words[at], command->words[at].text);
	else if (action == ACTION_FILE)
		note_file(reader, index, &command->words[at]);
	for (; at < command->word_count; at++) {
		if (action == ACTION_VALUES)
			read_alias(reader, index, &command->words[at]);
		else if (action == ACTION_NUMBERS || action == ACTION_ASSIGNS)
			check_assignment(reader, index, &command->words[at]);
	}
}

static void apply(struct reader *reader, size_t index, const struct shell_command *command, size_t at,
		  const struct builtin *builtin)
{
	const struct shell_word *value;
	const char *text;

	if (builtin->action == ACTION_ASSIGNS)
		((struct shell_command *)reader->reading->commands.items)[index].assigns = true;
	if (!builtin->option) {
		read_operands(reader, index, command, at, builtin->action);
		return;
	}
	value = find_option(command, at, builtin->option, &text);
	if (!value)
		return;
	if (builtin->action == ACTION_CODE)
		read_code(reader, index, value, text);
	else if (builtin->action == ACTION_TEXT)
		read_expansions(reader, value, text);
	else if (builtin->action == ACTION_UNKNOWN)
		note_unknown(reader, index, value, "it runs or loads what cannot be read here");
	else
		read_operands(reader, index, command, at, builtin->action);
}

void builtin_read(struct reader *reader, size_t index)
{
	struct shell_command *kept = (struct shell_command *)reader->reading->commands.items + index, command;

	kept->skip = skip_prefixes(kept);
	command = *kept; /* the stack may move while text inside is read */
	for (size_t i = 0; i < command.assignment_count; i++)
		check_assignment(reader, index, &command.assignments[i]);
	if (command.skip == command.word_count && command.word_count > 0 &&
	    redirect_feeds(command.redirects, command.redirect_count, false))
		reader->reading->fed = true;
	if (command.skip >= command.word_count || command.words[command.skip].dynamic)
		return;
	for (size_t i = 0; i < sizeof(builtins) / sizeof(*builtins); i++)
		if (strcmp(command.words[command.skip].text, builtins[i].name) == 0)
			apply(reader, index, &command, command.skip + 1, &builtins[i]);
}
