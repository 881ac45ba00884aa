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

#define MAP_BYTES 8192 /* the kernel gives a page of a map at once, stdio would ask for a quarter of it */

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

/* "7f00-7f10 r-xp ... /path": does the mapping hold the pointer? */
static bool holds(const char *line, uint64_t pointer)
{
	char *dash;
	uint64_t start = strtoull(line, &dash, 16);

	return *dash == '-' && pointer >= start && pointer < strtoull(dash + 1, NULL, 16);
}

/* Reads the memory map: is the shim there, a linker, and whose code made the call? */
static void look_at_map(struct process *process, uint64_t pointer)
{
	bool shim = false, linker = false, any = false;
	char line[PATH_MAX + 128], bytes[MAP_BYTES];
	FILE *stream = open_proc(process->tid, "maps");

	if (stream)
		setvbuf(stream, bytes, _IOFBF, sizeof(bytes));
	while (stream && fgets(line, sizeof(line), stream)) {
		const char *file = strchr(line, '/');
		char *stop;

		any = true;
		if (!file)
			continue;
		stop = strchr(line, '\n');
		if (stop)
			*stop = '\0';
		file = basename_of(file);
		shim |= !strcmp(file, SESSION_LIBRARY);
		linker |= is_linker(file);
		if (holds(line, pointer))
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
	static const unsigned char ending[] = {0xe5, 0x03, 0x06, 0xaa, 0xe6, 0x03, 0x07, 0xaa,
					       0x01, 0x00, 0x00, 0xd4}; /* mov x5, x6; mov x6, x7; svc 0 */
#endif
	unsigned char code[sizeof(ending)];
	struct memory memory;

	memory_open(&memory, tid);
	return !memory_read(&memory, pointer - sizeof(ending), code, sizeof(code)) &&
	       !memcmp(code, ending, sizeof(ending));
}

void process_look_at_code(struct process *ret, pid_t tid, uint64_t pointer)
{
	*ret = (struct process){.tid = tid};
	look_at_map(ret, pointer);
	if (ret->origin == PROCESS_LIBC && is_by_number(tid, pointer))
		ret->origin = PROCESS_OWN;
}

bool process_name(struct process *process)
{
	char line[256], link[64];
	ssize_t length;
	FILE *stream = open_proc(process->tid, "status");

	if (!stream)
		return false;
	while (fgets(line, sizeof(line), stream)) {
		sscanf(line, "Tgid: %d", &process->tgid);
		if (sscanf(line, "PPid: %d", &process->parent) == 1)
			break;
	}
	fclose(stream);
	process->started = start_of(process->tgid);
	snprintf(link, sizeof(link), "/proc/%d/exe", (int)process->tid);
	length = readlink(link, process->exe, sizeof(process->exe) - 1);
	process->exe[length > 0 ? length : 0] = '\0';
	return true;
}

bool process_look(struct process *ret, pid_t tid, uint64_t pointer)
{
	process_look_at_code(ret, tid, pointer);
	return process_name(ret);
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
