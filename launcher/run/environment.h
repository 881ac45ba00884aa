/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_ENVIRONMENT_H
#define BRIDLE_ENVIRONMENT_H

#include "compile/compile.h"
#include "policy/policy.h"
#include "session/session.h"

/*
 * The environment that the command gets: of `from` what the policy inherits, then what it sets (context says what stands
 * for its variables; path is not needed), TMPDIR where the policy
 * wants a private one, PWD where the command starts in another directory (directory: NULL: it does not), and the handoff
 * (include/handoff.h). session NULL: without the handoff and TMPDIR, for a command that is only judged. Returns one
 * block of memory to free(), or NULL without memory.
 */
char **environment_build(const struct policy *policy, const struct compile_context *context,
			 const struct session *session, const char *directory, char *const *from);

/* The value of a variable in an environment, or NULL. */
const char *environment_get(char *const *environment, const char *name);

#endif
