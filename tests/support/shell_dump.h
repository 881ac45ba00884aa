/* SPDX-License-Identifier: MIT */
/*
 * What the shell-line reader understood, as one line of text for tests: commands are joined by " ; ".
 *   |word|word    the words; behind one, ~ and what was seen of it: d dynamic, g glob, p process, h home (~)
 *   ||            stands where the shell's own prefixes (command, exec) end
 *   NAME=v|rm|x   assignments stand before the words
 *   <f >2:f <>f <<text =2:1   redirections, the descriptor where it is not the usual one; = duplicates
 *   p:            before: its input is text that the line makes
 *   @2            behind: its depth, when not 0
 *   %3            behind: the process that it runs in, when not 0
 *   ?             behind: it runs what cannot be read
 *   ERROR 12: words
 */
#ifndef BRIDLE_TESTS_SHELL_DUMP_H
#define BRIDLE_TESTS_SHELL_DUMP_H

#include "shell/shell.h"

char *shell_dump(const struct shell_line *line); /* free() it */

/* A row of a table of lines. Each table is also shown to real shells, which must accept what the reader accepts. */
struct shell_case {
	const char *line;
	const char *bash;  /* the dump of bash's reading */
	const char *posix; /* of the POSIX reading; NULL: the same */
	int stricter;      /* SHELL_CASE_BASH, SHELL_CASE_DASH: that shell and the reader differ on purpose */
};
enum {
	SHELL_CASE_BASH = 1,
	SHELL_CASE_DASH = 2
};

extern const struct shell_case shell_words[], shell_assignments[], shell_redirects[], shell_heredocs[],
	shell_expansions[], shell_compounds[], shell_codes[], shell_data[], shell_errors[]; /* each ends with a NULL */

void shell_expect(const struct shell_case *cases);

#endif
