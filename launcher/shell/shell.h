/* SPDX-License-Identifier: MIT */
/*
 * A conservative reader of POSIX shell lines (with the bash forms that agents write): from text to the simple commands,
 * redirections and assignments in it, at any depth. It runs nothing and expands nothing; what cannot be known before
 * run time is marked, never guessed.
 */
#ifndef BRIDLE_SHELL_H
#define BRIDLE_SHELL_H

#include <stdbool.h>
#include <stddef.h>

/* A word after quote removal. */
struct shell_word {
	char *text;       /* NUL-terminated; what is dynamic stands in it as in the source */
	size_t position;  /* byte offset in the line */
	bool dynamic;     /* holds an expansion whose value cannot be known ($X, $(..), unquoted IFS tricks) */
	bool glob;        /* holds an unquoted *, ? or [ */
	bool quoted;      /* some part of it was quoted or escaped */
	bool tilde;       /* starts with an unquoted ~ */
};

enum shell_redirect_kind { SHELL_READ, SHELL_WRITE, SHELL_READ_WRITE, SHELL_HERE_TEXT, SHELL_DUPLICATE };

struct shell_redirect {
	enum shell_redirect_kind kind;
	int descriptor;           /* the redirected one */
	struct shell_word target; /* the file, the text of a here-document or here-string, or the descriptor's digits */
};

struct shell_command {
	struct shell_word *assignments; /* NAME=value words before the command */
	size_t assignment_count;
	struct shell_word *words; /* words[0] is the command word; none for bare assignments or redirections */
	size_t word_count;
	struct shell_redirect *redirects;
	size_t redirect_count;
	bool piped_input; /* its stdin is the output of another command of the line */
	int depth;        /* 0: the line itself; +1 inside each $( ), backtick, <( ), subshell, function, eval, trap */
};

struct shell_line {
	struct shell_command *commands; /* in the order of their command words */
	size_t count;
	const char *error;     /* NULL, or what could not be parsed, in words */
	size_t error_position; /* byte offset */
};

/*
 * Reads `length` bytes of text. Always returns a line; where it could not be parsed error is set and commands holds
 * what was understood before. Free with shell_free. Bounded: depth 64, 65,536 words; more is an error, as are unbalanced
 * quotes, an unterminated here-document and NUL bytes.
 */
struct shell_line *shell_read(const char *text, size_t length);
void shell_free(struct shell_line *line);

#endif
