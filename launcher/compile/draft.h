/* SPDX-License-Identifier: MIT */
/*
 * Tools on their way into the image: found by (parent, name), each with the sheets that speak of it, written as sections
 * at the end. Knows records, not the policy's keys.
 */
#ifndef BRIDLE_COMPILE_DRAFT_H
#define BRIDLE_COMPILE_DRAFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compile/builder.h"
#include "image.h"

/* A list that grows; entries of one size. */
struct draft_list {
	void *entries;
	size_t count, room;
};

void *draft_list_add(struct draft_list *list, size_t size); /* a zeroed entry, valid until the next one is added */

struct draft_option {
	struct image_option record;
	struct draft_list patterns; /* struct image_pattern */
};

/* One entry of a policy while it is read. */
struct draft_sheet {
	struct image_sheet record;
	struct draft_list options;  /* struct draft_option */
	struct draft_list shapes;   /* struct image_shape, conditions already in the image */
	struct draft_list patterns; /* struct image_pattern */
};

/*
 * The sheet's option of that name, made where it is new: "-x", "--long", "-long"; a name that does not start with a sign
 * ("of=", "@"), that ends in ":" ("-agent:"), and "+" alone, is one that words begin with. Valid until the next option.
 */
struct draft_option *draft_option(struct builder *builder, struct draft_sheet *sheet, const char *name,
				  size_t length);

/* Writes the sheet's sections, frees what it held and returns its index. */
uint32_t draft_sheet_put(struct builder *builder, struct draft_sheet *sheet);

struct draft_tool {
	struct image_tool record; /* its run of sheets is filled in at the end */
	struct draft_list sheets; /* uint32_t */
};

struct drafts {
	struct builder *builder;
	const struct image *base;
	struct draft_list tools; /* struct draft_tool */
	uint32_t *slots;         /* as tool_slots, for the search */
	size_t slot_count;
};

/* base: rules compiled beforehand that are to be added to, or NULL; then the builder must be fresh. */
void drafts_start(struct drafts *drafts, struct builder *builder, const struct image *base);
void drafts_free(struct drafts *drafts);

/* The index of the tool (parent, name), made where it is new. A name with glob characters is a glob. */
uint32_t drafts_tool(struct drafts *drafts, uint32_t parent, const char *name, size_t length);
/* Valid until the next drafts_tool. */
struct draft_tool *drafts_at(const struct drafts *drafts, uint32_t index);
const char *drafts_name(const struct drafts *drafts, uint32_t index);

void drafts_add_sheet(struct drafts *drafts, uint32_t tool, uint32_t sheet, uint32_t flags);

/* Fills tools, tool_slots, tool_globs and tool_sheets. */
void drafts_finish(struct drafts *drafts);

#endif
