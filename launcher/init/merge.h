/* SPDX-License-Identifier: MIT */
/* bridle's hook in an agent's settings: put in, found again, taken out. Touches no file. */
#ifndef BRIDLE_INIT_MERGE_H
#define BRIDLE_INIT_MERGE_H

#include <jansson.h>
#include <stdbool.h>

#include "failure.h"
#include "hook/event.h"

/* Where the agent reads the hooks of a project, relative to its folder. */
const char *merge_file(enum hook_agent agent);

/* The files that can switch the hook off, as the entries of a list of paths in a policy. */
const char *merge_locked(enum hook_agent agent);

/*
 * Adds bridle's hook to the settings, behind all that is there; what is there already is left as it is. program: the path
 * of bridle. False with the reason in failure where the settings have another shape than the agent documents.
 */
bool merge_add(enum hook_agent agent, json_t *settings, const char *program, struct failure *failure);

/* Takes out what merge_add put in, and what is empty without it. */
void merge_remove(enum hook_agent agent, json_t *settings);

#endif
