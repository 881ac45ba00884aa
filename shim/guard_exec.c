/* SPDX-License-Identifier: MIT */
/* Starts of programs: the file, its name and argv, the interpreters of its "#!" line, and whether we can follow into it. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "check/operands.h"
#include "describe/cwd.h"
#include "describe/memory.h"
#include "describe/path.h"
#include "describe/program.h"
#include "frame.h"
#include "guard.h"
#include "real/syscall.h"
#include "report/error.h"

#include "forbid.h"

#pragma GCC diagnostic ignored "-Wvla"

#define SCRIPT_LEVELS 4
#define SCRIPT_WORDS 16 /* of what a script is given, enough to tell what it does with it */

/*
 * The last refusal, so that one refusal is one line: CPython and dash try the same program in one PATH folder after the
 * other, and its name in the next folder is no new attempt. Two words, each written whole; a mix costs or saves a line.
 */
static uint64_t refused_what, refused_where;

static uint64_t mix(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return (hash ^ 0xff) * 0x100000001b3u;
}

static bool is_same_attempt(const struct request *request)
{
	const char *name = strrchr(request->subject, '/');
	uint64_t what = mix(0xcbf29ce484222325u ^ (uint64_t)raw(SYS_getpid), name ? name + 1 : request->subject);
	uint64_t where = mix(0xcbf29ce484222325u, request->subject);

	for (size_t i = 0; i < request->argc; i++)
		what = mix(what, request->argv[i]);
	if (__atomic_load_n(&refused_what, __ATOMIC_RELAXED) == what)
		return __atomic_load_n(&refused_where, __ATOMIC_RELAXED) != where;
	__atomic_store_n(&refused_what, what, __ATOMIC_RELAXED);
	__atomic_store_n(&refused_where, where, __ATOMIC_RELAXED);
	return false;
}

/* Has some session refused what depends on who asks? */
static bool depends_on_caller(const struct start *start, const struct judgement *judgement)
{
	for (unsigned i = 0; i < start->count; i++)
		if (judgement->denied >> i & 1 && caller_matters(&judgement->decisions[i]))
			return true;
	return false;
}

/*
 * Who we are, and for whom, is asked only when it matters. What a tool's descendants say in code of their own (a test that
 * calls system()) is as ordinary as what it says itself; what they remove is not.
 */
static __attribute__((noinline)) void judge_for_caller(const struct start *start, const struct request *request,
						       struct command command, struct judgement *ret)
{
	const struct image *image = start->sessions[0].image;
	struct caller caller;
	long pid = raw(SYS_getpid);

	for (unsigned level = 0; level < CALLER_LEVELS && pid > 1; level++, pid = caller.parent) {
		program_caller(&caller, pid, image);
		if (caller_is_launcher(&caller))
			return;
		command.passed_on = level > 0;
		for (unsigned way = 0; caller_introduce(&caller, way, &command); way++) {
			guard_judge(start, request, &command, ret);
			if (!depends_on_caller(start, ret))
				return;
		}
		command.above = command.above || !caller_speaks_for_parent(image, &caller, &command);
	}
}

/* spare: for the working directory, which some rules about argv ask for. */
static long judge_command(const struct start *start, const struct request *request, const struct program *program,
			  bool stays, struct path_room spare)
{
	struct judgement judgement;
	bool placed = (stays ? cwd_get(spare.text, spare.size) : cwd_ask(spare.text, spare.size)) > 0;
	struct command command = {
		.program = request->subject,
		.target = request->path,
		.argv = request->argv,
		.argc = request->argc,
		.device = program->device,
		.inode = program->inode,
		.build = program->facts.has_build ? program->facts.build : NULL,
		.cwd = placed ? spare.text : NULL,
	};

	guard_judge(start, request, &command, &judgement);
	if (depends_on_caller(start, &judgement))
		judge_for_caller(start, request, command, &judgement);
	if (judgement.refused && is_same_attempt(request))
		return GUARD_REFUSED;
	return guard_settle(start, request, &judgement) ? GUARD_REFUSED : GUARD_GO;
}

static bool is_directory(int dirfd, const char *path)
{
	struct stat status;

	return raw(SYS_newfstatat, dirfd, path, &status, 0) == 0 && S_ISDIR(status.st_mode);
}

/* Follows the path and looks at the file. Result: 0 or the kernel's -errno. */
static long look(const struct exec_call *call, const char *subject, const struct frame *room,
		 struct path_lead *lead, struct program *program)
{
	bool empty = (call->flags & FILE_EMPTY) && !*subject;
	unsigned want = PATH_WANT_READ | (call->flags & FILE_FOLLOW ? PATH_FOLLOW_LAST : 0);
	long error;

