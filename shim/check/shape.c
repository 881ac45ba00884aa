/* SPDX-License-Identifier: MIT */
/* Dangerous combinations of options and operands (argv.deny). */
#include "check/shape.h"

#include "check/broad.h"
#include "check/pattern.h"
#include "check/scan.h"

/* What one pass over the words has found of one shape. */
struct match {
	const struct image *image;
	const struct image_shape *shape;
	const char *cwd;
	bool only_broad; /* it is refused for a broad operand alone */
	uint32_t met;    /* a bit for each group */
	size_t operands;
	bool broad, excused;
	int32_t element; /* of the first condition that was met; -1: none */
};

bool check_names_denied(const struct image *image, struct span operand)
{
	struct span name = span_basename(operand);
	struct tools tools;

	if (name.length == operand.length || !name.length)
		return false;
	check_tools(image, IMAGE_TOOL_PROGRAM, name, &tools);
	return tools.overflow || tools_have(image, &tools, IMAGE_TOOL_DENIED);
}

static bool option_fits(const struct match *match, const struct image_condition *condition,
			const struct scan *scan)
{
	if (!scan->option || !same_string(match->image, scan->option->name, condition->name))
		return false;
	return !condition->value || (scan->value.text &&
				     check_pattern(image_string(match->image, condition->value), scan->value, false));
}

static bool condition_fits(const struct match *match, const struct image_condition *condition,
			   const struct scan *scan, enum scan_event event)
{
	switch (condition->kind) {
	case IMAGE_CONDITION_FLAG:
	case IMAGE_CONDITION_WITHOUT:
		return event != SCAN_OPERAND && option_fits(match, condition, scan);
	case IMAGE_CONDITION_OPERAND:
		return event == SCAN_OPERAND &&
		       check_pattern(image_string(match->image, condition->value), scan->value, false);
	case IMAGE_CONDITION_DENIED:
		return event == SCAN_OPERAND && check_names_denied(match->image, scan->value);
	}
	return false;
}

static void match_event(struct match *match, const struct scan *scan, enum scan_event event)
{
	const struct image_condition *condition =
		image_tool_conditions(match->image) + match->shape->condition_first;

	if (event == SCAN_OPERAND) {
		match->operands++;
		match->broad |= match->only_broad && check_broad(match->image, match->cwd, scan->value);
	}
	for (uint32_t i = 0; i < match->shape->condition_count; i++) {
		if (!condition_fits(match, &condition[i], scan, event))
			continue;
		if (condition[i].kind == IMAGE_CONDITION_WITHOUT) {
			match->excused = true;
			continue;
		}
		match->met |= 1u << condition[i].group;
		if (match->element < 0)
			match->element = (int32_t)scan->element;
	}
}

static bool is_met(const struct match *match)
{
	const struct image_shape *shape = match->shape;
	const struct image_condition *condition =
		image_tool_conditions(match->image) + shape->condition_first;

	if (match->excused || (match->only_broad && !match->broad))
		return false;
	for (uint32_t i = 0; i < shape->condition_count; i++)
		if (condition[i].kind == IMAGE_CONDITION_COUNT && match->operands < condition[i].group)
			return false;
	return match->met == (uint32_t)((1ull << shape->groups) - 1);
}

/* Do the words from here on belong to another program? An option's own command is stepped over. */
static bool ends_here(const struct match *match, const struct image_sheet *operands, struct scan *scan,
		      enum scan_event event)
{
	struct words inner;

	if (event == SCAN_OPERAND)
		return operands && role_takes_all(sheet_role(operands, match->operands));
	if (event == SCAN_OPTION && scan->option && scan->option->role == IMAGE_ROLE_EXEC)
		scan_command(scan, &inner);
	return event == SCAN_OPTION && scan->option && role_takes_all(scan->option->role);
}

/* The word that ends a tool's own words: the inner command's first word is not an operand of the outer one. */
static bool role_is_foreign(const struct match *match, const struct image_sheet *operands,
			    enum scan_event event)
{
	return event == SCAN_OPERAND && sheet_role(operands, match->operands) != IMAGE_ROLE_END;
}

static bool shape_fits(struct match *match, const struct tools *tools, const struct words *words)
{
	const struct image_sheet *operands = tools_with_roles(match->image, tools);
	enum scan_event event;
	struct scan scan;

	scan_start(&scan, match->image, tools, words);
	while ((event = scan_next(&scan)) != SCAN_END) {
		bool ends = ends_here(match, operands, &scan, event);

		if (!ends || !role_is_foreign(match, operands, event))
			match_event(match, &scan, event);
		if (ends)
			break;
	}
	return is_met(match);
}

bool check_shapes(const struct image *image, const struct tools *tools, const struct words *words,
		  const char *cwd, bool trusted, size_t element, struct decision *ret_decision)
{
	const uint32_t only_broad = trusted ? IMAGE_SHAPE_BROAD | IMAGE_SHAPE_DIRECT : IMAGE_SHAPE_BROAD;
	const struct image_sheet *sheet;
	struct sheets sheets;

	sheets_start(&sheets, image, tools, false);
	while ((sheet = sheets_next(&sheets))) {
		for (uint32_t s = 0; s < sheet->shape_count; s++) {
			struct match match = {
				.image = image,
				.cwd = cwd,
				.element = -1,
				.shape = image_tool_shapes(image) + sheet->shape_first + s,
			};

			match.only_broad = match.shape->flags & only_broad;
			if (!shape_fits(&match, tools, words))
				continue;
			*ret_decision = DECISION_DENY(RULE_ARGV_SHAPE);
			ret_decision->element = match.element < 0 ? (int32_t)element : match.element;
			ret_decision->origin = match.shape->origin;
			ret_decision->reason = match.shape->reason;
			return true;
		}
	}
	return false;
}
