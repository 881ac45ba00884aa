/* SPDX-License-Identifier: MIT */
/*
 * The exec family with an argument vector. The child's environment is built on this stack: in a vfork child all memory
 * is the parent's, and nothing may be mapped or allocated that a successful exec would leave behind there.
 */
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "describe/memory.h"
#include "inherit.h"
#include "real/syscall.h"
#include "wrap/wrap.h"

#include "forbid.h"

#pragma GCC diagnostic ignored "-Wvla"

#define SHELL "/bin/sh"

/* What is to be executed, once it is judged. */
struct program_call {
	int dirfd;
	const char *path;
	char *const *argv;
	int flags;
};

/* The system call that all of the family comes down to. */
static int execute(const struct program_call *call, char *const *envp)
{
	if (call->dirfd == AT_FDCWD && call->flags == 0) {
		if (!real_is_libc(REAL_execve))
			return REAL(execve)(call->path, call->argv, envp);
		return (int)wrap_result(raw_guarded(SYS_execve, call->path, call->argv, envp, 0, 0));
	}
	return (int)wrap_result(
		raw_guarded(SYS_execveat, call->dirfd, call->path, call->argv, envp, call->flags));
}

static __attribute__((noinline)) int execute_inheriting(const struct program_call *call, char *const *envp,
							size_t count, size_t text_size)
{
	char *vector[count + 3], text[text_size];

	inherit_build(&start()->inherit, envp, vector, text);
	return execute(call, vector);
}

/* With the guardrail in the environment, whatever the program made of it. */
static int execute_guarded(const struct program_call *call, char *const *envp)
{
	const struct start *sessions = start();
	long count;

	if (sessions->state != START_READY)
		return execute(call, envp);
	count = memory_vector(envp);
	if (count < 0)
		return (int)wrap_result(count);
	if (inherit_is_right(&sessions->inherit, envp))
		return execute(call, envp);
	return execute_inheriting(call, envp, (size_t)count, inherit_text_size(&sessions->inherit, envp));
}

static int refuse(long answer)
{
	return (int)wrap_result(answer == GUARD_REFUSED ? -EACCES : answer);
}

/* Makes the judged call. It comes back only when it failed; errno says why. */
static int carry_out(const struct exec_call *judged, int flags, char *const *envp)
{
	int result = execute_guarded(&(struct program_call){judged->dirfd, judged->path, judged->argv, flags}, envp);

	guard_exec_failed(judged, errno);
	return result;
}

int wrap_execve(const char *name, const char *path, char *const *argv, char *const *envp)
{
	struct exec_call call = {name, AT_FDCWD, path, argv, FILE_FOLLOW};
	long answer = guard_exec(&call);

	if (answer && !(guard_found_nothing(answer) && !real_is_libc(REAL_execve)))
		return refuse(answer);
	return carry_out(&call, 0, envp);
}

/* Flags that the kernel refuses it refuses before it looks for the program, but behind a path that is none. */
static long first_answer(long answer, const char *path, int flags)
{
	long first;

	if (answer == -EFAULT || start_filtered || !(flags & ~(AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW)))
		return answer;
	first = *path && strnlen(path, PATH_MAX) < PATH_MAX ? raw_guarded(SYS_execveat, -1, "x", NULL, NULL, flags) : answer;
	return first == -EBADF ? answer : first;
}

int wrap_execveat(const char *name, int dirfd, const char *path, char *const *argv, char *const *envp, int flags)
{
	unsigned asked = (flags & AT_EMPTY_PATH ? FILE_EMPTY : 0) | (flags & AT_SYMLINK_NOFOLLOW ? 0 : FILE_FOLLOW);
	struct exec_call call = {name, dirfd, path, argv, asked};
	long answer = guard_exec(&call);

	if (answer && answer != GUARD_REFUSED)
		answer = first_answer(answer, path, flags);
	return answer ? refuse(answer) : carry_out(&call, flags, envp);
}