	memset(lead, 0, sizeof(*lead));
	if (empty && call->dirfd == AT_FDCWD)
		return -EACCES; /* a directory is no program */
	if (empty) {
		error = path_of_descriptor(room->path, call->dirfd);
		if (error >= 0)
			lead->length = (size_t)error;
		else if (error != -ENOENT)
			return error;
		return program_look(program, call->dirfd, "", room->path.text);
	}
	if (!*subject)
		return -ENOENT;
	error = call->flags & FILE_FOLLOW ? program_find(program, room->path, call->dirfd, subject,
							 call->flags & EXEC_STAYS, &lead->length)
					  : PROGRAM_SLOWLY;
	if (error != PROGRAM_SLOWLY)
		return error;
	error = path_follow(room->path, room->rest, call->dirfd, subject, want, lead);
	if (error == -ENOENT) /* dirfd has no path: no directory at all, or a removed one */
		error = program_stat(program, call->dirfd, subject) == -ENOTDIR ? -ENOTDIR : -ENOENT;
	if (error)
		return error;
	if (lead->error || lead->link)
		return lead->error ? lead->error : -ELOOP;
	if (lead->slash)
		return is_directory(call->dirfd, subject) ? -EACCES : -ENOTDIR;
	if (lead->magic)
		return program_look(program, call->dirfd, subject, room->path.text);
	return program_look(program, AT_FDCWD, room->path.text, room->path.text);
}

/* A piece of argv that names a path, asked about like a call that opens it. */
struct operand_walk {
	const char *call;
	bool refused;
};

#define OPERAND_MOST 4096

static __attribute__((noinline)) long judge_operand(const char *call, const struct operand *operand)
{
	char path[operand->length + 1];
	bool writes = operand->kind == OPERAND_WRITE || operand->kind == OPERAND_MOVE;

	memcpy(path, operand->text, operand->length);
	path[operand->length] = '\0';
	return guard_file(&(struct file_call){call, AT_FDCWD, path, writes ? OP_WRITE : OP_READ,
					      FILE_FOLLOW | FILE_WORD | (writes ? FILE_CREATES : 0)});
}

/* To be told of a file's kind and times is no call that we judge, in whatever program; to list a folder is. */
static __attribute__((noinline)) bool is_listed(const struct operand *operand)
{
	char path[operand->length + 1];

	memcpy(path, operand->text, operand->length);
	path[operand->length] = '\0';
	return is_directory(AT_FDCWD, path);
}

static bool visit_operand(void *context, const struct operand *operand)
{
	struct operand_walk *walk = context;
	bool names_path = operand->kind == OPERAND_READ || operand->kind == OPERAND_LOOK || operand->kind == OPERAND_WRITE ||
			  operand->kind == OPERAND_MOVE || operand->kind == OPERAND_UNKNOWN;

	if (operand->kind == OPERAND_LOOK && operand->length < OPERAND_MOST && !is_listed(operand))
		return true;
	if (names_path && operand->length && operand->length < OPERAND_MOST)
		walk->refused = judge_operand(walk->call, operand) == -EACCES;
	return !walk->refused;
}

/* What we cannot follow into opens its files out of our sight: what its argv names is judged before it starts. */
static long judge_operands(const struct start *start, const struct request *request)
{
	struct operand_walk walk = {.call = request->call};

	check_operands(start->sessions[0].image, request->argv, request->argc, visit_operand, &walk);
	return walk.refused ? GUARD_REFUSED : GUARD_GO;
}

/* What happens to a program that we cannot be loaded into; where there is a backstop the rules hold inside it all the same. */
static long judge_cover(const struct start *start, const struct request *request, const struct program *program)
{
	static const uint8_t rules[] = {
		[PROGRAM_STATIC] = RULE_COVERAGE_STATIC,
		[PROGRAM_FOREIGN] = RULE_COVERAGE_FOREIGN,
		[PROGRAM_SETID] = RULE_COVERAGE_SETID,
	};
	enum program_cover cover = program_cover(program);
	struct judgement judgement;

	if (cover == PROGRAM_COVERED)
		return GUARD_GO;
	guard_cover(start, request, rules[cover], &judgement);
	if (!judgement.denied)
		return judge_operands(start, request);
	return guard_settle(start, request, &judgement) ? GUARD_REFUSED : GUARD_GO;
}

