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

/* The name that the kernel was asked to execute: a script's own, whatever the program did with its argv since. */
static void read_executed(struct caller *ret, long pid)
{
	ElfW(auxv_t) entries[40];
	size_t got = read_file(pid, "/auxv", (char *)entries, sizeof(entries));
	char path[256];

	for (size_t i = 0; i < got / sizeof(*entries); i++)
		if (entries[i].a_type == AT_EXECFN &&
		    memory_string(path, sizeof(path), (const char *)entries[i].a_un.a_val) > 0)
			caller_name(ret->executed, path);
}

static __attribute__((noinline)) void read_program(char *copy, long pid)
{
	char path[512], name[48];
	long got = raw(SYS_readlinkat, AT_FDCWD, name_file(name, pid, "/exe"), path, sizeof(path) - 1);

	path[got > 0 ? got : 0] = '\0';
	caller_name(copy, path);
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

void program_caller(struct caller *ret, long pid, const struct image *image)
{
	memset(ret, 0, sizeof(*ret));
	read_program(ret->program, pid);
	caller_words(ret, image, read_file(pid, "/cmdline", ret->line, sizeof(ret->line) - 1));
	if (pid == raw(SYS_getpid))
		read_executed(ret, pid);
	ret->parent = read_parent(pid);
}
