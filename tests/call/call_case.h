/* SPDX-License-Identifier: MIT */
/* One use of an interposed function, as words for tests/probe, and the folder that it happens in. */
#ifndef BRIDLE_CALL_CASE_H
#define BRIDLE_CALL_CASE_H

#include <stdbool.h>
#include <stddef.h>

#define CALL_WORDS 8

/* words[0] is what the probe is to expect, the rest its arguments. */
struct call_case {
	const char *name;
	bool denied;
	const char *words[CALL_WORDS];
	const char *policy; /* added to the usual policy; NULL: nothing */
	bool root;          /* needs privileges */
};

extern const struct call_case call_cases[];
extern const size_t call_case_count;

/*
 * A fresh folder with in/ (the root: f, g, aliases, dir/, dir2/, fine, forbidden, lib.so, link -> ../out/f) and out/, which is
 * shut (f, aliases, .netrc, dir/, lib.so).
 * The program `forbidden` may not be started.
 */
struct call_world {
	char top[64];
};

void call_world_make(struct call_world *world);
void call_world_remove(const struct call_world *world);

/* How a case ended: the probe's status, and the lines about it. */
struct call_result {
	int status;
	int denials;       /* lines with "verdict":"deny" */
	int named;         /* of these, with the function's name as "call" */
	char output[2048]; /* what bridle and the probe said on stderr */
};

struct call_result call_run(const struct call_world *world, const struct call_case *call);

/* A shell script in place of the probe; output holds what it printed as well. */
struct call_result call_run_script(const struct call_world *world, const char *script, const char *policy);

/* A program of tests/life in place of the probe; argument and policy may be NULL. */
struct call_result call_run_program(const struct call_world *world, const char *program, const char *argument,
				    const char *policy);

#endif
