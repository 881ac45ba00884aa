/* SPDX-License-Identifier: MIT */
/* What an operand of a program means for the rules. */
#include <string.h>

#include "check/judge.h"
#include "check/language.h"
#include "check/pattern.h"

bool judge_is_stdin(struct span path)
{
	static const char *const start[] = {"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"};

	if (span_is(path, "-") || span_is(path, "/dev/stdin"))
		return true;
	for (size_t i = 0; i < sizeof(start) / sizeof(start[0]); i++)
		if (span_starts(path, start[i]))
			return true;
	return false;
}

static enum step refuse(struct reading *reading)
{
	const struct image_sheet *sheet = reading->operands;
	uint32_t origin = sheet ? sheet->origin : 0, reason = sheet ? sheet->reason : 0;

	return judge_refuse_inline(reading->judge, reading->scan.element, origin, reason) ? STEP_DONE
											  : STEP_ON;
}

/* A shell's code: the first operand behind its options, when one of them asked for it. */
static enum step shell_code(struct reading *reading)
{
	struct judge *judge = reading->judge;
	struct span value = reading->scan.value;
	const struct image_sheet *sheet =
		tools_with_flag(judge->image, &reading->program->tools, IMAGE_TOOL_SHELL);

	reading->code_next = false;
	judge_show(judge, OPERAND_SHELL, value, reading->scan.element);
	if (!sheet || check_patterns(judge->image, sheet->pattern_first, sheet->pattern_count, value,
				     judge->launch) == PATTERNS_ALLOW)
		return STEP_ON;
	return judge_refuse_inline(judge, reading->scan.element, sheet->origin, sheet->reason) ? STEP_DONE
											       : STEP_ON;
}

/* Here the wrapped command starts. */
static enum step command(struct reading *reading)
{
	struct scan *scan = &reading->scan;
	struct judge *judge = reading->judge;
	struct words words = words_from(&scan->words, scan->word, 0, scan->element);

	if (reading->operands->flags & IMAGE_TOOL_ASSIGNS && judge_is_assignment(scan->word)) {
		judge_show(judge, OPERAND_DATA, scan->word, scan->element);
		return judge_variable(judge, scan->word, scan->element) ? STEP_DONE : STEP_ON;
	}
	if (reading->operands->flags & IMAGE_TOOL_LINE && !words.line) {
		judge_show(judge, OPERAND_SHELL, scan->word, scan->element);
		if (span_is_shell(scan->word) && refuse(reading) == STEP_DONE)
			return STEP_DONE;
		words = scan->words;
		words.line = scan->word.text;
		words.line_end = scan->word.text + scan->word.length;
	}
	return judge_open(judge, &words, reading->program) ? STEP_AGAIN : STEP_DONE;
}

/* The file that an interpreter runs; what follows belongs to it, and it may be a tool that the tables know. */
static enum step script(struct reading *reading)
{
	struct scan *scan = &reading->scan;
	struct program *program = reading->program;

	if (reading->code || reading->source) {
		judge_show(reading->judge, OPERAND_UNKNOWN, scan->value, scan->element);
		return STEP_ON;
	}
	reading->source = true;
	judge_show(reading->judge, OPERAND_READ, scan->value, scan->element);
	if (judge_is_stdin(scan->value)) {
		judge_note_input(reading);
		return refuse(reading);
	}
	check_tools(reading->judge->image, IMAGE_TOOL_PROGRAM, span_basename(scan->value), &program->tools);
	program->words = scan->words;
	program->element = scan->element;
	program->script = true;
	return STEP_AGAIN;
}

/* Operands that are only looked at. */
static enum step plain(struct reading *reading, enum image_role role)
{
	struct span value = reading->scan.value;
	bool reads = role == IMAGE_ROLE_READ || role == IMAGE_ROLE_LOOK || role == IMAGE_ROLE_ANY;
	enum operand_kind kind;

