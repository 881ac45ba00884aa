/* SPDX-License-Identifier: MIT */
/* From names to what is known of them: tools, sub-commands, options. */
#include "check/tools.h"

#include <string.h>

#include "check/glob.h"

uint32_t check_tool_hash(uint32_t parent, const char *name, size_t length)
{
	uint32_t hash = 2166136261u ^ (parent * 2654435761u);

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)name[i]) * 16777619u;
	return hash ^ hash >> 15;
}

static void add(struct tools *tools, uint32_t tool)
{
	if (tools->count < TOOLS_MAX)
		tools->tool[tools->count++] = tool;
	else
		tools->overflow = true;
}

static bool named(const struct image *image, const struct image_tool *tool, uint32_t parent,
		  struct span name)
{
	return tool->parent == parent && tool->length == name.length &&
	       !memcmp(image_string(image, tool->name), name.text, name.length);
}

static void add_named(const struct image *image, uint32_t parent, struct span name, struct tools *tools)
{
	const uint32_t *slots = image_tool_slots(image);
	uint32_t mask = image->tool_slots.count - 1;

	if (!image->tool_slots.count)
		return;
	for (uint32_t at = check_tool_hash(parent, name.text, name.length) & mask; slots[at];
	     at = (at + 1) & mask) {
		if (named(image, &image_tools(image)[slots[at] - 1], parent, name)) {
			add(tools, slots[at] - 1);
			return;
		}
	}
}

/* Most patterns start with a letter: one look tells nearly all of them apart. */
static inline bool may_fit(unsigned char pattern, unsigned char first)
{
	if (pattern > '\\') /* what stands for other letters does not come behind it in ASCII */
		return pattern == first;
	return pattern == '*' || pattern == '?' || pattern == '[' || pattern == '\\' || pattern == first;
}

static void add_globs(const struct image *image, uint32_t parent, struct span name, struct tools *tools)
{
	const uint32_t *glob = image_tool_globs(image), *end = glob + image->tool_globs.count;
	const struct image_tool *all = image_tools(image);
	const char *strings = image_string(image, 0);
	unsigned char first = name.length ? (unsigned char)*name.text : '\0';

	for (; glob < end; glob++) {
		const char *pattern = strings + all[*glob].name;

		if (all[*glob].parent == parent && may_fit((unsigned char)*pattern, first) &&
		    check_glob(pattern, name.text, name.length))
			add(tools, *glob);
	}
}

void check_tools(const struct image *image, uint32_t parent, struct span name, struct tools *ret_tools)
{
	ret_tools->count = 0;
	ret_tools->overflow = false;
	add_named(image, parent, name, ret_tools);
	add_globs(image, parent, name, ret_tools);
	ret_tools->own = ret_tools->count;
}

bool check_subtools(const struct image *image, const struct tools *tools, struct span word,
		    struct tools *ret_tools)
{
	struct tools found = {.count = 0};

	for (uint32_t i = 0; i < tools->own; i++)
		if (tools_at(image, tools, i)->flags & IMAGE_TOOL_PARENT)
			add_named(image, tools->tool[i], word, &found);
	if (!found.count)
		return false;
	found.own = found.count;
	for (uint32_t i = 0; i < tools->count; i++)
		if (tools_at(image, tools, i)->flags & IMAGE_TOOL_GLOBAL)
			add(&found, tools->tool[i]);
	*ret_tools = found;
	return true;
}

bool check_siblings(const struct image *image, const struct tools *tools, struct span word,
		    struct tools *ret_tools)
{
	struct tools found = {.count = 0};

	for (uint32_t i = 0; i < tools->own; i++)
		if (tools_at(image, tools, i)->parent < IMAGE_TOOL_NAMED)
			add_named(image, tools_at(image, tools, i)->parent, word, &found);
	if (!found.count)
		return false;
	found.own = found.count;
	*ret_tools = found;
	return true;
}

