/* SPDX-License-Identifier: MIT */
/*
 * What a policy knows of programs (names.deny, argv.*, structure) on its way into the image. All lists of argv but
 * trusted_callers share one grammar; CONTRIBUTING.md ("Add a tool to the tables") explains it to people.
 */
#ifndef BRIDLE_COMPILE_COMMANDS_H
#define BRIDLE_COMPILE_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compile/builder.h"
#include "compile/compile.h"
#include "failure.h"
#include "policy/policy.h"
#include "policy/setting.h"

/* Fills the sections tools, tool_*, and grounds. */
bool compile_commands(struct builder *builder, const struct policy *policy,
		      const struct compile_context *context, struct failure *failure);

/* An image of these sections alone, without what depends on the machine. On success free() it. */
bool compile_rules(const struct policy *policy, void **ret_image, size_t *ret_size, struct failure *failure);

/* The IMAGE_INLINE_* and IMAGE_METACHARS_* bits. */
uint32_t compile_command_flags(const struct policy *policy);

/*
 * Runs the examples (match: must be refused, not_match: must pass) of every entry of argv against the image, with
 * argv.inline = "deny" and structure.metachars = "off" whatever the policy says. Fills failure with file:line of each
 * entry whose example fails (as many as fit) and returns false; *ret_count becomes the number of examples run.
 */
bool compile_examples(const struct policy *policy, const void *image, size_t size, size_t *ret_count,
		      struct failure *failure);

#endif
