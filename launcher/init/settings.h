/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_INIT_SETTINGS_H
#define BRIDLE_INIT_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "failure.h"
#include "hook/event.h"

/* A settings file as it is and as it shall be. */
struct settings_change {
	const char *file;
	char *before, *after; /* from malloc; NULL: the file is not there, or shall not be */
};

/*
 * What would become of the agent's settings file in the working directory: with bridle's hook, or with undo without it.
 * Changes nothing. False with the reason in failure. settings_free either way.
 */
bool settings_plan(enum hook_agent agent, bool undo, struct settings_change *ret_change, struct failure *failure);
/* The lines that differ, as a diff on stdout; prints nothing where none do. */
void settings_show(const struct settings_change *change);
/*
 * Does it. Where bridle's spelling of the JSON is another than that of the file, the file is kept as FILE.before-bridle, and
 * undo puts it back.
 */
bool settings_write(const struct settings_change *change, struct failure *failure);
/* Says on stdout what a person has to put in where bridle cannot. */
void settings_by_hand(enum hook_agent agent);
void settings_free(struct settings_change *change);

#endif
