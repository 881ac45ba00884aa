/* SPDX-License-Identifier: MIT */
/* Who starts a program, and for whom: what the shim and the backstop make of what /proc says of a process. */
#include "check/caller.h"

#include <string.h>

#include "check/operands.h"
#include "check/scan.h"
#include "check/tools.h"
#include "check/words.h"

static void keep(char copy[CALLER_SIZE], struct span path)
{
	struct span name = span_basename(path);
	size_t length = name.length < CALLER_SIZE ? name.length : CALLER_SIZE - 1;

	memcpy(copy, name.text, length);
	copy[length] = '\0';
}

void caller_name(char copy[CALLER_SIZE], const char *path)
{
	keep(copy, span_of(path));
}

/*
 * `python3 -W ignore script.py`, `python3 -m module`, a script's own "#!" line: the operand that names what is run, behind
 * the options that the tables know, or such an option itself. Where code is given there is no script.
 */
static void find_script(struct caller *caller, const struct image *image)
{
	struct words words = {.argv = caller->argv, .index = 1, .end = caller->argc};
	struct tools tools;
	struct scan scan;

	check_tools(image, IMAGE_TOOL_PROGRAM, span_basename(span_of(caller->argv[0])), &tools);
	if (!tools.count)
		check_tools(image, IMAGE_TOOL_PROGRAM, span_of(caller->program), &tools);
	scan_start(&scan, image, &tools, &words);
	for (;;) {
		enum scan_event event = scan_next(&scan);
		enum image_role role = event == SCAN_OPTION && scan.option ? scan.option->role : IMAGE_ROLE_ANY;

		if (event == SCAN_END || role == IMAGE_ROLE_CODE)
			return;
		if (event != SCAN_OPERAND && role != IMAGE_ROLE_MODULE)
			continue;
		/* what is run has no name of its own with "--test" */
		keep(caller->script, scan.value.text ? scan.value : scan.name);
		return;
	}
}

void caller_words(struct caller *caller, const struct image *image, size_t length)
{
	char *at = caller->line, *space;

	caller->line[length] = '\0';
	for (; at < caller->line + length && caller->argc < CALLER_WORDS; at += strlen(at) + 1)
		caller->argv[caller->argc++] = at;
	caller->cut = at < caller->line + length || length == CALLER_LINE - 1;
	if (!caller->argc)
		return;
	space = strchr(caller->argv[0], ' ');
	if (!space || (caller->argc > 1 && *caller->argv[1])) {
		find_script(caller, image);
		return;
	}
	/* it gave itself a title ("npm test", the rest of the old argv is blank): known by the first word of that */
	*space = '\0';
	keep(caller->script, span_of(caller->argv[0]));
}

bool caller_matters(const struct decision *decision)
{
	return decision->denied && (decision->rule == RULE_ARGV_INLINE || decision->rule == RULE_ARGV_SHAPE);
}

bool caller_introduce(const struct caller *caller, unsigned way, struct command *command)
{
	const char *const scripts[] = {caller->script, caller->executed};

	if (way == sizeof(scripts) / sizeof(scripts[0]))
		return false;
	command->caller = caller->program;
	command->caller_script = scripts[way][0] ? scripts[way] : NULL;
	return true;
}

bool caller_is_launcher(const struct caller *caller)
{
	return !strcmp(caller->program, "bridle");
}

static bool runs_inline_code(const struct image *image, const struct caller *caller)
{
	struct command command = {.program = caller->argv[0], .argv = caller->argv, .argc = caller->argc};

	return caller->argc && check_command(image, &command).rule == RULE_ARGV_INLINE;
}

/* Are its last words the arguments of this start? */
static bool passes_on(const struct caller *caller, const struct command *command)
{
	size_t known = caller->argc - (caller->cut && caller->argc);

	for (size_t first = 1; first < known; first++) {
		size_t i = 0;

		while (first + i < known && i + 1 < command->argc &&
		       !strcmp(caller->argv[first + i], command->argv[i + 1]))
			i++;
		if (first + i == known && (caller->cut || i + 1 == command->argc))
			return true;
	}
	return false;
}

struct wrapped {
	const char *name;
	bool found;
};

static bool is_command(void *context, const struct operand *operand)
{
	struct wrapped *wrapped = context;

	wrapped->found |= operand->kind == OPERAND_PROGRAM && operand->element > 0 &&
			  span_is(span_basename((struct span){operand->text, operand->length}), wrapped->name);
	return !wrapped->found;
}

/* `find -exec rm`, `xargs rm`: do its words name the program that it starts as the command that it was given? */
static bool was_given(const struct image *image, const struct caller *caller, const struct command *command)
{
	char name[CALLER_SIZE];
	struct wrapped wrapped = {name, false};

	caller_name(name, command->program);
	if (caller->argc && name[0])
		check_operands(image, caller->argv, caller->argc, is_command, &wrapped);
	return wrapped.found;
}

bool caller_speaks_for_parent(const struct image *image, const struct caller *caller, const struct command *command)
{
	return runs_inline_code(image, caller) || passes_on(caller, command) || was_given(image, caller, command);
}
