/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CHECK_CHOICE_H
#define BRIDLE_CHECK_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "check/scan.h"
#include "check/words.h"

/*
 * The words of find and its kin as an expression: tests side by side must all hold, "-o" and "," part alternatives, "!"
 * inverts, "(" and ")" group. What is asked of it: does something choose by name what an action here would meet? A plain
 * value, all zero but for choice_start. By bits: a level of brackets each, the outermost lowest.
 */
struct choice {
	uint32_t here;     /* some test in the alternative so far chooses */
	uint32_t all;      /* so did one in each alternative before */
	uint32_t inverted; /* the level stands behind a "!" */
	unsigned level;
	bool inverts; /* "!" was the last word */
	bool lost;    /* brackets that do not fit or are too deep: nothing is known */
};

/* All of this is pure: any thread, signal handler, after vfork. */
void choice_start(struct choice *choice);

/* Takes the event where it is part of the expression's grammar; else false, and the event is a test or an operand. */
bool choice_takes(struct choice *choice, const struct scan *scan, enum scan_event event);

/* A test, or an action. chooses: it is one of those that choose, and its value names something. */
void choice_test(struct choice *choice, bool chooses);

/* Is what an action at this place meets chosen? */
bool choice_is_made(const struct choice *choice);

/* Does a pattern name anything, or does it fit all ("*", ".*", "./[a-z]*")? */
bool choice_names(struct span pattern);

#endif
