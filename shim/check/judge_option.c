/* SPDX-License-Identifier: MIT */
/* What an option of a program means for the rules. */
#include <stdint.h>

#include "check/judge.h"
#include "check/language.h"
#include "check/pattern.h"

/*
 * What all entries that know this option say of the value: one that allows it decides; else it is refused when one of
 * them refuses it.
 */
static bool refused_by_patterns(const struct reading *reading, const struct image_option *option,
				struct span value)
{
	const struct image *image = reading->judge->image;
	const struct image_sheet *sheet;
	struct sheets sheets;
	bool refused = false;

	sheets_start(&sheets, image, &reading->program->tools, true);
	while ((sheet = sheets_next(&sheets))) {
		const struct image_option *other = image_tool_options(image) + sheet->option_first;

		for (uint32_t left = sheet->option_count; left; left--, other++) {
			enum patterns_say say;

			if (other->role != option->role || !same_string(image, other->name, option->name))
				continue;
			say = check_patterns(image, other->pattern_first, other->pattern_count, value,
					     reading->judge->launch);
			if (say == PATTERNS_ALLOW)
				return false;
			refused |= say == PATTERNS_REFUSE;
		}
	}
	return refused;
}

static enum step refuse(struct reading *reading, const struct image_option *option)
{
	return judge_refuse_inline(reading->judge, reading->scan.value_element, option->origin,
				   option->reason)
		       ? STEP_DONE
		       : STEP_ON;
}

static enum step code(struct reading *reading, const struct image_option *option)
{
	struct scan *scan = &reading->scan;
	bool shell = tools_have(reading->judge->image, &reading->program->tools, IMAGE_TOOL_SHELL);

	reading->code = true;
	if (shell && option->arity == IMAGE_VALUE_NONE) {
		reading->code_next = true;
		return STEP_ON;
	}
	judge_show(reading->judge, shell ? OPERAND_SHELL : OPERAND_CODE, scan->value, scan->value_element);
	if (scan->value.text && !refused_by_patterns(reading, option, scan->value))
		return STEP_ON;
	return refuse(reading, option);
}

static enum step language(struct reading *reading, const struct image_option *option)
{
	struct scan *scan = &reading->scan;

	reading->code = true;
	if (!scan->value.text)
		return STEP_ON;
	judge_show(reading->judge, OPERAND_CODE, scan->value, scan->value_element);
	return check_language(option->role, scan->value) ? refuse(reading, option) : STEP_ON;
}

static enum step source(struct reading *reading, const struct image_option *option)
{
	struct scan *scan = &reading->scan;

	reading->source = true;
	if (!scan->value.text && option->arity != IMAGE_VALUE_NONE)
		return STEP_ON;
	if (!scan->value.text || judge_is_stdin(scan->value)) {
		judge_note_input(reading);
		return refuse(reading, option);
	}
	judge_show(reading->judge, OPERAND_READ, scan->value, scan->value_element);
	return STEP_ON;
}

/* What find was told to look through, where a command of it writes what is found there. */
static void show_written(const struct reading *reading)
{
	struct judge *judge = reading->judge;
	size_t at = 0;
	enum scan_event event;
	struct words inner;
	struct scan scan;

	scan_start(&scan, judge->image, &reading->program->tools, &reading->program->words);
	while (reading->operands && (event = scan_next(&scan)) != SCAN_END) {
		if (event == SCAN_OPTION && scan.option && scan.option->role == IMAGE_ROLE_EXEC &&
		    scan_command(&scan, &inner) == SIZE_MAX)
			return;
		if (event == SCAN_OPERAND && sheet_role(reading->operands, at++) == IMAGE_ROLE_LOOK)
			judge_show(judge, OPERAND_WRITE, scan.value, scan.element);
	}
}

/* A command up to ";" is judged by itself; one that runs to the end takes this program's place. */
static enum step exec(struct reading *reading)
{
	struct judge *judge = reading->judge;
	enum reach braces = judge->around.braces;
	struct words inner;
	size_t own = reading->scan.element, end = scan_command(&reading->scan, &inner);

	if (!judge->visit)
		judge->around.braces = check_found(judge->image, &reading->program->tools, &reading->program->words,
						   judge->around.cwd, own);
	if (end == SIZE_MAX)
		return judge_open(judge, &inner, reading->program) ? STEP_AGAIN : STEP_DONE;
	judge->writes_found = false;
	if (judge_words(judge, &inner))
		return STEP_DONE;
	judge->around.braces = braces;
	if (judge->writes_found)
		show_written(reading);
	judge_show(reading->judge, OPERAND_DATA, span_of(reading->judge->argv[end]), end);
	return STEP_ON;
}

static enum step split(struct reading *reading, const struct image_option *option)
{
	struct scan *scan = &reading->scan;
	struct words words = scan->words;

	if (!scan->value.text)
		return STEP_ON;
	judge_show(reading->judge, OPERAND_SHELL, scan->value, scan->value_element);
	if (span_is_shell(scan->value) && refuse(reading, option) == STEP_DONE)
		return STEP_DONE;
	if (!words.line)
		words.line_end = scan->value.text + scan->value.length;
	words.line = scan->value.text;
	reading->program->words = words; /* read on as this program's own words: NAME=value, then the command */
	return STEP_AGAIN;
}

