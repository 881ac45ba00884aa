/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_ARRANGE_H
#define BRIDLE_ARRANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "failure.h"
#include "image.h"
#include "policy/policy.h"

/* What the policy's group `start` makes of a command that was allowed. */
struct arrangement {
	char **argv; /* NULL-terminated; arrangement_free() it */
	bool empty_stdin;
	bool moved; /* the launcher now stands in the private directory */
};

/*
 * start.insert puts arguments behind the program (the one behind wrappers). start.directory = "private" goes to `directory`
 * (NULL: stay), after the operands that name files here, and program_path (PATH_MAX bytes), were made absolute.
 * False with the reason in failure.
 */
bool arrange(const struct policy *policy, const struct image *image, char *const *argv, char *program_path,
	     const char *directory, struct arrangement *ret_arrangement, struct failure *failure);
void arrangement_free(struct arrangement *arrangement);

#endif