	if (role == IMAGE_ROLE_LOOK && reading->turns & IMAGE_OPTION_ENTERS)
		role = IMAGE_ROLE_READ;
	else if (role == IMAGE_ROLE_LOOK && reading->turns & IMAGE_OPTION_STAYS)
		role = IMAGE_ROLE_STATUS;
	if (reads && reading->turns & IMAGE_OPTION_CHANGES)
		role = IMAGE_ROLE_WRITE;
	if (reads && reading->turns & IMAGE_OPTION_LINKS && (!value.length || value.text[0] != '/'))
		role = IMAGE_ROLE_DATA;
	kind = role == IMAGE_ROLE_READ     ? OPERAND_READ
	       : role == IMAGE_ROLE_LOOK   ? OPERAND_LOOK
	       : role == IMAGE_ROLE_STATUS ? OPERAND_STATUS
	       : role == IMAGE_ROLE_WRITE  ? OPERAND_WRITE
	       : role == IMAGE_ROLE_MOVE   ? OPERAND_MOVE
	       : role == IMAGE_ROLE_ANY    ? OPERAND_UNKNOWN
					   : OPERAND_DATA;
	judge_show(reading->judge, kind, value, reading->scan.element);
	return STEP_ON;
}

static enum step by_role(struct reading *reading, enum image_role role)
{
	struct judge *judge = reading->judge;
	const struct image_sheet *sheet = reading->operands;
	struct span value = reading->scan.value;
	size_t element = reading->scan.element;
	enum patterns_say say = check_patterns(judge->image, sheet->pattern_first, sheet->pattern_count, value,
					       judge->launch);

	switch (role) {
	case IMAGE_ROLE_COMMAND:
		return command(reading);
	case IMAGE_ROLE_SCRIPT:
		return script(reading);
	case IMAGE_ROLE_NOTHING:
		return STEP_ON;
	case IMAGE_ROLE_END:
		plain(reading, IMAGE_ROLE_DATA);
		return STEP_DONE;
	case IMAGE_ROLE_EDIT:
	case IMAGE_ROLE_ACTIONS:
		judge_show(judge, OPERAND_CODE, value, element);
		return check_language(role, value) ? refuse(reading) : STEP_ON;
	case IMAGE_ROLE_CODE:
		judge_show(judge, OPERAND_CODE, value, element);
		reading->code = true;
		return say == PATTERNS_ALLOW ? STEP_ON : refuse(reading);
	case IMAGE_ROLE_DOOR:
		judge_show(judge, OPERAND_DATA, value, element);
		return say == PATTERNS_REFUSE ? refuse(reading) : STEP_ON;
	case IMAGE_ROLE_SOURCE:
		reading->source = true;
		judge_show(judge, OPERAND_READ, value, element);
		return judge_is_stdin(value) ? refuse(reading) : STEP_ON;
	case IMAGE_ROLE_LINE:
		return judge_line(judge, value, element, sheet->origin, sheet->reason) ? STEP_DONE : STEP_ON;
	default:
		return plain(reading, role);
	}
}

/* A sub-command that nobody knows: the options behind it are its own, not the program's. */
static bool is_foreign_subcommand(const struct reading *reading)
{
	const struct tools *tools = &reading->program->tools;

	return tools_have(reading->judge->image, tools, IMAGE_TOOL_PARENT) &&
	       !tools_have(reading->judge->image, tools, IMAGE_TOOL_GLOBAL);
}

enum step judge_operand(struct reading *reading)
{
	struct program *program = reading->program;
	const struct image_sheet *sheet = reading->operands;
	size_t at = reading->at;

	if (reading->code_next)
		return shell_code(reading);
	if (!at && check_subtools(reading->judge->image, &program->tools, reading->scan.value, &program->tools)) {
		judge_show(reading->judge, OPERAND_DATA, reading->scan.value, reading->scan.element);
		program->words = reading->scan.words;
		program->element = reading->scan.element;
		return STEP_AGAIN;
	}
	if (!at && !sheet && is_foreign_subcommand(reading)) {
		judge_show(reading->judge, OPERAND_UNKNOWN, reading->scan.value, reading->scan.element);
		program->tools = (struct tools){.count = 0};
		program->words = reading->scan.words;
		program->script = true;
		return STEP_AGAIN;
	}
	if (!sheet)
		return plain(reading, IMAGE_ROLE_ANY);
	if (!role_takes_all(sheet_role(sheet, at)) ||
	    !(sheet->flags & IMAGE_TOOL_ASSIGNS && judge_is_assignment(reading->scan.value)))
		reading->at++;
	return by_role(reading, at == reading->last ? sheet->role_final : sheet_role(sheet, at));
}