bool tools_have(const struct image *image, const struct tools *tools, uint32_t flags)
{
	for (uint32_t i = 0; i < tools->own; i++)
		if (tools_at(image, tools, i)->flags & flags)
			return true;
	return false;
}

void sheets_start(struct sheets *sheets, const struct image *image, const struct tools *tools, bool all)
{
	*sheets = (struct sheets){.image = image, .tools = tools, .tools_end = all ? tools->count : tools->own};
	if (sheets->tools_end)
		sheets->left = tools_at(image, tools, 0)->sheet_count;
}

const struct image_sheet *sheets_next(struct sheets *sheets)
{
	const struct image_tool *tool;

	while (sheets->tool < sheets->tools_end && !sheets->left)
		if (++sheets->tool < sheets->tools_end)
			sheets->left = tools_at(sheets->image, sheets->tools, sheets->tool)->sheet_count;
	if (sheets->tool >= sheets->tools_end)
		return NULL;
	tool = tools_at(sheets->image, sheets->tools, sheets->tool);
	return &image_sheets(sheets->image)[image_tool_sheets(sheets->image)[tool->sheet_first + --sheets->left]];
}

const struct image_sheet *tools_with_roles(const struct image *image, const struct tools *tools)
{
	const struct image_sheet *sheet;
	struct sheets sheets;

	sheets_start(&sheets, image, tools, false);
	while ((sheet = sheets_next(&sheets)) && !sheet->role_count)
		;
	return sheet;
}

const struct image_sheet *tools_with_flag(const struct image *image, const struct tools *tools, uint32_t flags)
{
	const struct image_sheet *sheet;
	struct sheets sheets;

	sheets_start(&sheets, image, tools, false);
	while ((sheet = sheets_next(&sheets)) && !(sheet->flags & flags))
		;
	return sheet;
}

static bool outweighs(const struct image_option *option, const struct image_option *best)
{
	if (!best || option->role != best->role)
		return !best || option->role > best->role;
	if (option->length != best->length)
		return option->length < best->length;
	return best->flags & IMAGE_OPTION_WEAK;
}

static bool begins(const struct image *image, const struct image_option *option, struct span text)
{
	const char *name = image_string(image, option->name);

	return option->length >= text.length && !(option->flags & IMAGE_OPTION_PREFIX) &&
	       name[text.length - 1] == text.text[text.length - 1] && !memcmp(name, text.text, text.length);
}

const struct image_option *tools_option(const struct image *image, const struct tools *tools,
					struct span text)
{
	bool abbreviated = text.length > 2 && text.text[0] == '-' && text.text[1] == '-';
	const struct image_option *best = NULL, *weak = NULL;
	const struct image_sheet *sheet;
	struct sheets sheets;

	sheets_start(&sheets, image, tools, true);
	while ((sheet = sheets_next(&sheets))) {
		const struct image_option *option = image_tool_options(image) + sheet->option_first;

		for (uint32_t left = sheet->option_count; left; left--, option++) {
			if (!begins(image, option, text))
				continue;
			if (option->length == text.length && !(option->flags & IMAGE_OPTION_WEAK))
				return option;
			if (option->length == text.length)
				weak = option;
			else if (abbreviated && outweighs(option, best))
				best = option;
		}
	}
	return weak ? weak : best;
}

const struct image_option *tools_prefix(const struct image *image, const struct tools *tools,
					struct span word)
{
	const struct image_option *weak = NULL;
	const struct image_sheet *sheet;
	struct sheets sheets;

	sheets_start(&sheets, image, tools, true);
	while ((sheet = sheets_next(&sheets))) {
		const struct image_option *option = image_tool_options(image) + sheet->option_first;

		for (uint32_t left = sheet->option_count; left; left--, option++) {
			if (!(option->flags & IMAGE_OPTION_PREFIX) || word.length < option->length ||
			    memcmp(image_string(image, option->name), word.text, option->length))
				continue;
			if (!(option->flags & IMAGE_OPTION_WEAK))
				return option;
			weak = option;
		}
	}
	return weak;
}
