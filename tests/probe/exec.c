/* SPDX-License-Identifier: MIT */
/* Programs: the exec family in a child that tells its errno through a pipe, spawns and shells. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

#include "probe.h"

extern char **environ;

/* ok: the program started and ended with status 0. */
static struct outcome wait_for(pid_t pid)
{
	int status = 0;

	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return from_int(-1);
	return (struct outcome){.failed = status != 0, .error = ECHILD};
}

static struct outcome in_child(void (*start)(char **), char **arguments)
{
	int ends[2], error = 0;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return from_int(-1);
	pid = fork();
	if (pid == 0) {
		start(arguments);
		error = errno;
		_exit(write(ends[1], &error, sizeof(error)) < 0);
	}
	close(ends[1]);
	bool told = read(ends[0], &error, sizeof(error)) == sizeof(error);
	close(ends[0]);
	struct outcome outcome = wait_for(pid);
	return told ? (struct outcome){.failed = true, .error = error} : outcome;
}

static void start_execve(char **a)
{
	execve(a[0], a, environ);
}

static void start_execv(char **a)
{
	execv(a[0], a);
}

static void start_execvp(char **a)
{
	execvp(a[0], a);
}

static void start_execvpe(char **a)
{
	execvpe(a[0], a, environ);
}

static void start___execvpe(char **a)
{
	((int (*)(const char *, char *const *, char *const *))find("__execvpe"))(a[0], a, environ);
}

static void start_execl(char **a)
{
	if (!a[1])
		execl(a[0], a[0], NULL);
	else
		execl(a[0], a[0], a[1], a[2], NULL);
}

static void start_execle(char **a)
{
	if (!a[1])
		execle(a[0], a[0], NULL, environ);
	else
		execle(a[0], a[0], a[1], a[2], NULL, environ);
}

static void start_execlp(char **a)
{
	if (!a[1])
		execlp(a[0], a[0], NULL);
	else
		execlp(a[0], a[0], a[1], a[2], NULL);
}

static void start_fexecve(char **a)
{
	fexecve(open(a[0], O_PATH | O_CLOEXEC), a, environ);
}

static void start_execveat(char **a)
{
	execveat(AT_FDCWD, a[0], a, environ, 0);
}

