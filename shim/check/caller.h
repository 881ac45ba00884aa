/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CHECK_CALLER_H
#define BRIDLE_CHECK_CALLER_H

#include <stdbool.h>
#include <stddef.h>

#include "check/command.h"
#include "decision.h"
#include "image.h"

/*
 * A process that starts a program, as far as rules ask for it: the basenames of its program, of the file that the kernel was
 * asked to execute and of the script that its argv names, each empty when unknown; the head of its argv, as much as
 * fits, inside line; its parent, 0 when unknown. Who reads it from /proc fills program, executed, line and parent.
 */
#define CALLER_SIZE 64
#define CALLER_LINE 384
#define CALLER_WORDS 24
#define CALLER_LEVELS 16 /* processes that are looked at, from the one that starts the program upwards */

struct caller {
	char program[CALLER_SIZE];
	char executed[CALLER_SIZE];
	char script[CALLER_SIZE];
	char line[CALLER_LINE];
	char *argv[CALLER_WORDS];
	size_t argc;
	bool cut; /* argv goes on; its last word here may be half of one */
	long parent;
};

/* All of this is pure: any thread, signal handler, after vfork. */

/* Copies the part of a path behind its last slash, as much as fits. */
void caller_name(char copy[CALLER_SIZE], const char *path);

/* Takes line for argv (`length` bytes, at most CALLER_LINE - 1, each word with its NUL) and finds the script in it. */
void caller_words(struct caller *caller, const struct image *image, size_t length);

/* Does a decision depend on who asks? Some callers may hand code to an interpreter and remove what they made. */
bool caller_matters(const struct decision *decision);

/* Puts the caller into the command by its way number `way` (from 0) of being known; false when there is no such way. */
bool caller_introduce(const struct caller *caller, unsigned way, struct command *command);

/* Is it the launcher? What stands above it is none of the session's callers. */
bool caller_is_launcher(const struct caller *caller);

/*
 * Is what it starts as much its parent's doing: it runs code that it was given itself (`make` -> `sh -c LINE`) or a command
 * (`xargs rm`), or passes its own arguments on, as a script that only looks for the right interpreter?
 */
bool caller_speaks_for_parent(const struct image *image, const struct caller *caller, const struct command *command);

#endif
