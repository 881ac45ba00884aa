/* SPDX-License-Identifier: MIT */
/* Judges what the arguments of a command name: files, the programs behind wrappers, lines for a shell. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/command.h"
#include "check/operands.h"
#include "decide/decide.h"
#include "decide/resolve.h"

struct visit {
	const struct question *question;
	char *const *argv;
	size_t argc;
	const bool *known;
	struct place place;
	struct verdict *verdict;
	bool refused;
};

/* A word of which nobody knows what it means is a path when it holds a slash, or when something of that name exists. */
static bool names_path(const char *text, struct place place)
{
	char resolved[PATH_MAX];
	size_t length = 1 + strcspn(text + (*text == '/'), "/");

	/* "/foo/,/bar/p": a pattern rather than a path; should it be one, it is judged at run time. */
	if (*text == '/' && text[1] && length < sizeof(resolved)) {
		memcpy(resolved, text, length);
		resolved[length] = '\0';
		return !access(resolved, F_OK);
	}
	if (strchr(text, '/'))
		return true;
	return (!place.base || *place.base) && resolve_path(text, place.base, resolved) == RESOLVED_EXISTS;
}

static bool ask_path(struct visit *visit, const struct operand *operand, const char *text)
{
	const struct question *question = visit->question;
	struct verdict *verdict = visit->verdict;
	int element = (int)operand->element;

	if (operand->kind == OPERAND_LOOK)
		return decide_look(question, text, visit->place, element, verdict);
	if (operand->kind == OPERAND_STATUS)
		return decide_status(question, text, visit->place, element, verdict);
	if (operand->kind == OPERAND_MOVE)
		return decide_path(question, OP_WRITE, text, visit->place, element, verdict) ||
		       decide_move(question, text, visit->place, element, verdict);
	return decide_path(question, operand->kind == OPERAND_WRITE ? OP_WRITE : OP_READ, text, visit->place, element,
			   verdict);
}

static bool judge_path(struct visit *visit, const struct operand *operand, const char *text)
{
	struct verdict *verdict = visit->verdict;
	struct request request = verdict->request;

	if (!*text || (visit->place.base && !*visit->place.base && text[0] != '/'))
		return false;
	if (operand->kind == OPERAND_UNKNOWN && !names_path(text, visit->place))
		return false;
	if (!ask_path(visit, operand, text))
		return false;
	if (operand->kind != OPERAND_VALUE || verdict->decision.rule == RULE_PATH_DENY)
		return true;
	/* The value of an option that nobody knows may be anything; only what is shut by name is taken for a path. */
	verdict->decision = DECISION_ALLOW;
	verdict->request = request;
	verdict->reason[0] = '\0';
	return false;
}

/* The program behind a wrapper: its name by all its names, and the right to read it. */
static bool judge_program(struct visit *visit, const struct operand *operand, char *text)
{
	const char *base = visit->place.base && *visit->place.base ? visit->place.base : NULL;
	char *argv[] = {text, NULL};
	struct command command = {.program = text, .argv = argv, .argc = 1};
	struct program *program = calloc(1, sizeof(*program));
	struct verdict *verdict = visit->verdict;
	bool refused;

	if (!program)
		return true;
	program_find(text, visit->question->search, base, program);
	command.target = program->target[0] ? program->target : NULL;
	command.device = program->device;
	command.inode = program->inode;
	command.build = program->has_build ? program->build : NULL;
	verdict->decision = check_name(visit->question->image, &command);
	verdict->decision.element = operand->element;
	refused = verdict->decision.denied;
	if (refused)
		decide_refuse(visit->question, verdict);
	else if (program->path[0])
		refused = decide_path(visit->question, OP_EXEC, program->path, visit->place, operand->element, verdict);
	free(program);
	return refused;
}

static bool judge_line(struct visit *visit, const struct operand *operand)
{
	struct place inner = visit->place;
	struct verdict *verdict = visit->verdict, *outer = malloc(sizeof(*outer));
	bool refused = !outer;

	inner.depth++;
	inner.partial |= visit->known && !visit->known[operand->element];
	/* The line's programs are not what is going to be started. */
	if (outer) {
		*outer = *verdict;
		refused = decide_line(visit->question, operand->text, operand->length, inner, verdict);
		verdict->program = outer->program;
		if (!refused) {
			verdict->request = outer->request;
			strcpy(verdict->path, outer->path);
		}
	}
	free(outer);
	return refused;
}

static bool judge(void *context, const struct operand *operand)
{
	struct visit *visit = context;
	char *text;

	if (visit->known && !visit->known[operand->element] && (operand->kind != OPERAND_SHELL || visit->place.matched))
		return true;
	if ((operand->kind == OPERAND_LOOK || operand->kind == OPERAND_STATUS) && visit->place.matched)
		return true;
	text = strndup(operand->text, operand->length);
	switch (operand->kind) {
	case OPERAND_PROGRAM:
		visit->refused = operand->element && judge_program(visit, operand, text);
		break;
	case OPERAND_SHELL:
		visit->refused = judge_line(visit, operand);
		break;
	case OPERAND_DATA:
	case OPERAND_CODE:
		break;
	default:
		visit->refused = judge_path(visit, operand, text);
	}
	free(text);
	return !visit->refused;
}

bool decide_operands(const struct question *question, char *const *argv, size_t argc, const bool *known,
		     struct place place, struct verdict *verdict)
{
	struct visit visit = {
		.question = question,
		.argv = argv,
		.argc = argc,
		.known = known,
		.place = place,
		.verdict = verdict,
	};

	check_operands(question->image, argv, argc, judge, &visit);
	return visit.refused;
}
