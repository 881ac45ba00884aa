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

/* Shells differ: "((rm x))" is arithmetic to one and two subshells to another. */
enum shell_dialect {
	SHELL_BASH,
	SHELL_POSIX
};

/* A word after quote removal. */
struct shell_word {
	char *text;        /* NUL-terminated; what is dynamic stands in it as in the source */
	size_t position;   /* byte offset in the line; of text that was unquoted first (eval): where that starts */
	bool dynamic;      /* holds an expansion whose value cannot be known ($X, $(..), unquoted IFS tricks, {a,b}) */
	bool glob;         /* holds an unquoted *, ? or [..] */
	bool quoted;       /* some part of it was quoted or escaped */
	bool tilde;        /* it, or an assignment's value, starts with an unquoted ~, or with $HOME/, which then reads ~/ */
	size_t expansions; /* $X, $(..), <(..) in it */
	bool process;      /* is <(..) or >(..): at run time a path under /dev/fd */
};

enum shell_redirect_kind {
	SHELL_READ,
	SHELL_WRITE,
	SHELL_READ_WRITE,
	SHELL_HERE_TEXT,
	SHELL_DUPLICATE
};

struct shell_redirect {
	enum shell_redirect_kind kind;
	int descriptor;           /* the redirected one; -1: a file that "." or source reads */
	struct shell_word target; /* the file, the text of a here-document or here-string, or the descriptor's digits */
};

struct shell_command {
	struct shell_word *assignments; /* NAME=value words before the command, or what `for NAME in` gives NAME */
	size_t assignment_count;
	struct shell_word *words; /* words[0] is the command word; none for bare assignments or redirections */
	size_t word_count;
	size_t skip;                      /* leading words that are prefixes of the shell itself: command, builtin, exec */
	struct shell_redirect *redirects; /* without words or assignments: those of a compound command */
	size_t redirect_count;
	bool piped_input;    /* its stdin is what another command of the line writes, or text that the line holds */
	bool assigns;        /* its operands NAME=value are assignments: export, declare */
	bool code_input;     /* "." or source of its own stdin: here-text is code */
	bool multiplies;     /* calls, again in a process of its own, the function whose body it stands in: a fork bomb */
	const char *unknown; /* NULL, or why code that this command runs cannot be read here, in words */
	size_t unknown_position;
	size_t scope; /* of struct shell_line's scopes: `cd` works on what runs in the same one */
	int depth;    /* 0: the line itself; +1 inside each $( ), backtick, <( ), subshell, function, eval, trap */
};

struct shell_line {
	struct shell_command *commands; /* in the order in which they end: what a word holds stands before its command */
	size_t count;
	const char *error;     /* NULL, or what could not be parsed, in words */
	size_t error_position; /* byte offset */
	bool ambiguous;        /* the other dialect may read it otherwise */
	const size_t *scopes;  /* processes of the shell: of each the one that forks it; [0] is the line's own */
	size_t scope_count;
};

/*
 * Reads `length` bytes of text. Always returns a line (NULL only without memory); where it could not be parsed error is
 * set and commands holds what was understood before. Free with shell_free. Bounded: depth 64, 65,536 words; more is an
 * error, as are unbalanced quotes, an unterminated here-document and NUL bytes.
 */
struct shell_line *shell_read(const char *text, size_t length, enum shell_dialect dialect);
void shell_free(struct shell_line *line);

#endif
