/* SPDX-License-Identifier: MIT */
/*
 * Inside the shell-line reader. One struct reading lasts for the whole line; a struct reader walks one text: the line
 * itself, or text that had to be unquoted first (backticks, eval, trap). Each function consumes what its name says from
 * reader->at on. Errors stick: after the first one every text looks as if it ended, so loops need no check of their own.
 */
#ifndef BRIDLE_SHELL_READER_H
#define BRIDLE_SHELL_READER_H

#include "shell/shell.h"

#define READER_END (-1)
#define READER_MAX_DEPTH 128 /* a nested command counts twice: once for its list */
#define READER_MAX_WORDS 65536

/* What is built up while nested constructs come and go: each user notes the length first and cuts back to it. */
struct stack {
	char *items;
	size_t length, room; /* items of the user's size */
};

struct block; /* of memory that lives as long as the line */

/* A here-document whose body starts after the next newline. */
struct pending {
	struct shell_word delimiter;
	bool strip_tabs;
	size_t command, redirect; /* where the body goes */
};

struct reading {
	struct shell_line line; /* first: shell_free gets its address */
	struct block *blocks;
	struct stack commands;    /* struct shell_command */
	struct stack marks;       /* size_t: offsets in bytes of unquoted braces and commas */
	struct stack bytes;       /* char: texts of words being read */
	struct stack words;       /* struct shell_word of commands being read */
	struct stack assignments; /* struct shell_word */
	struct stack redirects;   /* struct shell_redirect */
	struct stack pending;     /* struct pending */
	struct stack aliases;     /* char *: names that the line makes aliases */
	struct stack functions;   /* struct function_body */
	struct stack scopes;      /* size_t: shell_line's */
	size_t word_total;
	size_t work; /* bytes of text read a further time */
	size_t work_limit;
	enum shell_dialect dialect;
	bool homeless; /* the line gives HOME a value of its own */
	bool fed;      /* exec made text of the line the input of all that follows */
	int nesting;   /* constructs that are open */
};

struct reader {
	struct reading *reading;
	const char *text;
	size_t length, at;
	size_t base;         /* position of text[0] in the line */
	bool unquoted;       /* text is not a piece of the line as it stands: every position is base */
	int depth;           /* struct shell_command's */
	size_t scope;        /* likewise */
	bool piped;          /* stdin of what is read now comes from a command or text of the line */
	size_t pending_mark; /* here-documents from here on belong to this list */
};

/* The commands of a function's body, by index. */
struct function_body {
	char *name;
	size_t first, end;
};

/* memory.c: all NULL or false only after an error was set */
void *memory_take(struct reading *reading, size_t size);
char *memory_text(struct reading *reading, const char *text, size_t length);
void memory_free(struct reading *reading);
void *stack_push(struct reading *reading, struct stack *stack, size_t size);
void *stack_keep(struct reading *reading, struct stack *stack, size_t mark, size_t size);

/* read.c */
int reader_peek(struct reader *reader);   /* the next byte, line continuations skipped; READER_END at the end */
int reader_raw(struct reader *reader);    /* the next byte as it stands */
int reader_second(struct reader *reader); /* the byte after the next */
bool reader_accept(struct reader *reader, int byte);
void reader_blanks(struct reader *reader);   /* and a comment */
void reader_newlines(struct reader *reader); /* blanks and newlines; a newline reads the here-documents before it */
bool reader_newline(struct reader *reader);  /* one newline, which must be next */
bool reader_bash(struct reader *reader);     /* bash's reading? Notes that dialects differ here */
size_t reader_position(const struct reader *reader, size_t at);
void reader_fail(struct reader *reader, size_t at, const char *error);
void reading_fail(struct reading *reading, size_t position, const char *error);
bool reader_enter(struct reader *reader); /* one level deeper; pair with reader_leave when true */
void reader_leave(struct reader *reader);
/*
 * A process of the shell begins: returns the scope around it, which goes back into reader->scope when it ends.
 * reader_fork: the commands from `first` on, already read in this scope, turn out to run in one of their own.
 */
