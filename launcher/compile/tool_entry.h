/* SPDX-License-Identifier: MIT */
/* One entry of argv.deny, interpreters, wrappers, doors or variables, read into drafts. */
#ifndef BRIDLE_COMPILE_TOOL_ENTRY_H
#define BRIDLE_COMPILE_TOOL_ENTRY_H

#include <stdbool.h>

#include "compile/draft.h"
#include "failure.h"
#include "policy/setting.h"

enum tool_list {
	TOOL_LIST_DENY,
	TOOL_LIST_INTERPRETERS,
	TOOL_LIST_WRAPPERS,
	TOOL_LIST_DOORS,
	TOOL_LIST_VARIABLES
};

/* False with file:line in failure. */
bool compile_tool_entry(struct drafts *drafts, enum tool_list list, const struct setting *entry,
			struct failure *failure);

/* What is wrong with a `name`, in words, or NULL: words parted by blanks, each a name or glob or several with "|". */
const char *wrong_tool_name(const char *text);

#endif
