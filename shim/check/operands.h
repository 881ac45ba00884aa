/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CHECK_OPERANDS_H
#define BRIDLE_CHECK_OPERANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "image.h"

/* What a piece of argv is, as far as the tables know. */
enum operand_kind {
	OPERAND_PROGRAM, /* names a program that is started: argv[0], and each one behind a wrapper */
	OPERAND_UNKNOWN, /* a path that is read if it holds a slash or exists, else just a word */
	OPERAND_READ,    /* a path that is read */
	OPERAND_LOOK,    /* a path that is looked at: a folder's names are read, what lies in it is not */
	OPERAND_STATUS,  /* a path of which only kind, size and times are asked, of a folder too */
	OPERAND_WRITE,   /* a path that is written, created or removed */
	OPERAND_MOVE,    /* the same, and what lies in it goes along */
	OPERAND_VALUE,   /* the value of an option nobody knows ("--x=VALUE"): shut where a path is shut by name, else a word */
	OPERAND_DATA,    /* text, a number, a pattern, an address: no path */
	OPERAND_CODE,    /* code for an interpreter */
	OPERAND_SHELL    /* a line for a shell */
};

struct operand {
	enum operand_kind kind;
	size_t element;   /* of argv */
	const char *text; /* within argv[element]; length bytes, not NUL-terminated */
	size_t length;
};

/*
 * Shows each piece of argv that is a program, an operand or the value of an option, in order of the elements, wrappers
 * peeled; stops early when visit returns false. Words that belong to a script or to a program nobody knows are shown as
 * UNKNOWN. An element of which the tables know nothing (a flag) is not shown; one can be shown more than once ("@file" is DATA,
 * and its file READ). No rule is applied.
 * Pure as far as visit is: any thread, signal handler, after vfork.
 */
typedef bool operand_visit(void *context, const struct operand *operand);
void check_operands(const struct image *image, char *const *argv, size_t argc, operand_visit *visit,
		    void *context);

/*
 * The element at which the innermost command starts when wrappers are peeled as long as the words that follow are just
 * one command ("env A=1 timeout 5 make x": 4); 0 where argv[0] is no wrapper. Pure as above.
 */
size_t check_unwrap(const struct image *image, char *const *argv, size_t argc);

#endif
