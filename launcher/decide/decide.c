/* SPDX-License-Identifier: MIT */
/* Puts the checks of a command in order. */
#include "decide/decide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/command.h"
#include "check/path.h"
#include "decide/resolve.h"
#include "report/line.h"

bool decide_refuse(const struct question *question, struct verdict *verdict)
{
	if (!verdict->reason[0])
		report_reason(verdict->reason, sizeof(verdict->reason), question->image, &verdict->request,
			      &verdict->decision);
	return true;
}

/* How much of what a path names is seen. */
enum sight {
	SIGHT_WHOLE,
	SIGHT_NAMES, /* of a folder the names in it, of anything else its status */
	SIGHT_STATUS
};

/* May the folder that holds it be listed? */
static bool is_shown_by_folder(const struct image *image, const char *resolved)
{
	const char *name = strrchr(resolved, '/');
	size_t length = name == resolved ? 1 : (size_t)(name - resolved);

	return !check_path(image, OP_READ, resolved, length).denied;
}

/* The same of a link itself, wherever it leads. */
static bool is_shown_link(const struct image *image, const char *path, const char *base)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char *folder = NULL, *resolved = malloc(PATH_MAX);
	bool shown = false;

	if (resolved && *name && asprintf(&folder, "%.*s.", (int)(name - path), path) > 0 &&
	    resolve_path(folder, base, resolved) == RESOLVED_EXISTS) {
		size_t used = strlen(resolved), left = PATH_MAX - used;

		shown = snprintf(resolved + used, left, "%s%s", used > 1 ? "/" : "", name) < (int)left &&
			check_path(image, OP_READ, resolved, strlen(resolved)).rule != RULE_PATH_DENY &&
			is_shown_by_folder(image, resolved);
	}
	free(folder);
	free(resolved);
	return shown;
}

/* Is it refused only for want of an entry, and no more seen of it than a listing shows? */
static bool is_shown(const struct question *question, enum sight sight, const char *path, const char *base,
		     const char *resolved)
{
	struct stat status;

	if (sight == SIGHT_WHOLE || (sight == SIGHT_NAMES && !stat(resolved, &status) && S_ISDIR(status.st_mode)))
		return false;
	return is_shown_by_folder(question->image, resolved) || is_shown_link(question->image, path, base);
}

/* A file that is written, however it is, is an operand of "@written" to argv.deny. */
static struct decision judge_written(const struct image *image, char *resolved)
{
	static char name[] = "@written";
	char *argv[] = {name, resolved, NULL};
	const struct command command = {.program = name, .argv = argv, .argc = 2};

	return check_command(image, &command);
}

/* What was refused: a path that leads to verdict->path, or where nobody can say. */
static bool refuse_path(const struct question *question, enum op op, const char *path, bool known, int element,
			struct verdict *verdict)
{
	free(verdict->subject);
	verdict->subject = strdup(path);
	verdict->decision.element = element;
	verdict->request.op = op;
	verdict->request.subject = verdict->subject;
	verdict->request.path = known ? verdict->path : NULL;
	verdict->request.path_length = strlen(verdict->path);
	return decide_refuse(question, verdict);
}

static bool judge_path(const struct question *question, enum op op, enum sight sight, const char *path,
		       struct place place, int element, struct verdict *verdict)
{
	char resolved[PATH_MAX];
	enum resolved found = resolve_path(path, place.base, resolved);

	if (found == RESOLVED_OPEN)
		return false;
	if (found == RESOLVED_NOT)
		verdict->decision = DECISION_DENY(RULE_PATH_UNRESOLVED);
	else
		verdict->decision = check_path(question->image, op, resolved, strlen(resolved));
	if (verdict->decision.listed && sight == SIGHT_WHOLE)
		verdict->decision = DECISION_DENY(RULE_PATH_JAIL);
	if (verdict->decision.rule == RULE_PATH_JAIL && is_shown(question, sight, path, place.base, resolved))
		verdict->decision = DECISION_ALLOW;
	if (op == OP_WRITE && !verdict->decision.denied)
		verdict->decision = judge_written(question->image, resolved);
	if (!verdict->decision.denied)
		return false;
	strcpy(verdict->path, resolved);
	return refuse_path(question, op, path, found != RESOLVED_NOT, element, verdict);
}

bool decide_path(const struct question *question, enum op op, const char *path, struct place place, int element,
		 struct verdict *verdict)
{
	return judge_path(question, op, SIGHT_WHOLE, path, place, element, verdict);
}

bool decide_look(const struct question *question, const char *path, struct place place, int element,
		 struct verdict *verdict)
{
	return judge_path(question, OP_READ, SIGHT_NAMES, path, place, element, verdict);
}

bool decide_status(const struct question *question, const char *path, struct place place, int element,
		   struct verdict *verdict)
{
	return judge_path(question, OP_READ, SIGHT_STATUS, path, place, element, verdict);
}

