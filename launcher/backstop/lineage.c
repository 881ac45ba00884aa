/* SPDX-License-Identifier: MIT */
/* Who starts a program, and for whom, as /proc tells it of a process and of those above it. */
#include "backstop/lineage.h"

#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backstop/memory.h"
#include "check/caller.h"

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

/* The name that execve was given stands at the top of the stack, whatever the program did with its argv since. */
static void read_executed(struct caller *ret, pid_t pid)
{
	ElfW(auxv_t) entries[40];
	size_t got = read_proc(pid, "auxv", (char *)entries, sizeof(entries)), length;
	struct memory memory;
	char path[PATH_MAX];

	memory_open(&memory, pid);
	for (size_t i = 0; i < got / sizeof(entries[0]); i++)
		if (entries[i].a_type == AT_EXECFN &&
		    !memory_string(&memory, entries[i].a_un.a_val, path, sizeof(path), &length))
			caller_name(ret->executed, path);
}

static pid_t read_parent(pid_t pid)
{
	char text[512], *at;
	int parent = 0;

	text[read_proc(pid, "stat", text, sizeof(text) - 1)] = '\0';
	at = strrchr(text, ')'); /* the name in brackets may hold brackets */
	return at && sscanf(at, ") %*c %d", &parent) == 1 ? parent : 0;
}

static void look(struct caller *ret, const struct image *image, pid_t pid, bool self)
{
	char link[64], path[PATH_MAX];
	ssize_t length;

	memset(ret, 0, sizeof(*ret));
	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	length = readlink(link, path, sizeof(path) - 1);
	path[length > 0 ? length : 0] = '\0';
	caller_name(ret->program, path);
	caller_words(ret, image, read_proc(pid, "cmdline", ret->line, sizeof(ret->line) - 1));
	if (self)
		read_executed(ret, pid);
	ret->parent = read_parent(pid);
}

struct decision lineage_judge(const struct image *image, struct command command, pid_t tid)
{
	struct decision decision = DECISION_ALLOW;
	struct caller caller;
	pid_t pid = tid;

	for (unsigned level = 0; level < CALLER_LEVELS && (pid > 1 || pid == tid); level++, pid = (pid_t)caller.parent) {
		look(&caller, image, pid, pid == tid);
		if (caller_is_launcher(&caller))
			break;
		command.passed_on = level > 0;
		for (unsigned way = 0; caller_introduce(&caller, way, &command); way++) {
			decision = check_command(image, &command);
			if (!caller_matters(&decision))
				return decision;
		}
		command.above = command.above || !caller_speaks_for_parent(image, &caller, &command);
	}
	return decision;
}
