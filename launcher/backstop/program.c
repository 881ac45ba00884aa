/* SPDX-License-Identifier: MIT */
/* Programs: what execve names, its argv, and the interpreters that a "#!" line brings in. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backstop/lineage.h"
#include "backstop/question.h"
#include "check/caller.h"
#include "check/command.h"
#include "check/path.h"

#define SCRIPT_LEVELS 4     /* the kernel follows no more interpreters of interpreters */
#define SCRIPT_LINE_MAX 256 /* of a "#!" line the kernel reads no more */

/* One program to be judged; a script's interpreter is the next one. */
struct program {
	const char *name; /* as the caller, or the "#!" line, names it */
	const struct resolved *file;
	char *const *argv;
	size_t argc;
};

/* Where the caller stands, which some rules about argv ask for; "" when it cannot be said. */
static void read_folder(pid_t tid, char folder[PATH_MAX])
{
	char link[64];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/%d/cwd", (int)tid);
	length = readlink(link, folder, PATH_MAX - 1);
	folder[length > 0 ? length : 0] = '\0';
	if (folder[0] != '/')
		folder[0] = '\0';
}

static int judge_program(struct question *question, const struct program *program)
{
	const struct image *image = question->rules->image;
	struct request request = {.op = OP_EXEC,
				  .call = question->call->name,
				  .subject = program->name,
				  .argv = program->argv,
				  .argc = program->argc};
	struct command command = {.program = program->name, .argv = program->argv, .argc = program->argc};
	struct stat status = resolve_status(program->file);
	struct decision decision;
	char folder[PATH_MAX];

	if (program->file->path[0] == '/') {
		command.target = request.path = program->file->path;
		request.path_length = program->file->length;
		command.device = status.st_dev;
		command.inode = status.st_ino;
	}
	read_folder(question->caller.tid, folder);
	command.cwd = folder[0] ? folder : NULL;
	decision = check_command(image, &command);
	if (caller_matters(&decision))
		decision = lineage_judge(image, command, question->caller.tid);
	if (!decision.denied && request.path)
		decision = check_path(image, OP_EXEC, request.path, request.path_length);
	return decision.denied ? answer_deny(question, &request, &decision) : answer_allow(question, &request);
}

/* Reads the file's "#!" line into interpreter and, when there is one, argument; false when it has none. */
static bool read_script(const struct resolved *file, char *interpreter, char *argument)
{
	char name[64], line[SCRIPT_LINE_MAX + 1];
	ssize_t length;
	int descriptor;
	char *at, *end;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", file->descriptor);
	descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (descriptor < 0)
		return false;
	length = pread(descriptor, line, SCRIPT_LINE_MAX, 0);
	close(descriptor);
	if (length < 2 || line[0] != '#' || line[1] != '!')
		return false;
	line[length] = '\0';
	line[strcspn(line, "\n")] = '\0';
	for (end = line + strlen(line); end > line + 2 && (end[-1] == ' ' || end[-1] == '\t'); end--)
		end[-1] = '\0';
	at = line + 2 + strspn(line + 2, " \t");
	end = at + strcspn(at, " \t");
	memcpy(interpreter, at, (size_t)(end - at));
	interpreter[end - at] = '\0';
	strcpy(argument, end + strspn(end, " \t"));
	return interpreter[0] != '\0';
}

static int judge_level(struct question *question, const struct program *program, int level);

/* A script: its interpreter is judged with the argv that the kernel makes for it. */
static int judge_script(struct question *question, const struct program *program, int level)
{
	char interpreter[SCRIPT_LINE_MAX + 1], option[SCRIPT_LINE_MAX + 1];
	char *argv[] = {interpreter, option, (char *)program->name, NULL};
	struct program next = {.name = interpreter, .argv = argv, .argc = 3};
	struct resolved file;
	int error;

	if (!read_script(program->file, interpreter, option))
		return 0;
	if (!option[0]) {
		argv[1] = argv[2];
		argv[--next.argc] = NULL;
	}
	next.file = &file;
	resolve_caller_path(&question->caller, RESOLVE_HERE, interpreter, true, true, &file);
	error = judge_level(question, &next, level + 1);
	resolve_close(&file);
	return error;
}

static int judge_level(struct question *question, const struct program *program, int level)
{
	const struct resolved *file = program->file;
	mode_t mode = resolve_status(file).st_mode;
	struct request request = {.op = OP_EXEC, .call = question->call->name, .subject = program->name};
	int error;

	if (file->state == RESOLVE_UNKNOWN)
		return answer_unknown(question, &request, file->error);
	if (file->state == RESOLVE_FAILS || (file->state == RESOLVE_MISSING && file->error == ENOENT))
		return 0;
	if (file->state == RESOLVE_FOUND && (!S_ISREG(mode) || !(mode & (S_IXUSR | S_IXGRP | S_IXOTH))))
		return 0; /* EACCES, from the kernel itself */
	error = judge_program(question, program);
	if (error || file->state != RESOLVE_FOUND || level == SCRIPT_LEVELS)
		return error;
	return judge_script(question, program, level);
}

int judge_exec(struct question *question)
{
	const __u64 *args = question->notification->data.args;
	bool at = question->call->shape == SHAPE_EXEC_AT;
	int flags = at ? (int)args[4] : 0;
	uint64_t vector = args[at ? 2 : 1];
	struct request request = {.op = OP_EXEC, .call = question->call->name};
	struct memory_arguments arguments;
	struct program program;
	struct resolved file;
	char name[PATH_MAX], *stand_in[] = {NULL, NULL};
	size_t length;
	int error;

	error = memory_string(&question->memory, question->wide ? args[at] : (uint32_t)args[at], name,
			      sizeof(name), &length);
	if (error)
		return answer_unknown(question, &request, error);
	if (!length && !(flags & AT_EMPTY_PATH))
		return 0;
	error = memory_arguments(&question->memory, question->wide ? vector : (uint32_t)vector, question->wide,
				 &arguments);
	if (error)
		return answer_unknown(question, &request, error);
	resolve_caller_path(&question->caller, at ? (int)args[0] : RESOLVE_HERE, name, !(flags & AT_SYMLINK_NOFOLLOW), true,
			    &file);
	/* a program without a path (fexecve) is known by its file's, and the kernel makes up an empty argv[0] by itself */
	program = (struct program){length ? name : file.path, &file, arguments.argv, arguments.argc};
	stand_in[0] = (char *)program.name;
	if (!program.argc) {
		program.argv = stand_in;
		program.argc = 1;
	}
	error = judge_level(question, &program, 0);
	resolve_close(&file);
	free(arguments.argv);
	return error;
}
