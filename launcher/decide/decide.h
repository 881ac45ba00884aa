/* SPDX-License-Identifier: MIT */
/*
 * The decision at launch: everything that the policy can say about a command before it starts. Asks the kernel where
 * paths lead, starts and changes nothing. Path and command rules are the shim's own (shim/check/).
 */
#ifndef BRIDLE_DECIDE_H
#define BRIDLE_DECIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "decide/program.h"
#include "decision.h"
#include "image.h"
#include "policy/policy.h"
#include "request.h"

struct question {
	const struct image *image;
	const struct policy *policy;
	char *const *argv; /* of the command, or with shell the one line */
	size_t argc;
	bool shell;
	const char *search; /* PATH as the command will have it; NULL: none */
	const char *home;   /* for "~" in shell lines; NULL: none */
	bool backstop;      /* the run-time rules hold in what the shim cannot enter too */
};

struct verdict {
	struct decision decision;
	struct request request; /* what was refused, or the whole command; borrows from below and from the question */
	struct program program; /* what will be started: with shell, the shell */
	enum rule coverage;     /* RULE_NONE, or why the shim cannot enter the program */
	char path[PATH_MAX];    /* of request */
	char *subject;          /* of request, where it stands nowhere else */
	uint32_t line;          /* of the deciding entry in the policy's own file, where decision.origin does not say it */
	char reason[1024];      /* of a refusal, in words; "" otherwise */
	char *shell[4];         /* argv of the shell that runs a --shell line: sh -c LINE */
	char **words;           /* argv of the refused command inside a shell line, NULL-terminated; NULL: there is no line */
};

/* The first refusal in the order name, argv, structure, path, integrity, coverage; or allowed. verdict_free() it. */
void decide_command(const struct question *question, struct verdict *ret_verdict);
void verdict_free(struct verdict *verdict);

/* The working directory that --chdir names: a path like any other. */
void decide_directory(const struct question *question, const char *directory, struct verdict *ret_verdict);

/* A place in the command that is judged: how deep in shell lines, and where relative paths start. */
struct place {
	int depth;        /* of shell lines in each other; 0: argv itself */
	const char *base; /* absolute; NULL: the working directory; "": not known, only absolute paths are judged */
	bool partial;     /* parts of the line are not known, so it need not parse */
	bool bash;        /* only bash's reading of the line counts */
	bool matched;     /* what is judged are names that a pattern found: to look at one shows no more than its folder does */
};

/*
 * The parts of decide_command. Each returns true when it refused and filled the verdict.
 *
 * decide_words: one command: its name, arguments and what they name. known[i] false: argv[i] is not known before run time
 * (NULL: all are).
 *
 * decide_path: a path that is read, written or run. A folder that may only be listed (paths.list) is refused to who reads it,
 * for that may take all in it; decide_look lets it pass. What a listing of its folder shows, its kind, size and times, may be
 * asked of anything in a folder that may be listed or read, unless an entry shuts it: decide_look lets that pass for what is no
 * folder itself, decide_status for folders too.
 *
 * decide_move: a path that may be written gets another name; a folder takes along what the rules below it are on, which is
 * refused.
 *
 * decide_spread: the files that the patterns among a shell line's words find, found[i] those of words[i]; the words
 * themselves are judged before.
 */
bool decide_words(const struct question *question, char *const *argv, size_t argc, const bool *known,
		  struct place place, struct verdict *verdict);
bool decide_operands(const struct question *question, char *const *argv, size_t argc, const bool *known,
		     struct place place, struct verdict *verdict);
bool decide_path(const struct question *question, enum op op, const char *path, struct place place, int element,
		 struct verdict *verdict);
bool decide_look(const struct question *question, const char *path, struct place place, int element,
		 struct verdict *verdict);
bool decide_status(const struct question *question, const char *path, struct place place, int element,
		   struct verdict *verdict);
bool decide_move(const struct question *question, const char *path, struct place place, int element,
		 struct verdict *verdict);
struct matches;
bool decide_spread(const struct question *question, const struct matches *found, char *const *words, size_t count,
		   struct place place, struct verdict *verdict);
bool decide_line(const struct question *question, const char *line, size_t length, struct place place,
		 struct verdict *verdict);
bool decide_pins(const struct question *question, struct verdict *verdict);

/* Ends a refusal: writes the reason where there is none yet. Returns true. */
bool decide_refuse(const struct question *question, struct verdict *verdict);

#endif