size_t reader_scope(struct reader *reader);
void reader_fork(struct reader *reader, size_t first, size_t first_scope);
/* Reads other text at the place where reader is: as commands, or, a word's, as the body of a here-document, whose escapes
   it removes. */
void reader_commands_in(struct reader *reader, const char *text, size_t length, size_t position);
void reader_expansions_in(struct reader *reader, struct shell_word *word);

/* word.c */
enum word_mode {
	WORD_PLAIN = 0,
	WORD_ASSIGNMENT = 1, /* NAME=value and NAME=( .. ) may stand here */
	WORD_SUBSCRIPT = 2,  /* and NAME[..]=value */
	WORD_PATTERN = 4,    /* @( .. ) and its kin may stand here */
	WORD_REGEX = 8,      /* after =~ : parentheses and | belong to the word */
	WORD_DELIMITER = 16, /* of a here-document: no process substitution */
};
struct word_read {
	struct shell_word word;
	size_t value;      /* offset of an assignment's value in text; 0: not an assignment */
	const bool *marks; /* which bytes of text are unquoted braces and commas; NULL: no list in braces stands in it */
	bool dynamic;      /* apart from that list */
};
bool word_read(struct reader *reader, enum word_mode mode, struct word_read *ret_read); /* false: no word here */
void word_append(struct reader *reader, const char *bytes, size_t count);
void word_single_quotes(struct reader *reader, struct shell_word *word);
void word_double_quotes(struct reader *reader, struct shell_word *word);
void word_settle_home(struct reading *reading, struct shell_word *word); /* $HOME/x as ~/x */
bool word_is_metachar(int byte);
bool word_is_name(const char *text, size_t length);

/* brace.c */
/* The words that a list in braces makes of one; NULL: there is none, or it makes too many. */
char **brace_expand(struct reader *reader, const struct word_read *read, size_t *ret_count);

/* ansi.c */
void ansi_quotes(struct reader *reader, struct shell_word *word); /* the rest of $'..' */

/* expansion.c */
enum expansion_place {
	EXPANSION_BARE,
	EXPANSION_QUOTED,
	EXPANSION_HERE
};
void expansion_dollar(struct reader *reader, struct shell_word *word, enum expansion_place place);
void expansion_backtick(struct reader *reader, struct shell_word *word, enum expansion_place place);
void expansion_process(struct reader *reader, struct shell_word *word);

/* arithmetic.c */
bool arithmetic_read(struct reader *reader, const char *close); /* up to "))" or "]"; false: it is not arithmetic,
								   nothing is consumed */
bool arithmetic_hides_code(const char *text, size_t length);    /* a[$(..)]: run when evaluated as a number */

void arithmetic_expand(struct reader *reader, size_t mark, size_t at);

/* redirect.c */
bool redirect_read(struct reader *reader); /* false: none stands here */
/* Is stdin text that the line makes? inherited: what it is without these redirections. */
bool redirect_feeds(const struct shell_redirect *redirects, size_t count, bool inherited);

/* heredoc.c */
void heredoc_bodies(struct reader *reader);

/* simple.c */
void simple_read(struct reader *reader);
struct shell_command *simple_emit(struct reader *reader, size_t words, size_t assignments, size_t redirects);
void simple_unknown(struct reader *reader, size_t at, const char *why); /* a command with no words that says so */

/* compound.c */
enum reserved {
	RESERVED_NONE,
#define RESERVED(name, word, closes) RESERVED_##name,
#include "shell/reserved.def"
#undef RESERVED
};
enum reserved compound_reserved(struct reader *reader); /* the reserved word that stands here */
bool compound_closes(enum reserved word);
bool compound_accept(struct reader *reader, enum reserved word);
bool compound_read(struct reader *reader); /* false: no compound command stands here */

/* list.c */
size_t list_read(struct reader *reader);  /* up to what cannot continue a list; the number of its pipelines */
void list_command(struct reader *reader); /* one command of a pipeline */
/* A list one level deeper, up to and with close. */
void list_until(struct reader *reader, size_t opened, int close, const char *error);
void list_function(struct reader *reader, const char *name);

/* builtin.c */
void builtin_read(struct reader *reader, size_t command); /* what the command's own words hold as code */

#endif
