/* SPDX-License-Identifier: MIT */
/* Reading /proc. */
#include "backstop/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backstop/memory.h"
#include "handoff.h"

static FILE *open_proc(pid_t pid, const char *name)
{
	char path[96];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return fopen(path, "re");
}

static const char *basename_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool starts(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static bool is_linker(const char *file)
{
	return starts(file, "ld-") || starts(file, "ld.so");
}

/* libc and the parts of it that load on their own: name services, the resolver, the old thread library. */
static bool is_libc(const char *file)
{
	return is_linker(file) || starts(file, "libc.so") || starts(file, "libc-") || starts(file, "libc.musl") ||
	       starts(file, "libnss_") || starts(file, "libresolv") || starts(file, "libpthread");
}

/* Reads the memory map: is the shim there, a linker, and whose code made the call? */
static void look_at_map(struct process *process, uint64_t pointer)
{
	bool shim = false, linker = false, any = false;
	char line[PATH_MAX + 128];
	FILE *stream = open_proc(process->tid, "maps");

	while (stream && fgets(line, sizeof(line), stream)) {
		unsigned long long start, end;
		const char *file = strchr(line, '/');
		char *stop;

		any = true;
		if (sscanf(line, "%llx-%llx", &start, &end) != 2 || !file)
			continue;
		stop = strchr(line, '\n');
		if (stop)
			*stop = '\0';
		file = basename_of(file);
		shim |= !strcmp(file, SESSION_LIBRARY);
		linker |= is_linker(file);
		if (pointer >= start && pointer < end)
			process->origin = !strcmp(file, SESSION_LIBRARY) ? PROCESS_GUARD
					  : is_libc(file)                ? PROCESS_LIBC
									 : PROCESS_OWN;
	}
	if (stream)
		fclose(stream);
	process->cover = !any ? PROCESS_CLOSED : shim ? PROCESS_SHIM
					 : linker     ? PROCESS_UNLOADED
						      : PROCESS_STATIC;
}

static uint64_t start_of(pid_t tgid)
{
	char text[1024];
	FILE *stream = open_proc(tgid, "stat");
	size_t length = stream ? fread(text, 1, sizeof(text) - 1, stream) : 0;
	const char *at;

	if (stream)
		fclose(stream);
	text[length] = '\0';
	at = strrchr(text, ')');
	/* the 22nd field; the second, in parentheses, may hold anything */
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) : 0;
}

/* libc's syscall(), which libc itself never calls: the instructions before the pointer are those of its last argument. */
static bool is_by_number(pid_t tid, uint64_t pointer)
{
#if defined(__x86_64__)
	static const unsigned char ending[] = {0x4c, 0x8b, 0x4c, 0x24, 0x08, 0x0f, 0x05}; /* mov 8(%rsp),%r9; syscall */
#else
	static const unsigned char ending[] = {0xe5, 0x03, 0x06, 0xaa, 0x01, 0x00, 0x00, 0xd4}; /* mov x5, x6; svc 0 */
#endif
	unsigned char code[sizeof(ending)];
	struct memory memory;

	memory_open(&memory, tid);
	return !memory_read(&memory, pointer - sizeof(ending), code, sizeof(code)) &&
	       !memcmp(code, ending, sizeof(ending));
}

bool process_look(struct process *ret, pid_t tid, uint64_t pointer)
{
	char line[256], link[64];
	ssize_t length;
	FILE *stream = open_proc(tid, "status");

	*ret = (struct process){.tid = tid};
	if (!stream)
		return false;
	while (fgets(line, sizeof(line), stream)) {
		sscanf(line, "Tgid: %d", &ret->tgid);
		if (sscanf(line, "PPid: %d", &ret->parent) == 1)
			break;
	}
	fclose(stream);
	ret->started = start_of(ret->tgid);
	snprintf(link, sizeof(link), "/proc/%d/exe", (int)tid);
	length = readlink(link, ret->exe, sizeof(ret->exe) - 1);
	ret->exe[length > 0 ? length : 0] = '\0';
	look_at_map(ret, pointer);
	if (ret->origin == PROCESS_LIBC && is_by_number(tid, pointer))
		ret->origin = PROCESS_OWN;
	return true;
}

bool process_is_launcher(pid_t caller, pid_t tid)
{
	char path[64];
	struct stat theirs, ours;

	if (tid <= 0)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/ns/pid", (int)caller);
	if (!stat(path, &theirs) && !stat("/proc/self/ns/pid", &ours) &&
	    (theirs.st_ino != ours.st_ino || theirs.st_dev != ours.st_dev))
		return false; /* its numbers are not ours, and it cannot name us */
	snprintf(path, sizeof(path), "/proc/self/task/%d", (int)tid);
	return !access(path, F_OK);
}

bool process_pidfd_is_launcher(pid_t caller, int pidfd)
{
	char name[64], line[128];
	int pid = -1;
	FILE *stream;

	snprintf(name, sizeof(name), "fdinfo/%d", pidfd);
	stream = open_proc(caller, name);
	while (stream && fgets(line, sizeof(line), stream))
		if (sscanf(line, "Pid: %d", &pid) == 1)
			break;
	if (stream)
		fclose(stream);
	return pid == (int)getpid();
}
