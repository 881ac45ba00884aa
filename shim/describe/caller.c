/* SPDX-License-Identifier: MIT */
/* Who is about to start a program: the file we run from, and the script that it was started for. */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>

#include "describe/memory.h"
#include "describe/program.h"
#include "real/syscall.h"

#include "forbid.h"

static void keep_basename(char *copy, const char *path)
{
	const char *name = strrchr(path, '/');

	name = name ? name + 1 : path;
	size_t length = strnlen(name, CALLER_SIZE - 1);
	memcpy(copy, name, length);
	copy[length] = '\0';
}

static long read_file(const char *path, void *bytes, size_t size)
{
	long fd = raw_guarded(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0, 0), got;

	if (fd < 0)
		return fd;
	got = raw(SYS_read, fd, bytes, size);
	raw(SYS_close, fd);
	return got;
}

/* The name that the kernel was asked to execute: a script's own, whatever the program did with its argv since. */
static bool read_executed(char *copy)
{
	ElfW(auxv_t) entries[40];
	long got = read_file("/proc/self/auxv", entries, sizeof(entries));
	char path[256];

	for (long i = 0; i < got / (long)sizeof(*entries); i++) {
		if (entries[i].a_type != AT_EXECFN)
			continue;
		if (memory_string(path, sizeof(path), (const char *)entries[i].a_un.a_val) <= 0)
			return false;
		keep_basename(copy, path);
		return true;
	}
	return false;
}

/* Options of the usual interpreters that take no value and may stand before the script. */
static bool is_plain_option(const char *option)
{
	return option[0] == '-' && option[1] && !option[2] && strchr("BEIOSsuw", option[1]);
}

/* `python3 -u script.py ...`, `python3 -m module`: the operand that names what is run. */
void program_named_script(char copy[CALLER_SIZE])
{
	char line[256];
	long got = read_file("/proc/self/cmdline", line, sizeof(line) - 1);
	char *at = line, *end = line + (got > 0 ? got : 0);

	*end = '\0';
	at += strlen(at) + 1;
	while (at < end && is_plain_option(at))
		at += strlen(at) + 1;
	if (at < end && strcmp(at, "-m") == 0)
		at += 3;
	if (at < end && *at != '-')
		keep_basename(copy, at);
}

static __attribute__((noinline)) void read_program(char *copy)
{
	char path[512];
	long got = raw(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path, sizeof(path) - 1);

	path[got > 0 ? got : 0] = '\0';
	keep_basename(copy, path);
}

void program_caller(const char *first_script, struct caller *ret)
{
	memset(ret, 0, sizeof(*ret));
	read_program(ret->program);
	if (!read_executed(ret->script) || strcmp(ret->script, ret->program) == 0) {
		ret->script[0] = '\0';
		keep_basename(ret->script, first_script);
	}
}
