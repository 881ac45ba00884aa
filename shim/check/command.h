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
	const char *caller;        /* basename of the program that starts it; NULL at launch */
	const char *caller_script; /* basename of the script the caller runs, or NULL */
	bool launch;               /* at launch: structure rules apply, trusted callers do not exist */
};

/*
 * The name, argv and (at launch) structure rules on the whole argv, wrappers peeled, to any depth that argv holds.
 * Result: allowed, or the first rule that refuses: name.denylist, argv.inline, argv.shape, structure.metachar,
 * structure.malformed; element says which element of argv decided.
 * Pure and malloc-free: any thread, signal handler, after vfork; under 1 KiB of stack.
 */
struct decision check_command(const struct image *image, const struct command *command);

#endif
