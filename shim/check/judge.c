/* SPDX-License-Identifier: MIT */
/* The walk over a command: program after program, each through its shapes, options and operands. */
#include "check/judge.h"

#include <stdint.h>

#include "check/pattern.h"
#include "check/shape.h"

bool judge_refuse_inline(struct judge *judge, size_t element, uint32_t origin, uint32_t reason)
{
	if (judge->relaxed || judge->visit)
		return false;
	judge->decision = DECISION_DENY(RULE_ARGV_INLINE);
	judge->decision.element = (int32_t)element;
	judge->decision.origin = origin;
	judge->decision.reason = reason;
	return true;
}

static bool refuse_name(struct judge *judge, const struct program *program)
{
	for (uint32_t i = 0; i < program->tools.own; i++) {
		const struct image_tool *tool = tools_at(judge->image, &program->tools, i);

		if (!(tool->flags & IMAGE_TOOL_DENIED))
			continue;
		judge->decision = DECISION_DENY(RULE_NAME_DENYLIST);
		judge->decision.element = (int32_t)program->element;
		judge->decision.origin = tool->deny;
		return true;
	}
	return false;
}

static bool refuse_malformed(struct judge *judge, size_t element)
{
	judge->decision = DECISION_DENY(RULE_STRUCTURE_MALFORMED);
	judge->decision.element = (int32_t)element;
	return true;
}

bool judge_open(struct judge *judge, const struct words *words, struct program *program)
{
	struct span word;

	program->words = *words;
	program->script = false;
	if (!words_next(&program->words, &word, &program->element))
		return false;
	check_tools(judge->image, IMAGE_TOOL_PROGRAM, span_basename(word), &program->tools);
	if (judge->depth == 1)
		judge->unwrapped = program->element;
	judge_show(judge, OPERAND_PROGRAM, word, program->element);
	return true;
}

bool judge_variable(struct judge *judge, struct span assignment, size_t element)
{
	const struct image_sheet *sheet, *refuses = NULL;
	struct tools tools;
	struct sheets sheets;
	struct span value;
	size_t name = 0;

	while (name < assignment.length && assignment.text[name] != '=')
		name++;
	check_tools(judge->image, IMAGE_TOOL_VARIABLE, (struct span){assignment.text, name}, &tools);
	if (judge->visit || name == assignment.length)
		return false;
	value = (struct span){assignment.text + name + 1, assignment.length - name - 1};
	sheets_start(&sheets, judge->image, &tools, false);
	while ((sheet = sheets_next(&sheets))) {
		enum patterns_say say = check_patterns(judge->image, sheet->pattern_first, sheet->pattern_count,
						       value, judge->launch);

		if (say == PATTERNS_ALLOW)
			return false;
		if (say == PATTERNS_REFUSE && (!refuses || sheet->reason))
			refuses = sheet;
	}
	return refuses && judge_refuse_inline(judge, element, refuses->origin, refuses->reason);
}

bool judge_is_assignment(struct span word)
{
	for (size_t i = 0; i < word.length; i++) {
		char byte = word.text[i];

		if (byte == '=')
			return i > 0;
		if (!(byte == '_' || (byte >= '0' && byte <= '9' && i) || (byte >= 'a' && byte <= 'z') ||
		      (byte >= 'A' && byte <= 'Z')))
			return false;
	}
	return false;
}

bool judge_line(struct judge *judge, struct span line, size_t element, uint32_t origin, uint32_t reason)
{
	struct words words = words_of_line(judge->argv, line, element), next = words;
	struct span word;
	size_t at;

	judge_show(judge, OPERAND_SHELL, line, element);
	if (span_is_shell(line) && judge_refuse_inline(judge, element, origin, reason))
		return true;
	while (words_next(&next, &word, &at) && judge_is_assignment(word)) {
		if (judge_variable(judge, word, element))
			return true;
		words = next;
	}
	return judge_words(judge, &words);
}

/* How many operands there are: asked for only where the last one has a role of its own. */
static size_t last_operand(const struct reading *reading)
{
	struct scan scan = reading->scan;
	size_t count = 0;
	enum scan_event event;

	while ((event = scan_next(&scan)) != SCAN_END)
		count += event == SCAN_OPERAND;
	return count ? count - 1 : SIZE_MAX;
}