/* What the kernel makes of a script's argv: INTERPRETER [ARGUMENT] SCRIPT and what follows argv[0]. Returns its length. */
static size_t script_argv(char **ret, const struct exec_call *script, char *interpreter, char *argument)
{
	size_t count = 0;

	ret[count++] = interpreter;
	if (argument)
		ret[count++] = argument;
	ret[count++] = (char *)(uintptr_t)script->path;
	for (size_t i = 1; script->argv && script->argv[0] && script->argv[i] && i <= SCRIPT_WORDS; i++)
		ret[count++] = script->argv[i];
	ret[count] = NULL;
	return count;
}

/* The interpreters of a script are started as well, each named by the "#!" line of the one before. */
static __attribute__((noinline)) long judge_interpreter(const struct start *start, const struct exec_call *script,
							struct program *program, const struct frame *room,
							unsigned level)
{
	char *interpreter, *argument, copy[PROGRAM_HEAD];
	struct path_lead lead;

	if (level == SCRIPT_LEVELS || !program_script(program, &interpreter, &argument))
		return GUARD_GO;
	memcpy(copy, program->head, sizeof(copy));
	interpreter = copy + (interpreter - program->head);
	argument = argument ? copy + (argument - program->head) : NULL;

	char *argv[3 + SCRIPT_WORDS + 1];
	size_t argc = script_argv(argv, script, interpreter, argument);
	struct exec_call call = {
		.name = script->name,
		.dirfd = AT_FDCWD,
		.path = interpreter,
		.argv = script->argv,
		.flags = FILE_FOLLOW | (script->flags & EXEC_STAYS),
	};
	long answer = look(&call, interpreter, room, &lead, program);

	if (answer)
		return answer == -ENAMETOOLONG ? answer : GUARD_GO; /* the kernel says what is wrong with it */
	struct request request = {
		.op = OP_EXEC,
		.call = script->name,
		.subject = interpreter,
		.path = room->path.text,
		.path_length = lead.length,
		.argv = argv,
		.argc = argc,
	};
	answer = judge_command(start, &request, program, script->flags & EXEC_STAYS, room->rest);
	if (!answer)
		answer = judge_cover(start, &request, program);
	call.path = script->path;
	return answer ? answer : judge_interpreter(start, &call, program, room, level + 1);
}

/* A frame_use. */
static long judge(const struct start *start, const void *asked, const struct frame *room)
{
	const struct exec_call *call = asked;
	struct program program;
	struct path_lead lead;
	long length = memory_string(room->copy.text, room->copy.size, call->path), argc = memory_vector(call->argv);
	char *stand_in[] = {room->copy.text, NULL};
	long answer;

	if (length < 0)
		return length;
	answer = look(call, room->copy.text, room, &lead, &program);
	if (answer || argc < 0)
		return answer ? answer : argc;
	struct request request = {
		.op = OP_EXEC,
		.call = call->name,
		.subject = length ? room->copy.text : room->path.text,
		.path = room->path.text,
		.path_length = lead.length,
		.argv = argc ? call->argv : stand_in, /* the kernel makes up an empty argv[0] by itself */
		.argc = argc ? (size_t)argc : 1,
	};
	answer = judge_command(start, &request, &program, call->flags & EXEC_STAYS, room->rest);
	if (!answer)
		answer = judge_cover(start, &request, &program);
	if (answer)
		return answer;
	struct exec_call script = {
		.name = call->name,
		.path = room->copy.text,
		.argv = call->argv,
		.flags = call->flags & EXEC_STAYS,
	};
	return judge_interpreter(start, &script, &program, room, 0);
}

static long judge_in(const struct start *start, const void *asked, const struct frame *frame)
{
	return frame_lend_rest(judge, start, asked, frame);
}

long guard_exec(const struct exec_call *call)
{
	const struct start *sessions = start();

	if (sessions->state == START_INERT)
		return GUARD_GO;
	if (sessions->state == START_BROKEN || !start_programs(sessions))
		return GUARD_REFUSED;
	return frame_lend(judge_in, sessions, call);
}

void guard_exec_failed(const struct exec_call *call, int error)
{
	const struct start *sessions = start();
	struct request request = {.op = OP_EXEC, .call = call->name};
	char copy[FRAME_COPY], path[FRAME_PATH], rest[FRAME_COPY];
	struct path_room room = {path, sizeof(path)}, more = {rest, sizeof(rest)};
	struct path_lead lead;

	if (!start_tells || memory_string(copy, sizeof(copy), call->path) < 0)
		return;
	request.subject = copy;
	if (*copy && !path_follow(room, more, call->dirfd, copy, PATH_FOLLOW_LAST, &lead) && !lead.error) {
		request.path = path;
		request.path_length = lead.length;
	}
	guard_outcome(sessions, &request, report_error(error));
}
