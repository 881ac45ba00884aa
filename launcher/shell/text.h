/* SPDX-License-Identifier: MIT */
/* Words of a shell line as the program gets them, as far as that is known before it runs. */
#ifndef BRIDLE_SHELL_TEXT_H
#define BRIDLE_SHELL_TEXT_H

#include "shell/shell.h"

/* What "~" stands for. Each may be NULL: not known. */
struct shell_homes {
	const char *own;
	char *(*of)(const char *user); /* the home of "~user", to free(); NULL: there is no such user */
};

/*
 * The word with "~", "~/x" and "~user/x" expanded. NULL: it is known at run time only, or there is no memory. free() it.
 */
char *shell_text(const struct shell_word *word, const struct shell_homes *homes);

/*
 * The word as NAME=value, for the rules about variables: NAME+=value adds to it and NAME[0]=value sets it, so both count as
 * NAME=value. NULL: it assigns nothing, or there is no memory. free() it.
 */
char *shell_assignment(const struct shell_word *word);

/*
 * The command and its arguments, without the shell's own prefixes, NULL-terminated; known[i] false: the word stands as in the
 * source; <(..) stands as a path under /dev/fd. NULL without memory. *ret_known has as many elements. free() both by
 * shell_argv_free.
 */
char **shell_argv(const struct shell_command *command, const struct shell_homes *homes, bool **ret_known);
void shell_argv_free(char **argv, bool *known);

/*
 * Is this path /dev/tcp/HOST/PORT or /dev/udp/HOST/PORT, which bash connects to instead of opening it? Then host gets the
 * name or number.
 */
#define SHELL_HOST_MAX 256
bool shell_peer(const char *path, char host[SHELL_HOST_MAX], unsigned *ret_port);

#endif
