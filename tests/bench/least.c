/* SPDX-License-Identifier: MIT */
/*
 * least CASE COUNT: the work of a case of calls.c, done with the fewest system calls by which a guard in user space can
 * know that the file it judged is the file that is opened or moved: no link followed, and a name met in a directory that is
 * held. It judges nothing. What it takes beside the plain call is the kernel's part of any such guard.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "slices.h"

static const char below[] = "a/b/c/file";
static char absolute[PATH_MAX];
static int directory;

static int open_held(int dirfd, const char *path, uint64_t flags, uint64_t resolve)
{
	struct open_how how = {.flags = flags, .resolve = resolve};

	return (int)syscall(SYS_openat2, dirfd, path, &how, sizeof(how), 0, 0);
}

static void open_and_close(int dirfd, const char *path, uint64_t resolve)
{
	int fd = open_held(dirfd, path, O_RDONLY, resolve);

	if (fd < 0)
		die(path);
	close(fd);
}

static void open_absolute(void)
{
	open_and_close(AT_FDCWD, absolute, RESOLVE_NO_SYMLINKS);
}

static void open_relative(void)
{
	open_and_close(AT_FDCWD, below, RESOLVE_NO_SYMLINKS);
}

static void open_directory(void)
{
	open_and_close(directory, "file", RESOLVE_NO_SYMLINKS);
}

static void open_missing(void)
{
	if (open_held(AT_FDCWD, "a/b/c/no-such-file", O_RDONLY, RESOLVE_NO_SYMLINKS) >= 0)
		die("no-such-file exists");
}

/* libc gives a stream for a descriptor only by fdopen, which asks for the descriptor's flags. */
static void stream(void)
{
	int fd = open_held(AT_FDCWD, below, O_RDONLY, RESOLVE_NO_SYMLINKS);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");

	if (file == NULL)
		die(below);
	fclose(file);
}

static void rename_held(const char *from, const char *name, const char *to, const char *new_name)
{
	int old = open_held(AT_FDCWD, from, O_PATH | O_CLOEXEC, RESOLVE_NO_SYMLINKS);
	int new = strcmp(from, to) == 0 ? old : open_held(AT_FDCWD, to, O_PATH | O_CLOEXEC, RESOLVE_NO_SYMLINKS);

	if (old < 0 || new < 0 || renameat(old, name, new, new_name) < 0)
		die(from);
	close(old);
	if (new != old)
		close(new);
}

static void rename_file(void)
{
	rename_held("a/b/c", "file", "a/b", "moved");
	rename_held("a/b", "moved", "a/b/c", "file");
}

static void rename_beside(void)
{
	rename_held("a/b/c", "file", "a/b/c", "moved");
	rename_held("a/b/c", "moved", "a/b/c", "file");
}

static const struct measured cases[] = {
	{"open-absolute", open_absolute, 200, 0},
	{"open-relative", open_relative, 200, 0},
	{"open-missing", open_missing, 200, 0},
	{"open-directory", open_directory, 200, 0},
	{"fopen", stream, 200, 0},
	{"rename", rename_file, 50, 0},
	{"rename-beside", rename_beside, 50, 0},
};

int main(int argc, char **argv)
{
	char here[PATH_MAX - 32];
	long count = argc == 3 ? atol(argv[2]) : 0;

	if (count <= 0) {
		fputs("usage: least CASE COUNT\n", stderr);
		return 2;
	}
	if (getcwd(here, sizeof(here)) == NULL)
		die("getcwd");
	snprintf(absolute, sizeof(absolute), "%s/%s", here, below);
	directory = open("a/b/c", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return measure_named(cases, sizeof(cases) / sizeof(cases[0]), argv[1], count);
}