/* Which of IMAGE_OPTION_TURNS the options have, wherever they stand. */
static uint32_t turns(const struct reading *reading)
{
	struct scan scan = reading->scan;
	enum scan_event event;
	uint32_t flags = 0;

	while ((event = scan_next(&scan)) != SCAN_END)
		if (event == SCAN_OPTION && scan.option)
			flags |= scan.option->flags & IMAGE_OPTION_TURNS;
	return flags;
}

static void start_reading(struct judge *judge, struct program *program, struct reading *reading)
{
	*reading = (struct reading){.judge = judge, .program = program, .last = SIZE_MAX};
	scan_start(&reading->scan, judge->image, &program->tools, &program->words);
	reading->operands = tools_with_roles(judge->image, &program->tools);
	if (tools_have(judge->image, &program->tools, IMAGE_TOOL_TURNS))
		reading->turns = turns(reading);
	reading->at = reading->turns & IMAGE_OPTION_FIRST ? 1 : 0;
	if (reading->operands && reading->operands->role_final != IMAGE_ROLE_ANY && !(reading->turns & IMAGE_OPTION_TARGET))
		reading->last = last_operand(reading) + reading->at;
}

void judge_note_input(struct reading *reading)
{
	struct judge *judge = reading->judge;

	if (judge->depth != 1)
		return;
	judge->reads_code = true;
	judge->reads_line |= tools_have(judge->image, &reading->program->tools, IMAGE_TOOL_SHELL);
}

/* All words are read: does the tool now read code from its standard input? */
static void end_reading(struct reading *reading)
{
	struct judge *judge = reading->judge;
	const struct tools *tools = &reading->program->tools;
	const struct image_sheet *sheet;
	bool code = reading->code && !reading->code_next; /* "xargs sh -c": the code comes from somewhere else */

	if (code || reading->source || reading->informs ||
	    !tools_have(judge->image, tools, IMAGE_TOOL_STDIN))
		return;
	judge_note_input(reading);
	sheet = tools_with_flag(judge->image, tools, IMAGE_TOOL_STDIN);
	if (sheet)
		judge_refuse_inline(judge, reading->program->element, sheet->origin, sheet->reason);
}

/* STEP_AGAIN: the program has become another one, behind this. */
static enum step read_program(struct judge *judge, struct program *program)
{
	struct reading reading;
	enum step step = STEP_ON;

	start_reading(judge, program, &reading);
	while (step == STEP_ON && !judge->stopped) {
		switch (scan_next(&reading.scan)) {
		case SCAN_END:
			end_reading(&reading);
			return STEP_DONE;
		case SCAN_OPTION:
			step = judge_option(&reading);
			break;
		case SCAN_DASHES:
			if (reading.scan.option && reading.scan.option->role == IMAGE_ROLE_AS)
				step = judge_option(&reading);
			break;
		case SCAN_OPERAND:
			step = judge_operand(&reading);
			break;
		}
	}
	return step;
}

static bool judge_program(struct judge *judge, struct program *program)
{
	enum step step;

	do {
		if (program->tools.overflow)
			return !judge->visit && refuse_malformed(judge, program->element);
		if (!judge->visit && !program->script && refuse_name(judge, program))
			return true;
		if (!judge->visit && check_shapes(judge->image, &program->tools, &program->words, &judge->around,
						  program->element, &judge->decision))
			return true;
		step = read_program(judge, program);
	} while (step == STEP_AGAIN && !judge->stopped);
	return judge->decision.denied || judge->stopped;
}

bool judge_named(struct judge *judge, const char *name, const struct words *words)
{
	struct program program = {.words = *words, .element = 0};
	bool over;

	check_tools(judge->image, IMAGE_TOOL_PROGRAM, span_basename(span_of(name)), &program.tools);
	judge->depth++;
	over = judge_program(judge, &program);
	judge->depth--;
	return over;
}

bool judge_words(struct judge *judge, const struct words *words)
{
	struct program program;
	bool over;

	if (judge->depth == JUDGE_DEPTH)
		return !judge->visit && refuse_malformed(judge, words->index ? words->index - 1 : 0);
	judge->depth++;
	over = judge_open(judge, words, &program) && judge_program(judge, &program);
	judge->depth--;
	return over;
}
