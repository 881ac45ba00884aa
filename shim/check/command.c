/* SPDX-License-Identifier: MIT */
/* The name, argv and structure rules on one command. */
#include "check/command.h"

#include <string.h>

#include "check/judge.h"
#include "check/operands.h"
#include "check/structure.h"

static struct decision deny_name(const struct image *image, uint32_t tool, size_t element)
{
	struct decision decision = DECISION_DENY(RULE_NAME_DENYLIST);

	decision.element = (int32_t)element;
	decision.origin = image_tools(image)[tool].deny;
	return decision;
}

static bool name_denied(const struct image *image, const char *name, struct decision *ret_decision)
{
	struct tools tools;

	if (!name)
		return false;
	check_tools(image, IMAGE_TOOL_PROGRAM, span_basename(span_of(name)), &tools);
	for (uint32_t i = 0; i < tools.own; i++) {
		if (tools_at(image, &tools, i)->flags & IMAGE_TOOL_DENIED) {
			*ret_decision = deny_name(image, tools.tool[i], 0);
			return true;
		}
	}
	return false;
}

static bool file_denied(const struct image *image, uint64_t device, uint64_t inode,
			struct decision *ret_decision)
{
	const struct image_tool_file *file = image_tool_files(image);
	uint32_t low = 0, high = image->tool_files.count;

	if (!inode)
		return false;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (file[middle].inode < inode || (file[middle].inode == inode && file[middle].device < device))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == image->tool_files.count || file[low].inode != inode || file[low].device != device)
		return false;
	*ret_decision = deny_name(image, file[low].tool, 0);
	return true;
}

static bool build_denied(const struct image *image, const uint8_t *id, struct decision *ret_decision)
{
	const struct image_tool_build *build = image_tool_builds(image);
	uint32_t low = 0, high = image->tool_builds.count;

	while (id && low < high) {
		uint32_t middle = low + (high - low) / 2;
		int order = memcmp(build[middle].id, id, IMAGE_BUILD_SIZE);

		if (!order) {
			*ret_decision = deny_name(image, build[middle].tool, 0);
			return true;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

struct decision check_name(const struct image *image, const struct command *command)
{
	struct decision decision = DECISION_ALLOW;

	if (!name_denied(image, command->program, &decision) &&
	    !(command->argc && name_denied(image, command->argv[0], &decision)) &&
	    !name_denied(image, command->target, &decision) &&
	    !file_denied(image, command->device, command->inode, &decision))
		build_denied(image, command->build, &decision);
	return decision;
}

static bool trusts(const struct image *image, const char *caller)
{
	struct tools tools;

	if (!caller)
		return false;
	check_tools(image, IMAGE_TOOL_CALLER, span_basename(span_of(caller)), &tools);
	return tools.count > 0;
}

static bool is_trusted(const struct image *image, const struct command *command)
{
	return !command->launch && (trusts(image, command->caller) || trusts(image, command->caller_script));
}

/* The tables know a program by the name it is called by, else by the file that name leads to. */
static const char *known_name(const struct image *image, const struct command *command)
{
	const char *name[] = {command->program, command->argc ? command->argv[0] : NULL, command->target};
	struct tools tools;

	for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); i++) {
		if (!name[i] || !name[i][0])
			continue;
		check_tools(image, IMAGE_TOOL_PROGRAM, span_basename(span_of(name[i])), &tools);
		if (tools.count)
			return name[i];
	}
	return command->program;
}

static struct decision judge_command(const struct image *image, const struct command *command)
{
	struct judge judge = {
		.image = image,
		.argv = command->argv,
		.around = {.cwd = command->cwd},
		.launch = command->launch,
		.decision = DECISION_ALLOW,
	};
	struct words words = {.argv = command->argv, .index = command->argc ? 1 : 0, .end = command->argc};
	bool trusted = is_trusted(image, command);

	judge.around.trusted = trusted && !command->above;
	judge.relaxed = trusted || !(image->flags & IMAGE_INLINE_DENY);
	judge_named(&judge, known_name(image, command), &words);
	return judge.decision;
}

/* A program that starts itself ("git worktree add" runs "git reset --hard") was judged when it was started first. */
static bool calls_itself(const struct image *image, const struct command *command)
{
	const char *name = command->target ? command->target : command->program;

	return !command->launch && command->caller && !command->passed_on &&
	       span_is(span_basename(span_of(name)), command->caller) &&
	       check_unwrap(image, command->argv, command->argc) == 0;
}

struct decision check_command(const struct image *image, const struct command *command)
{
	struct decision decision;

	if (!command->program || !command->program[0]) {
		decision = DECISION_DENY(RULE_STRUCTURE_MALFORMED);
		decision.element = command->argc ? 0 : -1;
		return decision;
	}
	decision = check_name(image, command);
	if (!decision.denied)
		decision = judge_command(image, command);
	if (decision.rule == RULE_ARGV_SHAPE && calls_itself(image, command))
		decision = DECISION_ALLOW;
	if (!decision.denied && command->launch)
		decision = check_structure(image, command->argv, command->argc);
	return decision;
}

struct decision check_variable(const struct image *image, const char *assignment)
{
	struct judge judge = {
		.image = image,
		.launch = true,
		.decision = DECISION_ALLOW,
		.relaxed = !(image->flags & IMAGE_INLINE_DENY),
	};

	judge_variable(&judge, span_of(assignment), 0);
	return judge.decision;
}
