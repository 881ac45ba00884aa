/* SPDX-License-Identifier: MIT */
/*
 * timer TIMES COMMAND... runs the command so often, its output thrown away, and prints the nanoseconds of the quickest
 * run. Itself it runs under what is measured, so that the start of a guard is not counted, only the life below it.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double run(char **argv, posix_spawn_file_actions_t *actions)
{
	double began = now();
	int status;
	pid_t pid;

	errno = posix_spawnp(&pid, argv[0], actions, NULL, argv, environ);
	if (errno != 0 || waitpid(pid, &status, 0) != pid || status != 0) {
		fprintf(stderr, "timer: %s: %s\n", argv[0], errno ? strerror(errno) : "failed");
		exit(1);
	}
	return now() - began;
}

int main(int argc, char **argv)
{
	posix_spawn_file_actions_t actions;
	double least = 0;

	if (argc < 3) {
		fputs("usage: timer TIMES COMMAND...\n", stderr);
		return 2;
	}
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	for (long i = 0; i < atol(argv[1]); i++) {
		double took = run(argv + 2, &actions);

		least = i == 0 || took < least ? took : least;
	}
	posix_spawn_file_actions_destroy(&actions);
	printf("%.0f\n", least);
	return 0;
}
