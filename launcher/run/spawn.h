/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_SPAWN_H
#define BRIDLE_SPAWN_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "backstop/backstop.h"
#include "backstop/belt.h"
#include "failure.h"
#include "policy/policy.h"

/* What is to be started, and how. */
struct plan {
	const char *path;
	char *const *argv;
	char *const *environment;
	const struct policy_limits *limits;
	struct rlimit open_files; /* RLIMIT_NOFILE, before the policy lowers it */
	bool empty_stdin;
	int output, error;       /* become stdout and stderr; -1: stay as they are */
	const sigset_t *signals; /* the mask that the command gets */
	const struct belt *belt;
	struct backstop *backstop;
	struct backstop_session watched; /* what its supervisor works with */
};

/*
 * Starts the plan as a child, under its backstop, and waits until it executes. Returns its pid; -1 with errno set when it
 * could not be started, in which case nothing of it is left (with words in failure when it is the backstop that did not
 * start). A file that is no binary and has no "#!" line is given to /bin/sh, as every shell does. The child dies with the
 * launcher and keeps no descriptor of it.
 */
pid_t spawn(const struct plan *plan, struct failure *failure);

#endif
