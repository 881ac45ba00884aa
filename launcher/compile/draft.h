/* SPDX-License-Identifier: MIT */
/*
 * Tools on their way into the image: found by (parent, name), added to by any number of policy entries, written as
 * sections at the end. Knows records, not the policy's keys.
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

struct draft_option {
	struct image_option record;  /* its pattern run is filled in at the end */
	struct draft_list patterns;  /* struct image_pattern */
};

struct draft_tool {
	struct image_tool record;    /* its runs are filled in at the end */
	struct draft_list options;   /* struct draft_option */
	struct draft_list shapes;    /* struct image_shape, conditions already in the image */
	struct draft_list patterns;  /* struct image_pattern */
	bool no_clusters;
};

struct drafts {
	struct builder *builder;
	struct draft_list tools; /* struct draft_tool */
	uint32_t *slots;         /* as tool_slots, for the search */
	size_t slot_count;
};

void drafts_start(struct drafts *drafts, struct builder *builder);
void drafts_free(struct drafts *drafts);

/* The index of the tool (parent, name), made where it is new. A name with glob characters is a glob. */
uint32_t drafts_tool(struct drafts *drafts, uint32_t parent, const char *name, size_t length);
/* Valid until the next drafts_tool. */
struct draft_tool *drafts_at(struct drafts *drafts, uint32_t index);

/*
 * The option of that name, made where it is new. The name may end in nothing special: "-x", "--long", "-long"; a name
 * that does not start with "-" or "+" is a prefix of operands. Valid until the next option of this tool.
 */
struct draft_option *draft_option(struct drafts *drafts, uint32_t tool, const char *name, size_t length);

void draft_pattern(struct draft_list *patterns, const struct image_pattern *pattern);
void draft_shape(struct drafts *drafts, uint32_t tool, const struct image_shape *shape);

/* Fills tools, tool_slots, tool_globs, tool_options, tool_patterns and tool_shapes. */
void drafts_finish(struct drafts *drafts);

#endif
