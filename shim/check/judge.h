/* SPDX-License-Identifier: MIT */
/* Private to check/: the walk over a command and all that it wraps, for check_command and check_operands alike. */
#ifndef BRIDLE_CHECK_JUDGE_H
#define BRIDLE_CHECK_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "check/operands.h"
#include "check/scan.h"
#include "check/shape.h"
#include "check/tools.h"
#include "check/words.h"
#include "decision.h"
#include "image.h"

/*
 * Lines in options and commands between "-exec" and ";" are judged apart from the words around them. Such a piece is
 * strictly inside another and cannot hold many: a command in argv, a line in one of its words, a word of that line.
 * What goes deeper is refused as malformed.
 */
#define JUDGE_DEPTH 4

struct judge {
	const struct image *image;
	char *const *argv;
	struct surroundings around;
	bool launch;
	bool relaxed; /* inline code is let pass */
	struct decision decision;

	operand_visit *visit; /* NULL: judge; else nothing is judged and each piece is shown */
	void *context;
	bool stopped;      /* visit has seen enough */
	size_t unwrapped;  /* element of the innermost command of the straight line of wrappers */
	bool reads_line;   /* and that is a shell's */
	bool reads_code;   /* the last program of the straight line takes code from stdin */
	bool writes_found; /* a command behind an option writes what stands for each file that is found ("{}") */
	int depth;
};

/* A program, and the words behind its own. */
struct program {
	struct tools tools;
	struct words words;
	size_t element;
	bool script; /* a script or module: known by its name, but no rule about names applies */
};

/* One program's words while they are read. */
struct reading {
	struct judge *judge;
	struct program *program;
	struct scan scan;
	const struct image_sheet *operands; /* the sheet that knows their roles, or NULL */
	size_t at;                          /* operands so far, in terms of roles */
	size_t last;                        /* number of the last operand, where the tool asks for it; else SIZE_MAX */
	uint32_t turns;                     /* IMAGE_OPTION_TURNS of its options */
	bool code_next;                     /* a shell's code is the next operand */
	bool code, source, informs;         /* code was given; a file of code; it only tells something */
};

enum step {
	STEP_ON,
	STEP_AGAIN,
	STEP_DONE
};

/* Judges or shows everything in words; true when that is over: refused, or visit has seen enough. */
bool judge_words(struct judge *judge, const struct words *words);

/* The same for the program of that name, words behind its own word. */
bool judge_named(struct judge *judge, const char *name, const struct words *words);

/* Its standard input is code. */
void judge_note_input(struct reading *reading);

/* Each takes the event that reading->scan holds. STEP_AGAIN: *reading->program is another one now. */
enum step judge_option(struct reading *reading);
enum step judge_operand(struct reading *reading);

/* Sets the decision unless inline code is let pass; true when refused. */
bool judge_refuse_inline(struct judge *judge, size_t element, uint32_t origin, uint32_t reason);
/* A command line in one word: judged as a command, and as code where only a shell can read it. */
bool judge_line(struct judge *judge, struct span line, size_t element, uint32_t origin, uint32_t reason);
bool judge_variable(struct judge *judge, struct span assignment, size_t element);
/* Is it NAME=value? */
bool judge_is_assignment(struct span word);
/* Does the name lead to the standard input or to a descriptor? */
bool judge_is_stdin(struct span path);
/* Makes *program the one whose own word is next in words; false where there is none. */
bool judge_open(struct judge *judge, const struct words *words, struct program *program);

bool judge_show(struct judge *judge, enum operand_kind kind, struct span text, size_t element);

#endif
