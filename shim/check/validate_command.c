/* SPDX-License-Identifier: MIT */
/* Are the records about programs and their arguments whole? */
#include "check/validate.h"

/* A slot table must have a free slot for every search to end at. */
static bool has_free_slot(const uint32_t *slot, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!slot[i])
			return true;
	return count == 0;
}

static bool valid_role(uint8_t role)
{
	return role < IMAGE_ROLE_COUNT;
}

/* That many bytes and the end of a string behind them. A NUL among them does no harm: such a name fits nothing. */
static bool valid_name(const struct image *image, uint32_t offset, uint32_t length)
{
	return valid_string(image, offset) && length < image->strings.count - offset &&
	       !image_strings(image)[offset + length];
}

static bool valid_tool(const struct image *image, const struct image_tool *tool)
{
	if (!valid_name(image, tool->name, tool->length) || tool->flags & ~IMAGE_TOOL_FLAGS)
		return false;
	if (tool->parent < IMAGE_TOOL_NAMED && tool->parent >= image->tools.count)
		return false;
	return valid_run(image->tool_sheets, tool->sheet_first, tool->sheet_count) &&
	       valid_origin(image, tool->deny);
}

static bool valid_sheet(const struct image *image, const struct image_sheet *sheet)
{
	if (!valid_run(image->tool_options, sheet->option_first, sheet->option_count) ||
	    !valid_run(image->tool_shapes, sheet->shape_first, sheet->shape_count) ||
	    !valid_run(image->tool_patterns, sheet->pattern_first, sheet->pattern_count))
		return false;
	for (int i = 0; i < IMAGE_TOOL_ROLES; i++)
		if (!valid_role(sheet->role[i]))
			return false;
	return sheet->role_count <= IMAGE_TOOL_ROLES && valid_role(sheet->role_final) &&
	       !(sheet->flags & ~IMAGE_TOOL_FLAGS) && valid_origin(image, sheet->origin) &&
	       valid_string(image, sheet->reason);
}

bool valid_tools(const struct image *image)
{
	for (uint32_t i = 0; i < image->tools.count; i++)
		if (!valid_tool(image, &image_tools(image)[i]))
			return false;
	return true;
}

bool valid_tool_slots(const struct image *image)
{
	const uint32_t *slot = image_tool_slots(image);
	uint32_t count = image->tool_slots.count;

	for (uint32_t i = 0; i < count; i++)
		if (slot[i] > image->tools.count)
			return false;
	return !(count & (count - 1)) && has_free_slot(slot, count);
}

bool valid_tool_globs(const struct image *image)
{
	for (uint32_t i = 0; i < image->tool_globs.count; i++)
		if (image_tool_globs(image)[i] >= image->tools.count)
			return false;
	return true;
}

bool valid_tool_sheets(const struct image *image)
{
	for (uint32_t i = 0; i < image->tool_sheets.count; i++)
		if (image_tool_sheets(image)[i] >= image->sheets.count)
			return false;
	return true;
}

bool valid_sheets(const struct image *image)
{
	for (uint32_t i = 0; i < image->sheets.count; i++)
		if (!valid_sheet(image, &image_sheets(image)[i]))
			return false;
	return true;
}

bool valid_tool_options(const struct image *image)
{
	const struct image_option *option = image_tool_options(image);

	for (uint32_t i = 0; i < image->tool_options.count; i++, option++)
		if (!valid_name(image, option->name, option->length) || !option->length ||
		    !valid_role(option->role) || option->arity > IMAGE_VALUE_TWO ||
		    option->flags & ~(IMAGE_OPTION_TURNS | IMAGE_OPTION_PREFIX | IMAGE_OPTION_WEAK) ||
		    !valid_run(image->tool_patterns, option->pattern_first, option->pattern_count) ||
		    !valid_origin(image, option->origin) || !valid_string(image, option->reason))
			return false;
	return true;
}

bool valid_tool_patterns(const struct image *image)
{
	const struct image_pattern *pattern = image_tool_patterns(image);

	for (uint32_t i = 0; i < image->tool_patterns.count; i++, pattern++)
		if (!valid_string(image, pattern->text) || pattern->verdict > IMAGE_PATTERN_ALLOW_AT_RUN)
			return false;
	return true;
}

bool valid_tool_shapes(const struct image *image)
{
	const struct image_shape *shape = image_tool_shapes(image);

	for (uint32_t i = 0; i < image->tool_shapes.count; i++, shape++)
		if (!valid_run(image->tool_conditions, shape->condition_first, shape->condition_count) ||
		    shape->groups > IMAGE_SHAPE_GROUPS || shape->flags & ~IMAGE_SHAPE_FLAGS ||
		    !valid_origin(image, shape->origin) || !valid_string(image, shape->reason) ||
		    !valid_string(image, shape->implied))
			return false;
	return true;
}

bool valid_tool_conditions(const struct image *image)
{
	const struct image_condition *condition = image_tool_conditions(image);

	for (uint32_t i = 0; i < image->tool_conditions.count; i++, condition++)
		if (condition->kind > IMAGE_CONDITION_CHOICE || !valid_string(image, condition->name) ||
		    (condition->kind != IMAGE_CONDITION_COUNT && condition->group >= IMAGE_SHAPE_GROUPS) ||
		    !valid_string(image, condition->value))
			return false;
	return true;
}

bool valid_tool_files(const struct image *image)
{
	for (uint32_t i = 0; i < image->tool_files.count; i++)
		if (image_tool_files(image)[i].tool >= image->tools.count)
			return false;
	return true;
}

bool valid_tool_builds(const struct image *image)
{
	for (uint32_t i = 0; i < image->tool_builds.count; i++)
		if (image_tool_builds(image)[i].tool >= image->tools.count)
			return false;
	return true;
}

bool valid_grounds(const struct image *image)
{
	for (uint32_t i = 0; i < image->grounds.count; i++)
		if (!valid_string(image, image_grounds(image)[i]))
			return false;
	return true;
}
