/* SPDX-License-Identifier: MIT */
/*
 * system and popen: judged as the start of /bin/sh. libc hands them the program's own environment, which is never edited
 * here: when the guardrail is missing from it, the command line itself puts it back before the shell runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "describe/memory.h"
#include "inherit.h"
#include "real/syscall.h"
#include "wrap/wrap.h"

#include "forbid.h"

#pragma GCC diagnostic ignored "-Wvla"

#define SHELL "/bin/sh"
#define MIDDLE " exec " SHELL " -c "

/* A command line in memory of its own; text is the caller's where nothing had to be added. */
struct line {
	const char *text;
	void *memory;
	size_t size;
};

static long ask(const char *name, const char *command)
{
	char *argv[] = {(char *)(uintptr_t) "sh", (char *)(uintptr_t) "-c", (char *)(uintptr_t)command, NULL};
	long answer;

	if (!memory_string_readable(command))
		return GUARD_GO; /* the shell cannot be started with it, in libc's own way */
	answer = guard_exec(&(struct exec_call){name, AT_FDCWD, SHELL, argv, FILE_FOLLOW});
	return answer == GUARD_REFUSED ? -EACCES : GUARD_GO; /* a missing shell is the real call's business */
}

/* 'it'\''s' */
static char *quote(char *at, const char *text)
{
	*at++ = '\'';
	for (; *text; text++) {
		if (*text == '\'') {
			memcpy(at, "'\\''", 4);
			at += 4;
		} else {
			*at++ = *text;
		}
	}
	*at++ = '\'';
	return at;
}

/* "NAME=value" as NAME='value'. */
static char *assign(char *at, const char *variable)
{
	size_t name = (size_t)(strchr(variable, '=') - variable) + 1;

	memcpy(at, variable, name);
	return quote(at + name, variable + name);
}

static void write_line(char *at, const char *variables, const char *command)
{
	at = assign(at, variables);
	*at++ = ' ';
	at = assign(at, variables + strlen(variables) + 1);
	memcpy(at, MIDDLE, sizeof(MIDDLE) - 1);
	at = quote(at + sizeof(MIDDLE) - 1, command);
	*at = '\0';
}

static __attribute__((noinline)) void build(struct line *line, char *const *envp, size_t count, size_t text_size)
{
	char *vector[count + 3], variables[text_size];

	/* The text holds LD_PRELOAD=... and BRIDLE_SESSION=..., one after the other. */
	inherit_build(&start()->inherit, envp, vector, variables);
	write_line(line->memory, variables, line->text);
	line->text = line->memory;
}

/* False when there is no memory for it. */
static bool prepare(struct line *line, const char *command)
{
	const struct start *sessions = start();
	char **envp = wrap_environ();
	long count = memory_vector(envp), memory;
	size_t text_size;

	*line = (struct line){.text = command};
	if (sessions->state != START_READY || count < 0 || !memory_string_readable(command) ||
	    inherit_is_right(&sessions->inherit, envp))
		return true;
	text_size = inherit_text_size(&sessions->inherit, envp);
	line->size = 4 * (text_size + strlen(command)) + sizeof(MIDDLE) + 16;
	memory = raw(SYS_mmap, NULL, line->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory < 0 && memory > -4096)
		return false;
	line->memory = (void *)memory;
	build(line, envp, (size_t)count, text_size);
	return true;
}

static void release(const struct line *line)
{
	if (line->memory)
		raw(SYS_munmap, line->memory, line->size);
}

static int run(const char *name, const char *command, int (*real)(const char *))
{
	long answer = command ? ask(name, command) : GUARD_GO;
	struct line line = {.text = command};
	int result;

	if (answer)
		return (int)wrap_result(answer);
	if (command && !prepare(&line, command))
		return (int)wrap_result(-ENOMEM);
	result = real(line.text);
	release(&line);
	return result;
}

static FILE *run_piped(const char *name, const char *command, const char *type, FILE *(*real)(const char *, const char *))
{
	long answer = ask(name, command);
	struct line line;
	FILE *result;

	if (!answer && !prepare(&line, command))
		answer = -ENOMEM;
	if (answer) {
		wrap_result(answer);
		return NULL;
	}
	result = real(line.text, type);
	release(&line);
	return result;
}

EXPORT int system(const char *command)
{
	return run("system", command, REAL(system));
}

EXPORT int __libc_system(const char *command)
{
	return run("__libc_system", command, REAL(__libc_system));
}

EXPORT FILE *popen(const char *command, const char *type)
{
	return run_piped("popen", command, type, REAL(popen));
}

EXPORT FILE *_IO_popen(const char *command, const char *type)
{
	return run_piped("_IO_popen", command, type, REAL(_IO_popen));
}