/* A file without "#!" that is no binary: execvp runs it with the shell, and the shell is judged like any program. */
static __attribute__((noinline)) int run_with_shell(const char *name, const char *path, char *const *argv,
						    size_t argc, char *const *envp)
{
	char *shell_argv[argc + 3];
	size_t at = 0;

	shell_argv[at++] = (char *)(uintptr_t)SHELL;
	shell_argv[at++] = (char *)(uintptr_t)path;
	for (size_t i = 1; i < argc; i++)
		shell_argv[at++] = argv[i];
	shell_argv[at] = NULL;
	return wrap_execve(name, SHELL, shell_argv, envp);
}

static size_t count(char *const *argv)
{
	size_t argc = 0;

	while (argv && argv[argc])
		argc++;
	return argc;
}

/* One candidate of a search. *ret_over: a refusal or a real failure, behind which the search does not go on. */
static int try_candidate(const char *name, const char *path, char *const *argv, char *const *envp, bool *ret_over)
{
	struct exec_call call = {name, AT_FDCWD, path, argv, FILE_FOLLOW};
	long answer = guard_exec(&call);
	int result;

	*ret_over = answer == GUARD_REFUSED;
	if (answer)
		return refuse(answer);
	result = carry_out(&call, 0, envp);
	if (errno == ENOEXEC)
		result = run_with_shell(name, path, argv, count(argv), envp);
	*ret_over = errno != EACCES && errno != ENOENT && errno != ESTALE && errno != ENOTDIR && errno != ENODEV &&
		    errno != ETIMEDOUT;
	return result;
}

static __attribute__((noinline)) int search(const char *name, const char *file, char *const *argv, char *const *envp)
{
	struct wrap_search places;
	bool forbidden = false, over = false;

	wrap_search_start(&places, file);
	char candidate[wrap_search_size(&places)];
	errno = ENOENT;
	while (wrap_search_next(&places, candidate, sizeof(candidate))) {
		try_candidate(name, candidate, argv, envp, &over);
		if (over)
			return -1;
		forbidden = forbidden || errno == EACCES;
	}
	if (forbidden)
		errno = EACCES;
	return -1;
}

int wrap_execvpe(const char *name, const char *file, char *const *argv, char *const *envp)
{
	bool over;

	if (!memory_string_readable(file))
		return (int)wrap_result(-EFAULT);
	if (!*file)
		return (int)wrap_result(-ENOENT);
	if (strlen(file) > NAME_MAX && !strchr(file, '/'))
		return (int)wrap_result(-ENAMETOOLONG);
	if (strchr(file, '/'))
		return try_candidate(name, file, argv, envp, &over);
	return search(name, file, argv, envp);
}

EXPORT int execve(const char *path, char *const argv[], char *const envp[])
{
	return wrap_execve("execve", path, argv, envp);
}

EXPORT int execv(const char *path, char *const argv[])
{
	return wrap_execve("execv", path, argv, wrap_environ());
}

EXPORT int execvp(const char *file, char *const argv[])
{
	return wrap_execvpe("execvp", file, argv, wrap_environ());
}

EXPORT int execvpe(const char *file, char *const argv[], char *const envp[])
{
	return wrap_execvpe("execvpe", file, argv, envp);
}

/* musl's name for it, which its own other functions are bound to on some machines. */
EXPORT int __execvpe(const char *file, char *const argv[], char *const envp[])
{
	return wrap_execvpe("__execvpe", file, argv, envp);
}

/* Headers promise that these are never NULL; callers do not. */
static bool is_null(const void *pointer)
{
	return !pointer;
}

EXPORT int fexecve(int fd, char *const argv[], char *const envp[])
{
	struct exec_call call = {"fexecve", fd, "", argv, FILE_EMPTY};
	long answer;

	if (fd < 0 || is_null(argv) || is_null(envp))
		return (int)wrap_result(-EINVAL);
	answer = guard_exec(&call);
	return answer ? refuse(answer) : carry_out(&call, AT_EMPTY_PATH, envp);
}

EXPORT int execveat(int dirfd, const char *path, char *const argv[], char *const envp[], int flags)
{
	return wrap_execveat("execveat", dirfd, path, argv, envp, flags);
}
