/* SPDX-License-Identifier: MIT */
/* Who is about to start a program, and for whom: the file a process runs, its script, its argv, its parent (proc(5)). */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>

#include "describe/memory.h"
#include "describe/program.h"
#include "real/syscall.h"
#include "report/text.h"

#include "forbid.h"

static void keep_basename(char *copy, const char *path)
{
	const char *name = strrchr(path, '/');

	name = name ? name + 1 : path;
	size_t length = strnlen(name, CALLER_SIZE - 1);
	memcpy(copy, name, length);
	copy[length] = '\0';
}

/* The path of a process's file below /proc. */
static const char *name_file(char path[48], long pid, const char *name)
{
	struct text text = {path, path + 47, false};

	text_add(&text, "/proc/");
	text_number(&text, pid);
	text_add(&text, name);
	*text.at = '\0';
	return path;
}

static size_t read_file(long pid, const char *name, char *bytes, size_t size)
{
	char path[48];
	long fd = raw_guarded(SYS_openat, AT_FDCWD, name_file(path, pid, name), O_RDONLY | O_CLOEXEC, 0, 0), got;

	if (fd < 0)
		return 0;
	got = raw(SYS_read, fd, bytes, size);
	raw(SYS_close, fd);
	return got > 0 ? (size_t)got : 0;
}

static void read_argv(struct caller *ret, long pid)
{
	size_t length = read_file(pid, "/cmdline", ret->line, sizeof(ret->line) - 1);

	ret->line[length] = '\0';
	char *at = ret->line;
	for (; at < ret->line + length && ret->argc < CALLER_WORDS; at += strlen(at) + 1)
		ret->argv[ret->argc++] = at;
	ret->cut = at < ret->line + length || length == sizeof(ret->line) - 1;
}

/* Options of the usual interpreters that take no value and may stand before the script. */
static bool is_plain_option(const char *option)
{
	return option[0] == '-' && option[1] && !option[2] && strchr("BEIOSsuw", option[1]);
}

/* The name that the kernel was asked to execute: a script's own, whatever the program did with its argv since. */
static void read_executed(struct caller *ret, long pid)
{
	ElfW(auxv_t) entries[40];
	size_t got = read_file(pid, "/auxv", (char *)entries, sizeof(entries));
	char path[256];

	for (size_t i = 0; i < got / sizeof(*entries); i++)
		if (entries[i].a_type == AT_EXECFN &&
		    memory_string(path, sizeof(path), (const char *)entries[i].a_un.a_val) > 0)
			keep_basename(ret->executed, path);
}

/*
 * `python3 -u script.py ...`, `python3 -m module`, a script's own "#!" line: the operand that names what is run. A program
 * that gave itself a title ("npm test") is known by the first word of that.
 */
static void read_script(struct caller *ret)
{
	char *space = ret->argc ? strchr(ret->argv[0], ' ') : NULL;
	size_t i = 1;

	while (i < ret->argc && is_plain_option(ret->argv[i]))
		i++;
	if (i < ret->argc && strcmp(ret->argv[i], "-m") == 0)
		i++;
	if (i < ret->argc && *ret->argv[i] != '-')
		keep_basename(ret->script, ret->argv[i]);
	if (space && (ret->argc == 1 || !*ret->argv[1])) { /* the rest of the old argv is blank */
		*space = '\0';
		keep_basename(ret->script, ret->argv[0]);
	}
}

static __attribute__((noinline)) void read_program(char *copy, long pid)
{
	char path[512], name[48];
	long got = raw(SYS_readlinkat, AT_FDCWD, name_file(name, pid, "/exe"), path, sizeof(path) - 1);

	path[got > 0 ? got : 0] = '\0';
	keep_basename(copy, path);
}

/* The fourth field of stat; the second, the name in brackets, may hold anything, brackets too. */
static long read_parent(long pid)
{
	char line[128], *at;
	size_t length = read_file(pid, "/stat", line, sizeof(line) - 1);
	long parent = 0;

	line[length] = '\0';
	at = strrchr(line, ')');
	if (!at || strlen(at) < 5)
		return 0;
	for (at += 4; *at >= '0' && *at <= '9'; at++)
		parent = parent * 10 + (*at - '0');
	return parent;
}

void program_caller(struct caller *ret, long pid)
{
	memset(ret, 0, sizeof(*ret));
	read_program(ret->program, pid);
	read_argv(ret, pid);
	read_script(ret);
	if (pid == raw(SYS_getpid))
		read_executed(ret, pid);
	ret->parent = read_parent(pid);
}
