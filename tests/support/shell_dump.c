/* SPDX-License-Identifier: MIT */
/* The dump that tests of the shell-line reader compare. */
#include "shell_dump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void dump_word(FILE *out, const struct shell_word *word)
{
	fputs(word->text, out);
	if (word->dynamic || word->glob || word->process || word->tilde)
		fprintf(out, "~%s%s%s%s", word->dynamic ? "d" : "", word->glob ? "g" : "", word->process ? "p" : "",
			word->tilde ? "h" : "");
}

static void dump_redirect(FILE *out, const struct shell_redirect *redirect)
{
	static const char *const signs[] = {"<", ">", "<>", "<<", "="};
	int usual = redirect->kind == SHELL_WRITE ? 1 : 0;

	fprintf(out, " %s", signs[redirect->kind]);
	if (redirect->descriptor != usual)
		fprintf(out, "%d:", redirect->descriptor);
	dump_word(out, &redirect->target);
}

static void dump_command(FILE *out, const struct shell_command *command)
{
	if (command->piped_input)
		fputs("p:", out);
	for (size_t i = 0; i < command->assignment_count; i++) {
		fputs(i > 0 ? " " : "", out);
		dump_word(out, &command->assignments[i]);
	}
	for (size_t i = 0; i < command->word_count; i++) {
		fputs(i > 0 && i == command->skip ? "||" : "|", out);
		dump_word(out, &command->words[i]);
	}
	if (command->skip > 0 && command->skip == command->word_count)
		fputs("||", out);
	for (size_t i = 0; i < command->redirect_count; i++)
		dump_redirect(out, &command->redirects[i]);
	if (command->depth > 0)
		fprintf(out, " @%d", command->depth);
	if (command->scope > 0)
		fprintf(out, " %%%zu", command->scope);
	if (command->unknown || command->code_input)
		fputs(" ?", out);
}

char *shell_dump(const struct shell_line *line)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	for (size_t i = 0; i < line->count; i++) {
		fputs(i > 0 ? " ; " : "", out);
		dump_command(out, &line->commands[i]);
	}
	if (line->error)
		fprintf(out, "%sERROR %zu: %s", line->count > 0 ? " ; " : "", line->error_position, line->error);
	fclose(out);
	return text;
}
