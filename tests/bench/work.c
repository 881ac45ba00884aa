/* SPDX-License-Identifier: MIT */
/*
 * work CASE COUNT makes one kind of call COUNT times and prints the nanoseconds that one took: the least of
 * many slices, which the machine's other work does not lengthen. It is meant for the shim that is built with still.h: an
 * open then costs what the shim itself does, and gives a descriptor that nobody needs to close.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STILL (O_RDONLY | O_NOCTTY) /* what still.h answers */

enum {
	SLICE = 500,
	FRESH = 5000 /* more paths than any memory of paths in the shim holds */
};

extern char **environ;

static const char below[] = "a/b/c/file";
static char absolute[PATH_MAX];
static char fresh[FRESH][32];

static void die(const char *what)
{
	fprintf(stderr, "work: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void open_absolute(long turn)
{
	(void)turn;
	if (open(absolute, STILL) < 0)
		die(absolute);
}

static void open_relative(long turn)
{
	(void)turn;
	if (open(below, STILL) < 0)
		die(below);
}

static void open_dots(long turn)
{
	(void)turn;
	if (open("a/./b/../b//c/file", STILL) < 0)
		die("dots");
}

static void open_fresh(long turn)
{
	if (open(fresh[turn % FRESH], STILL) < 0)
		die("fresh");
}

/* By a directory's descriptor: asked about, once a call, and the file opened by it. */
static int directory(void)
{
	static int fd = -1;

	if (fd < 0)
		fd = open("a/b/c", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		die("a/b/c");
	return fd;
}

static void open_below(long turn)
{
	(void)turn;
	if (openat(directory(), "file", STILL) < 0)
		die("file");
}

static void open_below_fresh(long turn)
{
	if (openat(directory(), fresh[turn % FRESH] + strlen("a/b/c/"), STILL) < 0)
		die("fresh");
}

static void open_outside(long turn)
{
	(void)turn;
	if (open("../outside", STILL) >= 0 || errno != EACCES)
		die("../outside is not refused");
}

static void spawn(long turn)
{
	char program[] = "/bin/true", *argv[] = {program, NULL};
	int status;
	pid_t pid;

	(void)turn;
	errno = posix_spawn(&pid, program, NULL, NULL, argv, environ);
	if (errno || waitpid(pid, &status, 0) != pid || status)
		die(program);
}

static const struct {
	const char *name;
	void (*call)(long turn);
} cases[] = {
	{"absolute", open_absolute},
	{"relative", open_relative},
	{"dots", open_dots},
	{"fresh", open_fresh},
	{"below", open_below},
	{"below-fresh", open_below_fresh},
	{"outside", open_outside},
	{"spawn", spawn},
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void measure(void (*call)(long turn), long count)
{
	double least = 1e18;

	for (long done = 0; done < count;) {
		long slice = count - done < SLICE ? count - done : SLICE;
		double began = now();

		for (long i = 0; i < slice; i++)
			call(done + i);
		began = (now() - began) / (double)slice;
		least = began < least ? began : least;
		done += slice;
	}
	printf("%.1f\n", least);
}

int main(int argc, char **argv)
{
	char here[PATH_MAX - 32];
	long count = argc == 3 ? atol(argv[2]) : 0;

	if (!getcwd(here, sizeof(here)))
		die("getcwd");
	snprintf(absolute, sizeof(absolute), "%s/%s", here, below);
	for (int i = 0; i < FRESH; i++)
		snprintf(fresh[i], sizeof(fresh[i]), "a/b/c/file%d", i);
	for (size_t i = 0; count > 0 && i < sizeof(cases) / sizeof(cases[0]); i++)
		if (strcmp(argv[1], cases[i].name) == 0) {
			measure(cases[i].call, count);
			return 0;
		}
	fputs("usage: work CASE COUNT\n", stderr);
	return 2;
}