/* "-m NAME": what follows belongs to the module, known as a sub-command or else by the name of a program. */
static enum step module(struct reading *reading)
{
	struct scan *scan = &reading->scan;
	struct program *program = reading->program;
	const struct image *image = reading->judge->image;

	if (!scan->value.text) {
		reading->informs = true; /* "--test": what is run is found by the program itself */
		return STEP_ON;
	}
	judge_show(reading->judge, OPERAND_DATA, scan->value, scan->value_element);
	if (!check_subtools(image, &program->tools, scan->value, &program->tools) &&
	    !check_siblings(image, &program->tools, scan->value, &program->tools))
		check_tools(image, IMAGE_TOOL_PROGRAM, scan->value, &program->tools);
	program->words = scan->words;
	program->element = scan->value_element;
	program->script = true;
	return STEP_AGAIN;
}

/* What follows are arguments of the program that the tables name. */
static enum step as(struct reading *reading, const struct image_option *option)
{
	const struct image *image = reading->judge->image;
	struct program *program = reading->program;

	if (!option->pattern_count)
		return STEP_ON;
	check_tools(image, IMAGE_TOOL_PROGRAM,
		    span_of(image_string(image, image_tool_patterns(image)[option->pattern_first].text)),
		    &program->tools);
	program->words = reading->scan.words;
	program->element = reading->scan.element;
	return STEP_AGAIN;
}

static enum step line(struct reading *reading, const struct image_option *option)
{
	struct scan *scan = &reading->scan;

	if (!scan->value.text)
		return STEP_ON;
	if (option->pattern_count && refused_by_patterns(reading, option, scan->value) &&
	    refuse(reading, option) == STEP_DONE)
		return STEP_DONE;
	return judge_line(reading->judge, scan->value, scan->value_element, option->origin, option->reason)
		       ? STEP_DONE
		       : STEP_ON;
}

static enum step door(struct reading *reading, const struct image_option *option)
{
	struct scan *scan = &reading->scan;

	judge_show(reading->judge, OPERAND_DATA, scan->value, scan->value_element);
	if (option->pattern_count && !scan->value.text)
		return STEP_ON;
	return refused_by_patterns(reading, option, scan->value) ? refuse(reading, option) : STEP_ON;
}

/* "@file", "name=@file", and "name@/file" or "name@./file": a mail address has neither behind its "@". */
static bool starts_file(struct span value, size_t at)
{
	if (value.text[at] != '@')
		return false;
	return !at || value.text[at - 1] == '=' || value.text[at + 1] == '/' || value.text[at + 1] == '.';
}

/* Values that are only looked at as data or as paths. */
static enum step plain(struct reading *reading, enum image_role role)
{
	struct scan *scan = &reading->scan;
	enum operand_kind kind = role == IMAGE_ROLE_READ    ? OPERAND_READ
				 : role == IMAGE_ROLE_WRITE ? OPERAND_WRITE
				 : role == IMAGE_ROLE_ANY   ? OPERAND_UNKNOWN
							    : OPERAND_DATA;

	judge_show(reading->judge, kind, scan->value, scan->value_element);
	for (size_t i = 0; role == IMAGE_ROLE_AT && i + 1 < scan->value.length; i++) {
		if (!starts_file(scan->value, i))
			continue;
		judge_show(reading->judge, OPERAND_READ,
			   (struct span){scan->value.text + i + 1, scan->value.length - i - 1},
			   scan->value_element);
		break;
	}
	return STEP_ON;
}

static enum step by_role(struct reading *reading, const struct image_option *option)
{
	const struct scan *scan = &reading->scan;

	switch ((enum image_role)option->role) {
	case IMAGE_ROLE_INFO:
		reading->informs = true;
		return STEP_ON;
	case IMAGE_ROLE_VARIABLE:
		judge_show(reading->judge, OPERAND_DATA, scan->value, scan->value_element);
		return scan->value.text && judge_variable(reading->judge, scan->value, scan->value_element)
			       ? STEP_DONE
			       : STEP_ON;
	case IMAGE_ROLE_EDIT:
	case IMAGE_ROLE_ACTIONS:
		return language(reading, option);
	case IMAGE_ROLE_SOURCE:
		return source(reading, option);
	case IMAGE_ROLE_MODULE:
		return module(reading);
	case IMAGE_ROLE_EXEC:
		return exec(reading);
	case IMAGE_ROLE_LINE:
		return line(reading, option);
	case IMAGE_ROLE_SPLIT:
		return split(reading, option);
	case IMAGE_ROLE_AS:
		return as(reading, option);
	case IMAGE_ROLE_DOOR:
		return door(reading, option);
	case IMAGE_ROLE_CODE:
		return code(reading, option);
	default:
		return plain(reading, option->role);
	}
}

enum step judge_option(struct reading *reading)
{
	const struct scan *scan = &reading->scan;
	enum operand_kind second = OPERAND_DATA;
	enum step step = STEP_ON;

	if (scan->option)
		step = by_role(reading, scan->option);
	else
		judge_show(reading->judge, OPERAND_VALUE, scan->value, scan->value_element);
	if (scan->option && scan->option->role == IMAGE_ROLE_READ)
		second = OPERAND_UNKNOWN; /* "--rawfile NAME FILE": either may be the file */
	if (step == STEP_ON)
		judge_show(reading->judge, second, scan->second, scan->second_element);
	return step;
}
