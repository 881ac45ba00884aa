/* SPDX-License-Identifier: MIT */
/* The shape that an entry of argv.deny refuses. */
#ifndef BRIDLE_COMPILE_TOOL_SHAPE_H
#define BRIDLE_COMPILE_TOOL_SHAPE_H

#include <stdbool.h>

#include "compile/draft.h"
#include "failure.h"
#include "policy/setting.h"

/* Adds it to the sheet, and the options it names to what the sheet knows. False with file:line in failure. */
bool compile_tool_shape(struct builder *builder, struct draft_sheet *sheet, const struct setting *entry,
			struct failure *failure);

#endif
