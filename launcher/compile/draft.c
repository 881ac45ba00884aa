/* SPDX-License-Identifier: MIT */
/* Tools as they are gathered from a policy, and their sections in the image. */
#include "compile/draft.h"

#include <stdlib.h>
#include <string.h>

#include "check/glob.h"
#include "check/tools.h"

/* A launcher that cannot have a few kilobytes cannot go on. */
void *draft_list_add(struct draft_list *list, size_t size)
{
	char *entry;

	if (list->count == list->room) {
		list->room = list->room ? list->room * 2 : 4;
		list->entries = reallocarray(list->entries, list->room, size);
		if (!list->entries)
			abort();
	}
	entry = (char *)list->entries + list->count++ * size;
	return memset(entry, 0, size);
}

static struct draft_option *option_at(const struct draft_sheet *sheet, size_t index)
{
	return (struct draft_option *)sheet->options.entries + index;
}

/* "of=", "@", "+", "-javaagent:": words begin with it. */
static bool is_prefix(const char *name, size_t length)
{
	return (*name != '-' && *name != '+') || (*name == '+' && length == 1) || name[length - 1] == ':';
}

struct draft_option *draft_option(struct builder *builder, struct draft_sheet *sheet, const char *name,
				  size_t length)
{
	uint32_t string = builder_string_length(builder, name, length);
	struct draft_option *option;

	for (size_t i = 0; i < sheet->options.count; i++)
		if (option_at(sheet, i)->record.name == string)
			return option_at(sheet, i);
	option = draft_list_add(&sheet->options, sizeof(*option));
	option->record = (struct image_option){
		.name = string,
		.length = (uint16_t)length,
		.role = IMAGE_ROLE_NOTHING,
		.arity = IMAGE_VALUE_NONE,
		.flags = is_prefix(name, length) ? IMAGE_OPTION_PREFIX : 0,
	};
	return option;
}

static void put_patterns(struct builder *builder, struct draft_list *patterns, uint32_t *ret_first,
			 uint32_t *ret_count)
{
	*ret_count = (uint32_t)patterns->count;
	*ret_first = BUILDER_APPEND_MANY(builder, tool_patterns, (const struct image_pattern *)patterns->entries,
					 patterns->count);
	free(patterns->entries);
}

uint32_t draft_sheet_put(struct builder *builder, struct draft_sheet *sheet)
{
	struct image_sheet *record = &sheet->record;

	put_patterns(builder, &sheet->patterns, &record->pattern_first, &record->pattern_count);
	record->option_first = builder_count(builder, IMAGE_SECTION_tool_options);
	record->option_count = (uint32_t)sheet->options.count;
	for (size_t i = 0; i < sheet->options.count; i++) {
		struct draft_option *option = option_at(sheet, i);

		put_patterns(builder, &option->patterns, &option->record.pattern_first,
			     &option->record.pattern_count);
		if (option->record.flags & IMAGE_OPTION_TURNS)
			record->flags |= IMAGE_TOOL_TURNS;
		BUILDER_APPEND(builder, tool_options, &option->record);
	}
	record->shape_count = (uint32_t)sheet->shapes.count;
	record->shape_first = BUILDER_APPEND_MANY(
		builder, tool_shapes, (const struct image_shape *)sheet->shapes.entries, sheet->shapes.count);
	free(sheet->options.entries);
	free(sheet->shapes.entries);
	return BUILDER_APPEND(builder, sheets, record);
}

/* Takes over the sections that adding does not change. The builder is fresh, so strings and indices stay what they are. */
static void take_base(struct builder *builder, const struct image *base)
{
	builder_append(builder, IMAGE_SECTION_strings, image_strings(base) + 1, base->strings.count - 1);
	BUILDER_APPEND_MANY(builder, origins, image_origins(base), base->origins.count);
	BUILDER_BORROW(builder, sheets, base);
	BUILDER_BORROW(builder, tool_options, base);
	BUILDER_BORROW(builder, tool_patterns, base);
	BUILDER_BORROW(builder, tool_shapes, base);
	BUILDER_BORROW(builder, tool_conditions, base);
}

static void take_tools(struct drafts *drafts, const struct image *base)
{
	const uint32_t *sheet = image_tool_sheets(base);

	for (uint32_t i = 0; i < base->tools.count; i++) {
		struct draft_tool *tool = draft_list_add(&drafts->tools, sizeof(*tool));

		tool->record = image_tools(base)[i];
		for (uint32_t s = 0; s < tool->record.sheet_count; s++)
			*(uint32_t *)draft_list_add(&tool->sheets, sizeof(*sheet)) =
				sheet[tool->record.sheet_first + s];
	}
	drafts->slot_count = base->tool_slots.count;
	drafts->slots = calloc(drafts->slot_count + 1, sizeof(*drafts->slots));
	if (!drafts->slots)
		abort();
	memcpy(drafts->slots, image_tool_slots(base), drafts->slot_count * sizeof(*drafts->slots));
}

void drafts_start(struct drafts *drafts, struct builder *builder, const struct image *base)
{
	memset(drafts, 0, sizeof(*drafts));
	drafts->builder = builder;
	drafts->base = base;
	if (base)
		take_base(builder, base);
}

