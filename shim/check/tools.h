/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CHECK_TOOLS_H
#define BRIDLE_CHECK_TOOLS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "check/words.h"
#include "image.h"

/* The tools that one name stands for: its own entry, and every glob that fits it. */
#define TOOLS_MAX 12

struct tools {
	uint32_t count;
	uint32_t own;             /* how many of them the name stands for; behind them stand parents, for their options */
	uint32_t tool[TOOLS_MAX]; /* the literal name first, then the longest glob; then parents (IMAGE_TOOL_GLOBAL) */
	bool overflow;            /* more fit than there is room for: the caller must refuse */
};

/* Where (parent, name) starts in tool_slots, before masking. Shared with the compiler. */
uint32_t check_tool_hash(uint32_t parent, const char *name, size_t length);

/* Fills ret_tools with what stands under `parent` by this name. Pure: any thread, signal handler, after vfork. */
void check_tools(const struct image *image, uint32_t parent, struct span name, struct tools *ret_tools);

/*
 * The sub-commands called `word` of any of the tools. False, and ret_tools untouched, where there is none. Tools whose
 * options hold everywhere (IMAGE_TOOL_GLOBAL) stay in the set, behind.
 */
bool check_subtools(const struct image *image, const struct tools *tools, struct span word,
		    struct tools *ret_tools);

/* The same among the sub-commands of the tools' parents: a module that runs a module. */
bool check_siblings(const struct image *image, const struct tools *tools, struct span word,
		    struct tools *ret_tools);

static inline const struct image_tool *tools_at(const struct image *image, const struct tools *tools,
						uint32_t at)
{
	return &image_tools(image)[tools->tool[at]];
}

/* Is one of IMAGE_TOOL_* set for any that the name stands for? */
bool tools_have(const struct image *image, const struct tools *tools, uint32_t flags);

/* Every sheet of the tools: of the first tool first, of each tool the latest first. Parents' last, where `all` is set. */
struct sheets {
	const struct image *image;
	const struct tools *tools;
	uint32_t tool, tools_end, left;
};

void sheets_start(struct sheets *sheets, const struct image *image, const struct tools *tools, bool all);
const struct image_sheet *sheets_next(struct sheets *sheets); /* NULL: no more */

/* The first sheet that knows the operands' roles, or NULL. */
const struct image_sheet *tools_with_roles(const struct image *image, const struct tools *tools);

/* The first sheet that has one of the flags, or NULL. */
const struct image_sheet *tools_with_flag(const struct image *image, const struct tools *tools, uint32_t flags);

/* What the operand number `at` (from 0) is to a tool whose sheet knows its operands' roles. */
static inline enum image_role sheet_role(const struct image_sheet *sheet, size_t at)
{
	return sheet->role[at < sheet->role_count ? at : sheet->role_count - 1u];
}

/* Does the command or script that stands in this role take all words behind it for itself? */
static inline bool role_takes_all(enum image_role role)
{
	return role == IMAGE_ROLE_COMMAND || role == IMAGE_ROLE_END || role == IMAGE_ROLE_SCRIPT || role == IMAGE_ROLE_MODULE ||
	       role == IMAGE_ROLE_AS || role == IMAGE_ROLE_SPLIT;
}

static inline bool same_string(const struct image *image, uint32_t left, uint32_t right)
{
	return left == right || !strcmp(image_string(image, left), image_string(image, right));
}

/*
 * The option that the text is: exactly, or (text starts with "--" and none is exactly it) by the beginning of its name;
 * of several that begin so the one whose role weighs most, then the shortest. NULL: not known.
 */
const struct image_option *tools_option(const struct image *image, const struct tools *tools,
					struct span text);

/* The option (IMAGE_OPTION_PREFIX) whose name the word begins with, or NULL. */
const struct image_option *tools_prefix(const struct image *image, const struct tools *tools,
					struct span word);

#endif
