/* SPDX-License-Identifier: MIT */
/* Any text as a shell line, in both dialects: what is read lies inside the text, and twice alike. */
#include "target.h"

#include "shell/shell.h"

static void check_word(const struct shell_word *word, size_t size)
{
	require(word->text != NULL);
	require(word->position <= size);
	require(strlen(word->text) <= 16 * size + 64);
}

static void check_command(const struct shell_command *command, size_t size)
{
	require(command->depth >= 0 && command->depth <= 128);
	require(command->skip <= command->word_count);
	require(!command->unknown || (command->unknown[0] && command->unknown_position <= size));
	for (size_t i = 0; i < command->assignment_count; i++) {
		check_word(&command->assignments[i], size);
		require(strchr(command->assignments[i].text, '=') != NULL);
	}
	for (size_t i = 0; i < command->word_count; i++)
		check_word(&command->words[i], size);
	for (size_t i = 0; i < command->redirect_count; i++) {
		check_word(&command->redirects[i].target, size);
		require(command->redirects[i].descriptor >= -1);
	}
}

/* Every process of the shell descends from the line's own. */
static void check_scope(const struct shell_line *line, size_t scope)
{
	size_t steps = 0;

	for (; scope > 0; scope = line->scopes[scope]) {
		require(scope < line->scope_count);
		require(++steps <= 512);
	}
}

static void read_line(const char *text, size_t size, enum shell_dialect dialect)
{
	struct shell_line *line = shell_read(text, size, dialect);
	struct shell_line *again = shell_read(text, size, dialect);

	require(line != NULL && again != NULL);
	require(line->count == again->count && !line->error == !again->error);
	require(!line->error || line->error_position <= size);
	require(line->error || memchr(text, '\0', size) == NULL);
	for (size_t i = 0; i < line->count; i++) {
		check_command(&line->commands[i], size);
		check_scope(line, line->commands[i].scope);
	}
	shell_free(line);
	shell_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	read_line(text, size, SHELL_BASH);
	read_line(text, size, SHELL_POSIX);
	free(text);
	return 0;
}
