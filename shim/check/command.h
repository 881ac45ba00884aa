/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CHECK_COMMAND_H
#define BRIDLE_CHECK_COMMAND_H

#include "decision.h"
#include "image.h"
#include "request.h"

/* What is to be started. */
struct command {
	const char *program; /* as the exec call names it (argv[0] at launch); "" is malformed */
	const char *target;  /* the file it leads to: absolute, symlinks followed; NULL when unknown */
	char *const *argv;   /* argv[0] .. argv[argc - 1] */
	size_t argc;
	uint64_t device, inode;    /* of target, 0 and 0 when unknown: a renamed copy is known by them */
	const uint8_t *build;      /* its build-id (check/build.h), IMAGE_BUILD_SIZE bytes; NULL when unknown */
	const char *caller;        /* basename of the program that starts it; NULL at launch */
	const char *caller_script; /* basename of the script the caller runs, or NULL */
	bool passed_on;            /* that caller speaks through a shell or a script between: it is not the one that calls */
	bool above;                /* it only stands above the one that calls: it vouches for code, not for shapes */
	bool launch;               /* at launch: structure rules apply, trusted callers do not exist */
	const char *cwd;           /* absolute, for rules that ask how far an operand reaches; NULL when unknown */
};

/*
 * The name, argv and (at launch) structure rules on the whole argv, wrappers peeled, to any depth that argv holds.
 * Result: allowed, or the first rule that refuses: name.denylist, argv.inline, argv.shape, structure.metachar,
 * structure.malformed; element says which element of argv decided.
 * Pure and malloc-free: any thread, signal handler, after vfork; under 2 KiB of stack, 5 KiB where
 * commands stand in options of commands.
 */
struct decision check_command(const struct image *image, const struct command *command);

/*
 * May "NAME=value" be put into a command's environment (argv.variables)? Allowed, or argv.inline. Pure as above.
 */
struct decision check_variable(const struct image *image, const char *assignment);

/*
 * Is the program (by any of the command's names and its file) denied? Allowed, or name.denylist with element 0: for the
 * launcher, which resolves the programs behind wrappers (check/operands.h) and asks about each. Pure as above.
 */
struct decision check_name(const struct image *image, const struct command *command);

/* Is the program known to take code from its standard input when it is called like this? Pure as above. */
bool check_reads_code(const struct image *image, char *const *argv, size_t argc);

/* Is that code a line for a shell? Pure as above. */
bool check_reads_line(const struct image *image, char *const *argv, size_t argc);

#endif
