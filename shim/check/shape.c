/* SPDX-License-Identifier: MIT */
/* Dangerous combinations of options and operands (argv.deny). */
#include "check/shape.h"

#include "check/choice.h"
#include "check/pattern.h"
#include "check/scan.h"

/* What one pass over the words has found of one shape. */
struct match {
	const struct image *image;
	const struct image_shape *shape;
	const struct surroundings *around;
	enum reach least; /* an operand that reaches less is no reason to refuse */
	enum reach reach; /* of the operands so far */
	struct choice choice;
	uint32_t met; /* a bit for each group */
	size_t operands;
	bool all; /* a flag that was met meets what nothing has chosen by name */
	bool excused;
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
	case IMAGE_CONDITION_CHOICE:
		return event != SCAN_OPERAND && option_fits(match, condition, scan);
	case IMAGE_CONDITION_OPERAND:
		return event == SCAN_OPERAND &&
		       check_pattern(image_string(match->image, condition->value), scan->value, false);
	case IMAGE_CONDITION_DENIED:
		return event == SCAN_OPERAND && check_names_denied(match->image, scan->value);
	}
	return false;
}

static void measure(struct match *match, struct span operand)
{
	enum reach reach = check_broad(match->image, match->around->cwd, operand);

	if (span_has_braces(operand) && match->around->braces > reach)
		reach = match->around->braces;
	if (reach > match->reach)
		match->reach = reach;
}

static void meet(struct match *match, const struct image_condition *condition, const struct scan *scan)
{
	match->met |= 1u << condition->group;
	if (condition->kind == IMAGE_CONDITION_FLAG)
		match->all |= !choice_is_made(&match->choice);
	if (match->element < 0)
		match->element = (int32_t)scan->element;
}

static bool measures(const struct match *match)
{
	return match->least > REACH_SCRATCH || match->shape->flags & IMAGE_SHAPE_CHOOSES;
}

static void match_event(struct match *match, const struct scan *scan, enum scan_event event)
{
	const struct image_condition *condition =
		image_tool_conditions(match->image) + match->shape->condition_first;
	bool chooses = false;

	if (match->shape->flags & IMAGE_SHAPE_CHOOSES && choice_takes(&match->choice, scan, event))
		return;
	if (event == SCAN_OPERAND) {
		match->operands++;
		if (measures(match))
			measure(match, scan->value);
	}
	for (uint32_t i = 0; i < match->shape->condition_count; i++) {
		if (!condition_fits(match, &condition[i], scan, event))
			continue;
		if (condition[i].kind == IMAGE_CONDITION_WITHOUT)
			match->excused = true;
		else if (condition[i].kind == IMAGE_CONDITION_CHOICE)
			chooses = !scan->value.text || choice_names(scan->value);
		else
			meet(match, &condition[i], scan);
	}
	if (event == SCAN_OPTION)
		choice_test(&match->choice, chooses);
}

/* Where no operand is given: the one that the tool then takes; else nobody knows, and it is taken for ordinary work. */
static void end_operands(struct match *match)
{
	if (!match->operands && match->shape->implied && measures(match))
		measure(match, span_of(image_string(match->image, match->shape->implied)));
	else if (!match->operands)
		match->reach = REACH_WITHIN;
}

static bool is_met(const struct match *match)
{
	const struct image_shape *shape = match->shape;
	const struct image_condition *condition =
		image_tool_conditions(match->image) + shape->condition_first;

	enum reach least = shape->flags & IMAGE_SHAPE_CHOOSES && !match->all ? REACH_BEYOND : match->least;

	if (match->excused || match->reach < least)
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
	end_operands(match);
	return is_met(match);
}

static enum reach least_reach(const struct image_shape *shape, bool trusted)
{
	if (shape->flags & IMAGE_SHAPE_OUTSIDE)
		return REACH_BEYOND;
	if (shape->flags & IMAGE_SHAPE_BROAD || (trusted && shape->flags & IMAGE_SHAPE_DIRECT))
		return REACH_GROUND;
	return shape->flags & IMAGE_SHAPE_DIRECT ? REACH_WITHIN : REACH_SCRATCH;
}

static struct match start_match(const struct image *image, const struct image_shape *shape,
				const struct surroundings *around)
{
	struct match match = {
		.image = image,
		.shape = shape,
		.around = around,
		.least = least_reach(shape, around->trusted),
		.element = -1,
	};

	choice_start(&match.choice);
	return match;
}

bool check_shapes(const struct image *image, const struct tools *tools, const struct words *words,
		  const struct surroundings *around, size_t element, struct decision *ret_decision)
{
	const struct image_sheet *sheet;
	struct sheets sheets;

	sheets_start(&sheets, image, tools, false);
	while ((sheet = sheets_next(&sheets))) {
		for (uint32_t s = 0; s < sheet->shape_count; s++) {
			struct match match =
				start_match(image, image_tool_shapes(image) + sheet->shape_first + s, around);

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

/* The shape that knows what the tool's choices are. */
static const struct image_shape *choosing_shape(const struct image *image, const struct tools *tools)
{
	const struct image_sheet *sheet;
	struct sheets sheets;

	sheets_start(&sheets, image, tools, false);
	while ((sheet = sheets_next(&sheets))) {
		const struct image_shape *shape = image_tool_shapes(image) + sheet->shape_first;

		for (uint32_t left = sheet->shape_count; left; left--, shape++)
			if (shape->flags & IMAGE_SHAPE_CHOOSES)
				return shape;
	}
	return NULL;
}

enum reach check_found(const struct image *image, const struct tools *tools, const struct words *words, const char *cwd,
		       size_t exec)
{
	const struct image_shape *shape = choosing_shape(image, tools);
	const struct surroundings around = {.cwd = cwd};
	enum scan_event event;
	struct match match;
	struct scan scan;

	if (!shape)
		return REACH_WITHIN;
	match = start_match(image, shape, &around);
	scan_start(&scan, image, tools, words);
	while ((event = scan_next(&scan)) != SCAN_END && scan.element != exec) {
		ends_here(&match, NULL, &scan, event);
		match_event(&match, &scan, event);
	}
	end_operands(&match);
	return match.reach == REACH_GROUND && choice_is_made(&match.choice) ? REACH_WITHIN : match.reach;
}
