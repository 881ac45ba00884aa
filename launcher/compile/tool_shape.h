/* SPDX-License-Identifier: MIT */
/* The shape that an entry of argv.deny refuses. */
#ifndef BRIDLE_COMPILE_TOOL_SHAPE_H
#define BRIDLE_COMPILE_TOOL_SHAPE_H

#include <stdbool.h>

#include "compile/draft.h"
#include "failure.h"
#include "policy/setting.h"

/* Adds it to each of the tools, and the options it names to what is known of them. False with file:line in failure. */
bool compile_tool_shape(struct drafts *drafts, const uint32_t *tools, size_t tool_count,
			const struct setting *entry, uint32_t origin, uint32_t reason, struct failure *failure);

#endif
