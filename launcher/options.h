/* SPDX-License-Identifier: MIT */
/*
 * The command line of run, check and trace (design 1.1), from argv to a plain struct. Prints nothing and starts
 * nothing; usage.h has the texts.
 */
#ifndef BRIDLE_OPTIONS_H
#define BRIDLE_OPTIONS_H

#include <stdbool.h>

#include "failure.h"
#include "policy/policy.h"

struct ready_policy;

enum options_request {
	OPTIONS_COMMAND,
	OPTIONS_HELP,
	OPTIONS_VERSION
};

struct options {
	enum options_request request;
	struct policy_choice choice; /* borrows from argv, but for sets */
	const char *chdir;           /* NULL: stay */
	double timeout;              /* seconds; negative: as the policy says; 0: none */
	bool shell, json, quiet, verbose;
	bool keep_stdin;                   /* --stdin: the command gets ours, with --json too */
	int result_fd;                     /* -1: stdout */
	const char *report;                /* file, or NULL */
	int report_fd;                     /* or -1 */
	const char *otlp;                  /* where spans go (report/otlp.h), or NULL */
	const char *only, *program, *path; /* of trace: what is shown; or NULL */
	bool enforce;                      /* of trace: refuse what the policy refuses */
	bool served;                       /* no option: a server asked; SIGTERM ends the command and all it started */
	bool stream, tell;                 /* no options: output, or also violations, are told at once (run/frames.h) */
	const struct ready_policy *ready;  /* no option: the policy as a server holds it (prepare.h), or NULL */
	const char *traced;                /* the first option that is trace's alone, or NULL */
	char **argv;                       /* the command: argc strings and a NULL, borrowed */
	int argc;
};

/*
 * argv[0] is the command's name; options stop at the first word that is none. False with the reason and a remedy in
 * failure. What was allocated is freed by options_free in either case. Not thread-safe (getopt).
 */
bool options_parse(int argc, char **argv, struct options *ret_options, struct failure *failure);
void options_free(struct options *options);

/*
 * Takes one of the options that say which policy: 'p', 'P', 'r', 'm', and under any other number --set. False with the
 * reason in failure. choice->sets grows by realloc: free() it.
 */
bool options_take_choice(struct policy_choice *choice, int option, const char *value, struct failure *failure);

/* By number, the long options without their dashes; NULL behind the last. *ret_value: it takes a value. */
const char *options_name(size_t index, bool *ret_value);

#endif