static void copy_base(struct drafts *drafts, const struct image *base)
{
	struct builder *builder = drafts->builder;

	BUILDER_BORROW(builder, tools, base);
	BUILDER_BORROW(builder, tool_slots, base);
	BUILDER_BORROW(builder, tool_globs, base);
	BUILDER_BORROW(builder, tool_sheets, base);
}

struct draft_tool *drafts_at(const struct drafts *drafts, uint32_t index)
{
	return (struct draft_tool *)drafts->tools.entries + index;
}

const char *drafts_name(const struct drafts *drafts, uint32_t index)
{
	return drafts->builder->section[IMAGE_SECTION_strings].bytes + drafts_at(drafts, index)->record.name;
}

void drafts_free(struct drafts *drafts)
{
	for (uint32_t i = 0; i < drafts->tools.count; i++)
		free(drafts_at(drafts, i)->sheets.entries);
	free(drafts->tools.entries);
	free(drafts->slots);
}

static uint32_t *slot_of(struct drafts *drafts, uint32_t parent, const char *text, size_t length)
{
	size_t at = check_tool_hash(parent, text, length);

	for (;; at++) {
		uint32_t *slot = &drafts->slots[at & (drafts->slot_count - 1)];
		const struct image_tool *tool = *slot ? &drafts_at(drafts, *slot - 1)->record : NULL;

		if (!tool || (tool->parent == parent && tool->length == length &&
			      !memcmp(drafts_name(drafts, *slot - 1), text, length)))
			return slot;
	}
}

static void grow(struct drafts *drafts)
{
	free(drafts->slots);
	drafts->slot_count = drafts->slot_count ? drafts->slot_count * 2 : 64;
	drafts->slots = calloc(drafts->slot_count, sizeof(*drafts->slots));
	if (!drafts->slots)
		abort();
	for (uint32_t i = 0; i < drafts->tools.count; i++) {
		const struct image_tool *tool = &drafts_at(drafts, i)->record;

		*slot_of(drafts, tool->parent, drafts_name(drafts, i), tool->length) = i + 1;
	}
}

uint32_t drafts_tool(struct drafts *drafts, uint32_t parent, const char *name, size_t length)
{
	struct draft_tool *tool;
	uint32_t *slot, string;

	if (drafts->base && !drafts->tools.count)
		take_tools(drafts, drafts->base);
	if (drafts->tools.count * 2 >= drafts->slot_count)
		grow(drafts);
	slot = slot_of(drafts, parent, name, length);
	if (*slot)
		return *slot - 1;
	string = builder_string_length(drafts->builder, name, length);
	tool = draft_list_add(&drafts->tools, sizeof(*tool));
	tool->record = (struct image_tool){.name = string, .length = (uint32_t)length, .parent = parent};
	*slot = (uint32_t)drafts->tools.count;
	if (parent < IMAGE_TOOL_NAMED)
		drafts_at(drafts, parent)->record.flags |= IMAGE_TOOL_PARENT;
	return (uint32_t)drafts->tools.count - 1;
}

void drafts_add_sheet(struct drafts *drafts, uint32_t tool, uint32_t sheet, uint32_t flags)
{
	struct draft_tool *draft = drafts_at(drafts, tool);

	*(uint32_t *)draft_list_add(&draft->sheets, sizeof(sheet)) = sheet;
	draft->record.flags |= flags;
}

/* The longest pattern first: it says most. */
static int by_length(const void *left, const void *right, void *context)
{
	struct drafts *drafts = context;
	const struct image_tool *a = &drafts_at(drafts, *(const uint32_t *)left)->record;
	const struct image_tool *b = &drafts_at(drafts, *(const uint32_t *)right)->record;

	if (a->length != b->length)
		return a->length < b->length ? 1 : -1;
	return *(const uint32_t *)left < *(const uint32_t *)right ? -1 : 1;
}

static void put_names(struct drafts *drafts)
{
	uint32_t count = (uint32_t)drafts->tools.count, globs = 0;
	uint32_t *glob = calloc(count + 1, sizeof(*glob));

	if (!glob)
		abort();
	for (uint32_t i = 0; i < count; i++)
		if (check_glob_is_pattern(drafts_name(drafts, i)))
			glob[globs++] = i;
	qsort_r(glob, globs, sizeof(*glob), by_length, drafts);
	BUILDER_APPEND_MANY(drafts->builder, tool_globs, glob, globs);
	free(glob);
	BUILDER_APPEND_MANY(drafts->builder, tool_slots, drafts->slots, drafts->slot_count);
}

void drafts_finish(struct drafts *drafts)
{
	if (drafts->base && !drafts->tools.count) {
		copy_base(drafts, drafts->base);
		return;
	}
	put_names(drafts);
	for (uint32_t i = 0; i < drafts->tools.count; i++) {
		struct draft_tool *tool = drafts_at(drafts, i);

		tool->record.sheet_count = (uint32_t)tool->sheets.count;
		tool->record.sheet_first = BUILDER_APPEND_MANY(
			drafts->builder, tool_sheets, (const uint32_t *)tool->sheets.entries, tool->sheets.count);
		BUILDER_APPEND(drafts->builder, tools, &tool->record);
	}
}