/* A folder, or nothing yet: an earlier command of the line may make it. A link goes without what it leads to. */
static bool may_be_folder(const char *path, struct place place)
{
	struct stat status;
	char *full = NULL;
	bool missing;

	if (asprintf(&full, "%s/%s", place.base ? place.base : ".", path) < 0)
		return true;
	missing = lstat(path[0] == '/' ? path : full, &status) < 0;
	free(full);
	return missing || S_ISDIR(status.st_mode);
}

bool decide_move(const struct question *question, const char *path, struct place place, int element,
		 struct verdict *verdict)
{
	char resolved[PATH_MAX];
	enum resolved found = resolve_path(path, place.base, resolved);

	if (found == RESOLVED_OPEN || found == RESOLVED_NOT)
		return false;
	verdict->decision = check_path_below_literal(question->image, resolved, strlen(resolved));
	if (!verdict->decision.denied || !may_be_folder(path, place)) {
		verdict->decision = DECISION_ALLOW;
		return false;
	}
	strcpy(verdict->path, resolved);
	return refuse_path(question, OP_WRITE, path, true, element, verdict);
}

static void describe(struct verdict *verdict, char *const *argv, size_t argc)
{
	verdict->request = (struct request){
		.op = OP_EXEC,
		.call = "execve",
		.subject = argv[0],
		.argv = argv,
		.argc = argc,
	};
	if (!verdict->program.target[0])
		return;
	strcpy(verdict->path, verdict->program.target);
	verdict->request.path = verdict->path;
	verdict->request.path_length = strlen(verdict->path);
}

bool decide_words(const struct question *question, char *const *argv, size_t argc, const bool *known,
		  struct place place, struct verdict *verdict)
{
	struct program *program = &verdict->program;
	struct command command = {.program = argv[0], .argv = argv, .argc = argc, .launch = place.depth == 0};
	char here[PATH_MAX];

	program_find(argv[0], question->search, place.base && *place.base ? place.base : NULL, program);
	command.target = program->target[0] ? program->target : NULL;
	command.device = program->device;
	command.inode = program->inode;
	command.build = program->has_build ? program->build : NULL;
	command.cwd = !place.base ? getcwd(here, sizeof(here)) : *place.base ? place.base
									     : NULL;
	describe(verdict, argv, argc);
	verdict->decision = check_command(question->image, &command);
	if (verdict->decision.denied)
		return decide_refuse(question, verdict);
	if (program->path[0] && decide_path(question, OP_EXEC, program->path, place, 0, verdict))
		return true;
	return decide_operands(question, argv, argc, known, place, verdict);
}

static bool decide_coverage(const struct question *question, struct verdict *verdict)
{
	if (verdict->coverage == RULE_NONE || question->backstop || !(question->image->flags & IMAGE_UNCOVERED_DENY))
		return false;
	verdict->decision = DECISION_DENY(verdict->coverage);
	verdict->decision.element = 0;
	return decide_refuse(question, verdict);
}

/* A --shell line: judged as what it does, run by /bin/sh. */
static bool decide_shell(const struct question *question, struct verdict *verdict)
{
	static char sh[] = "sh", flag[] = "-c";
	char *line = question->argv[0];
	struct place place = {.depth = 1};
	bool refused;

	/* As what it starts, so that a report hides the line like any other inline code. */
	verdict->shell[0] = sh;
	verdict->shell[1] = flag;
	verdict->shell[2] = line;
	describe(verdict, verdict->shell, 3);
	refused = decide_line(question, line, strlen(line), place, verdict);
	program_find("/bin/sh", NULL, NULL, &verdict->program);
	if (!refused) {
		describe(verdict, verdict->shell, 3);
		verdict->request.subject = "/bin/sh";
	}
	return refused;
}

void decide_command(const struct question *question, struct verdict *ret_verdict)
{
	struct program *program = &ret_verdict->program;
	struct place place = {.depth = 0};
	bool refused;

	memset(ret_verdict, 0, sizeof(*ret_verdict));
	ret_verdict->decision = DECISION_ALLOW;
	if (question->shell)
		refused = decide_shell(question, ret_verdict);
	else
		refused = decide_words(question, question->argv, question->argc, NULL, place, ret_verdict);
	/* In audit mode what was refused starts all the same, and so this must be known. */
	if (!program->error && program->target[0])
		ret_verdict->coverage = program_coverage(program->target);
	if (!refused && !decide_pins(question, ret_verdict))
		decide_coverage(question, ret_verdict);
}

void decide_directory(const struct question *question, const char *directory, struct verdict *ret_verdict)
{
	struct place place = {.depth = 0};

	memset(ret_verdict, 0, sizeof(*ret_verdict));
	ret_verdict->request = (struct request){.op = OP_READ, .call = "chdir", .subject = directory};
	decide_look(question, directory, place, -1, ret_verdict);
}

void verdict_free(struct verdict *verdict)
{
	for (size_t i = 0; verdict->words && verdict->words[i]; i++)
		free(verdict->words[i]);
	free(verdict->words);
	free(verdict->subject);
	verdict->words = NULL;
	verdict->subject = NULL;
}
