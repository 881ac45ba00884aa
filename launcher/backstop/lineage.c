/* SPDX-License-Identifier: MIT */
/* Who starts a program, and for whom, as /proc tells it of a process and of those above it. */
#include "backstop/lineage.h"

#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backstop/memory.h"

#define LEVELS 16 /* shells in shells between a trusted caller and the code */
#define LINE_SIZE 4096
#define WORDS_MAX 64

struct ancestor {
	char program[NAME_MAX + 1];  /* basename of its file */
	char executed[NAME_MAX + 1]; /* of what the kernel was asked to execute: a script's own name */
	char script[NAME_MAX + 1];   /* of what its argv says that an interpreter runs */
	char line[LINE_SIZE];
	char *argv[WORDS_MAX];
	size_t argc;
	bool cut; /* argv goes on */
	pid_t parent;
};

static size_t read_proc(pid_t pid, const char *name, char *bytes, size_t size)
{
	char path[64];
	FILE *stream;
	size_t got = 0;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	stream = fopen(path, "re");
	if (stream) {
		got = fread(bytes, 1, size, stream);
		fclose(stream);
	}
	return got;
}

static void keep_basename(char copy[NAME_MAX + 1], const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t length = strnlen(name, NAME_MAX);

	memcpy(copy, name, length);
	copy[length] = '\0';
}

static void read_argv(struct ancestor *ret, pid_t pid)
{
	size_t length = read_proc(pid, "cmdline", ret->line, sizeof(ret->line) - 1);
	char *at = ret->line;

	ret->line[length] = '\0';
	for (; at < ret->line + length && ret->argc < WORDS_MAX; at += strlen(at) + 1)
		ret->argv[ret->argc++] = at;
	ret->cut = at < ret->line + length || length == sizeof(ret->line) - 1;
}

/* The name that execve was given stands at the top of the stack, whatever the program did with its argv since. */
static void read_executed(struct ancestor *ret, pid_t pid)
{
	ElfW(auxv_t) entries[40];
	size_t got = read_proc(pid, "auxv", (char *)entries, sizeof(entries)), length;
	struct memory memory;
	char path[PATH_MAX];

	memory_open(&memory, pid);
	for (size_t i = 0; i < got / sizeof(entries[0]); i++)
		if (entries[i].a_type == AT_EXECFN &&
		    !memory_string(&memory, entries[i].a_un.a_val, path, sizeof(path), &length))
			keep_basename(ret->executed, path);
}

/* Options of the usual interpreters that take no value and may stand before the script. */
static bool is_plain_option(const char *option)
{
	return option[0] == '-' && option[1] && !option[2] && strchr("BEIOSsuw", option[1]);
}

/* `python3 -u script.py`, `python3 -m module`; a program that gave itself a title ("npm test") is known by its first word. */
static void read_script(struct ancestor *ret)
{
	char *space = ret->argc ? strchr(ret->argv[0], ' ') : NULL;
	size_t i = 1;

	while (i < ret->argc && is_plain_option(ret->argv[i]))
		i++;
	if (i < ret->argc && !strcmp(ret->argv[i], "-m"))
		i++;
	if (i < ret->argc && *ret->argv[i] != '-')
		keep_basename(ret->script, ret->argv[i]);
	if (space && (ret->argc == 1 || !*ret->argv[1])) {
		*space = '\0';
		keep_basename(ret->script, ret->argv[0]);
	}
}

static pid_t read_parent(pid_t pid)
{
	char text[512], *at;
	int parent = 0;

	text[read_proc(pid, "stat", text, sizeof(text) - 1)] = '\0';
	at = strrchr(text, ')'); /* the name in brackets may hold brackets */
	return at && sscanf(at, ") %*c %d", &parent) == 1 ? parent : 0;
}

static void look(struct ancestor *ret, pid_t pid, bool self)
{
	char link[64], path[PATH_MAX];
	ssize_t length;

	memset(ret, 0, sizeof(*ret));
	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	length = readlink(link, path, sizeof(path) - 1);
	path[length > 0 ? length : 0] = '\0';
	keep_basename(ret->program, path);
	read_argv(ret, pid);
	read_script(ret);
	if (self)
		read_executed(ret, pid);
	ret->parent = read_parent(pid);
}

/* By each of its names: true when one of them makes it no matter of who asks any more. */
static bool judge_for(const struct image *image, struct command *command, const struct ancestor *ancestor,
		      struct decision *ret)
{
	const char *const names[] = {ancestor->script, ancestor->executed};

	command->caller = ancestor->program;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		command->caller_script = names[i][0] ? names[i] : NULL;
		*ret = check_command(image, command);
		if (!ret->denied || (ret->rule != RULE_ARGV_INLINE && ret->rule != RULE_ARGV_SHAPE))
			return true;
	}
	return false;
}

/* Does it run code that it was given itself (`sh -c LINE`)? Then the code is its parent's as much as its own. */
static bool runs_inline_code(const struct image *image, const struct ancestor *ancestor)
{
	struct command command = {
		.program = ancestor->argv[0], .argv = ancestor->argv, .argc = ancestor->argc};

	return ancestor->argc && check_command(image, &command).rule == RULE_ARGV_INLINE;
}

/* Are its last words the arguments of this start, as those of a script that only looks for the right interpreter? */
static bool passes_on(const struct ancestor *ancestor, const struct command *command)
{
	size_t known = ancestor->argc - (ancestor->cut && ancestor->argc);

	for (size_t first = 1; first < known; first++) {
		size_t i = 0;

		while (first + i < known && i + 1 < command->argc &&
		       !strcmp(ancestor->argv[first + i], command->argv[i + 1]))
			i++;
		if (first + i == known && (ancestor->cut || i + 1 == command->argc))
			return true;
	}
	return false;
}

struct decision lineage_judge(const struct image *image, struct command command, pid_t tid)
{
	struct decision decision = DECISION_ALLOW;
	struct ancestor ancestor;
	pid_t pid = tid;

	for (unsigned level = 0; level < LEVELS && (pid > 1 || pid == tid); level++, pid = ancestor.parent) {
		look(&ancestor, pid, pid == tid);
		command.passed_on = level > 0;
		if (judge_for(image, &command, &ancestor, &decision))
			break;
		if (!runs_inline_code(image, &ancestor) && !passes_on(&ancestor, &command))
			break;
	}
	return decision;
}
