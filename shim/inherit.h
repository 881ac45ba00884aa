/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_INHERIT_H
#define BRIDLE_INHERIT_H

#include <stdbool.h>
#include <stddef.h>

/* The handoff as NAME=value strings, as this process got it. */
struct inherit {
	const char *preload; /* path of the shim, to stand first in LD_PRELOAD */
	const char *session; /* value of BRIDLE_SESSION */
};

/* Is the guardrail already in envp as it must be, so that it can be passed on untouched? Pure. */
bool inherit_is_right(const struct inherit *inherit, char *const *envp);

/*
 * Builds in `vector` (room for count(envp) + 3 pointers) and `text` (at least inherit_text_size bytes) the environment
 * that a child gets: envp's strings, untouched and in order, but LD_PRELOAD starts with the shim (other entries kept,
 * never twice) and BRIDLE_SESSION starts with ours (what an inner launcher appended is kept). envp itself is never
 * written. NULL envp counts as empty. Pure: any thread, signal handler, after vfork.
 */
size_t inherit_text_size(const struct inherit *inherit, char *const *envp);
void inherit_build(const struct inherit *inherit, char *const *envp, char **vector, char *text);

#endif
