/* SPDX-License-Identifier: MIT */
/*
 * Whatever becomes of the environment, children are guarded and see their own variables. Each way of starting runs this
 * program again: as "child" it must be refused, and find VALUE where it was given.
 */
#include <spawn.h>

#include "life.h"

extern char **environ;

static char *self;

static pid_t forked(void (*start)(char **argv, char **envp), char **envp)
{
	char *argv[] = {self, (char *)(size_t) "child", NULL};
	pid_t pid = fork();

	if (pid == 0) {
		start(argv, envp);
		_exit(7);
	}
	return pid;
}

static void by_execve(char **argv, char **envp)
{
	execve(argv[0], argv, envp);
}

static void by_execle(char **argv, char **envp)
{
	execle(argv[0], argv[0], argv[1], NULL, envp);
}

static void by_execv(char **argv, char **envp)
{
	environ = envp;
	execv(argv[0], argv);
}

static void by_execvpe(char **argv, char **envp)
{
	execvpe(argv[0], argv, envp);
}

static void by_clearenv(char **argv, char **envp)
{
	(void)envp;
	clearenv();
	execv(argv[0], argv);
}

static void by_shell(void)
{
	char line[4200], *kept = getenv("BRIDLE_SESSION");

	must(kept);
	snprintf(line, sizeof(line), "VALUE=\"it's\" exec %s child", self);
	environ = NULL;
	must(system(line) == 0);
	FILE *stream = popen(line, "w");
	must(stream && pclose(stream) == 0);
	must(!environ);
}

static int child(void)
{
	const char *value = getenv("VALUE");

	must(is_refused(OUTSIDE));
	must(!value || strcmp(value, "own") == 0 || strcmp(value, "it's") == 0);
	must(getenv("LD_PRELOAD") && getenv("BRIDLE_SESSION"));
	return 0;
}

int main(int argc, char **argv)
{
	char *empty[] = {NULL}, *own[] = {(char *)(size_t) "VALUE=own", NULL};
	char *preload[] = {(char *)(size_t) "LD_PRELOAD=libm.so.6", (char *)(size_t) "VALUE=own", NULL};
	pid_t pid;

	self = argv[0];
	if (argc > 1)
		return child();
	must(ended_well(forked(by_execve, empty)));
	must(ended_well(forked(by_execve, own)));
	must(ended_well(forked(by_execve, preload)));
	must(ended_well(forked(by_execve, NULL)));
	must(ended_well(forked(by_execle, own)));
	must(ended_well(forked(by_execv, own)));
	must(ended_well(forked(by_execvpe, own)));
	must(ended_well(forked(by_clearenv, NULL)));
	char *again[] = {self, (char *)(size_t) "child", NULL};
	must(posix_spawn(&pid, self, NULL, NULL, again, own) == 0 && ended_well(pid));
	must(posix_spawnp(&pid, self, NULL, NULL, again, NULL) == 0 && ended_well(pid));
	by_shell();
	return 0;
}