#define IN_CHILD(name)                              \
	static struct outcome call_##name(char **a) \
	{                                           \
		return in_child(start_##name, a);   \
	}
IN_CHILD(execve)
IN_CHILD(execv)
IN_CHILD(execvp)
IN_CHILD(execvpe)
IN_CHILD(__execvpe)
IN_CHILD(execl)
IN_CHILD(execle)
IN_CHILD(execlp)
IN_CHILD(fexecve)
IN_CHILD(execveat)

static struct outcome spawned(int error, pid_t pid)
{
	return error ? from_error(error) : wait_for(pid);
}

static struct outcome call_posix_spawn(char **a)
{
	pid_t pid = -1;
	int error = posix_spawn(&pid, a[0], NULL, NULL, a, environ);

	return spawned(error, pid);
}

static struct outcome call_posix_spawnp(char **a)
{
	pid_t pid = -1;
	int error = posix_spawnp(&pid, a[0], NULL, NULL, a, environ);

	return spawned(error, pid);
}

typedef int pidfd_function(int *, const char *, const void *, const void *, char *const *, char *const *);

static struct outcome call_pidfd_spawn(char **a)
{
	int pidfd;

	return from_error(((pidfd_function *)find("pidfd_spawn"))(&pidfd, a[0], NULL, NULL, a, environ));
}

static struct outcome call_pidfd_spawnp(char **a)
{
	int pidfd;

	return from_error(((pidfd_function *)find("pidfd_spawnp"))(&pidfd, a[0], NULL, NULL, a, environ));
}

static struct outcome from_status(int status)
{
	if (status == -1)
		return from_int(-1);
	return (struct outcome){.failed = status != 0, .error = ECHILD};
}

static struct outcome call_system(char **a)
{
	return from_status(system(a[0]));
}

static struct outcome call___libc_system(char **a)
{
	return from_status(((int (*)(const char *))find("__libc_system"))(a[0]));
}

static struct outcome from_stream(FILE *stream)
{
	return stream ? from_status(pclose(stream)) : from_pointer(NULL);
}

static struct outcome call_popen(char **a)
{
	return from_stream(popen(a[0], "w"));
}

static struct outcome call__IO_popen(char **a)
{
	return from_stream(((FILE * (*)(const char *, const char *)) find("_IO_popen"))(a[0], "w"));
}

static struct outcome call_wordexp(char **a)
{
	wordexp_t words;
	int error = wordexp(a[0], &words, 0);

	return (struct outcome){.failed = error != 0, .error = errno};
}

/* Spawns a[1] with the actions that prepare adds for a[0]. */
static struct outcome with_actions(char **a, int (*prepare)(posix_spawn_file_actions_t *, const char *))
{
	posix_spawn_file_actions_t actions;
	pid_t pid = -1;
	int error;

	if (posix_spawn_file_actions_init(&actions) != 0)
		return from_int(-1);
	error = prepare(&actions, a[0]);
	if (!error)
		error = posix_spawn(&pid, a[1], &actions, NULL, a + 1, environ);
	posix_spawn_file_actions_destroy(&actions);
	return spawned(error, pid);
}

static int add_nothing(posix_spawn_file_actions_t *actions, const char *path)
{
	(void)actions;
	(void)path;
	return 0;
}

static int add_open(posix_spawn_file_actions_t *actions, const char *path)
{
	return posix_spawn_file_actions_addopen(actions, 9, path, O_RDONLY, 0);
}

static int add_chdir_np(posix_spawn_file_actions_t *actions, const char *path)
{
	return posix_spawn_file_actions_addchdir_np(actions, path);
}

static int add_fchdir_np(posix_spawn_file_actions_t *actions, const char *path)
{
	return posix_spawn_file_actions_addfchdir_np(actions, open(path, O_RDONLY | O_DIRECTORY));
}

static int error_number(int result)
{
	return result < 0 ? errno : result;
}

static int add_chdir(posix_spawn_file_actions_t *actions, const char *path)
{
	return error_number(((int (*)(posix_spawn_file_actions_t *, const char *))find(
		"posix_spawn_file_actions_addchdir"))(actions, path));
}

static int add_fchdir(posix_spawn_file_actions_t *actions, const char *path)
{
	return error_number(((int (*)(posix_spawn_file_actions_t *, int))find(
		"posix_spawn_file_actions_addfchdir"))(actions, open(path, O_RDONLY | O_DIRECTORY)));
}

#define WITH_ACTIONS(name, prepare)                 \
	static struct outcome call_##name(char **a) \
	{                                           \
		return with_actions(a, prepare);    \
	}
WITH_ACTIONS(init, add_nothing)
WITH_ACTIONS(addopen, add_open)
WITH_ACTIONS(addchdir_np, add_chdir_np)
WITH_ACTIONS(addfchdir_np, add_fchdir_np)
WITH_ACTIONS(addchdir, add_chdir)
WITH_ACTIONS(addfchdir, add_fchdir)

const struct verb exec_verbs[] = {
	{"execve", 1, call_execve},
	{"execv", 1, call_execv},
	{"execvp", 1, call_execvp},
	{"execvpe", 1, call_execvpe},
	{"__execvpe", 1, call___execvpe},
	{"execl", 1, call_execl},
	{"execle", 1, call_execle},
	{"execlp", 1, call_execlp},
	{"fexecve", 1, call_fexecve},
	{"execveat", 1, call_execveat},
	{"posix_spawn", 1, call_posix_spawn},
	{"posix_spawnp", 1, call_posix_spawnp},
	{"pidfd_spawn", 1, call_pidfd_spawn},
	{"pidfd_spawnp", 1, call_pidfd_spawnp},
	{"system", 1, call_system},
	{"__libc_system", 1, call___libc_system},
	{"popen", 1, call_popen},
	{"_IO_popen", 1, call__IO_popen},
	{"wordexp", 1, call_wordexp},
	{"posix_spawn_file_actions_init", 2, call_init},
	{"posix_spawn_file_actions_destroy", 2, call_init},
	{"posix_spawn_file_actions_addopen", 2, call_addopen},
	{"posix_spawn_file_actions_addchdir_np", 2, call_addchdir_np},
	{"posix_spawn_file_actions_addfchdir_np", 2, call_addfchdir_np},
	{"posix_spawn_file_actions_addchdir", 2, call_addchdir},
	{"posix_spawn_file_actions_addfchdir", 2, call_addfchdir},
	{NULL, 0, NULL},
};
