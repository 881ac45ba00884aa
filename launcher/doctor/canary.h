/* SPDX-License-Identifier: MIT */
/*
 * Canaries: small programs that try what the policy refuses, each on another way around a guard, in a folder of their
 * own. What they try is to create a file through a link, so no argument names it.
 */
#ifndef BRIDLE_DOCTOR_CANARY_H
#define BRIDLE_DOCTOR_CANARY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "failure.h"

enum canary_promise {
	CANARY_SHIM,
	CANARY_BACKSTOP
}; /* who has to catch it */
enum canary_outcome {
	CANARY_CAUGHT,   /* refused, and a report line says so */
	CANARY_REPORTED, /* a line says so, but it went through: audit mode */
	CANARY_SILENT,   /* refused, but no line says so */
	CANARY_ESCAPED,
	CANARY_UNTRIED, /* does not apply here: why */
};

struct canary {
	const char *name, *words;
	enum canary_promise promise;
	enum canary_outcome outcome;
	char detail[160]; /* rule and layer that caught it, or why it was not tried */
};

#define CANARY_COUNT 7

/* Where they live: a folder with all that they need. */
struct canary_cage {
	char folder[PATH_MAX];
	const char *target; /* the file that they try to create: the policy refuses it, and it does not exist */
};

/* Makes the cage under $TMPDIR or /tmp; canary_clear removes it. */
bool canary_cage(struct canary_cage *cage, const char *target, struct failure *failure);
void canary_clear(const struct canary_cage *cage);

/* Runs all of them through `bridle run` with these further options (NULL-terminated). */
void canary_run(const struct canary_cage *cage, const char *const *options, struct canary ret_canaries[CANARY_COUNT]);

/* The inside of a canary: what `bridle doctor --canary NAME` does. Returns its exit status: 0, or the errno it got. */
int canary_act(const char *name);

#endif
