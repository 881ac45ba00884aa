/* SPDX-License-Identifier: MIT */
/* posix_spawn: judged in the parent; it returns its error and leaves errno alone. */
#include <spawn.h>
#include <string.h>

#include "describe/memory.h"
#include "inherit.h"
#include "wrap/wrap.h"

#include "forbid.h"

#pragma GCC diagnostic ignored "-Wvla"

typedef int spawn_function(pid_t *restrict pid, const char *restrict path,
			   const posix_spawn_file_actions_t *restrict actions, const posix_spawnattr_t *restrict attributes,
			   char *const argv[restrict], char *const envp[restrict]);

/* A spawn on its way to the real function. */
struct spawn {
	spawn_function *real;
	pid_t *pid;
	const char *path;
	const posix_spawn_file_actions_t *actions;
	const posix_spawnattr_t *attributes;
	char *const *argv;
};

static int spawn(const struct spawn *call, char *const *envp)
{
	return call->real(call->pid, call->path, call->actions, call->attributes, call->argv, envp);
}

static __attribute__((noinline)) int spawn_inheriting(const struct spawn *call, char *const *envp, size_t count,
						      size_t text_size)
{
	char *vector[count + 3], text[text_size];

	inherit_build(&start()->inherit, envp, vector, text);
	return spawn(call, vector);
}

static int spawn_guarded(const struct spawn *call, char *const *envp)
{
	const struct start *sessions = start();
	long count;

	if (sessions->state != START_READY)
		return spawn(call, envp);
	count = memory_vector(envp);
	if (count < 0)
		return EFAULT;
	if (inherit_is_right(&sessions->inherit, envp))
		return spawn(call, envp);
	return spawn_inheriting(call, envp, (size_t)count, inherit_text_size(&sessions->inherit, envp));
}

static int error_of(long answer)
{
	return answer == GUARD_REFUSED ? EACCES : (int)-answer;
}

EXPORT int posix_spawn(pid_t *restrict pid, const char *restrict path,
		       const posix_spawn_file_actions_t *restrict actions, const posix_spawnattr_t *restrict attributes,
		       char *const argv[restrict], char *const envp[restrict])
{
	long answer = guard_exec(&(struct exec_call){"posix_spawn", AT_FDCWD, path, argv, FILE_FOLLOW});

	if (answer)
		return error_of(answer);
	return spawn_guarded(&(struct spawn){REAL(posix_spawn), pid, path, actions, attributes, argv}, envp);
}

/* The first candidate that is there decides. Result as guard_exec's. */
static __attribute__((noinline)) long ask_search(const char *name, const char *file, char *const *argv)
{
	struct wrap_search places;
	char candidate[WRAP_CANDIDATE];
	long answer = -ENOENT, first = -ENOENT;

	wrap_search_start(&places, file);
	while (wrap_search_next(&places, candidate, sizeof(candidate))) {
		answer = guard_exec(&(struct exec_call){name, AT_FDCWD, candidate, argv, FILE_FOLLOW});
		if (answer >= 0)
			return answer;
		first = answer == -EACCES ? answer : first;
	}
	return first;
}

EXPORT int posix_spawnp(pid_t *restrict pid, const char *restrict file,
			const posix_spawn_file_actions_t *restrict actions,
			const posix_spawnattr_t *restrict attributes, char *const argv[restrict],
			char *const envp[restrict])
{
	long answer;

	if (!memory_string_readable(file))
		answer = -EFAULT;
	else if (strchr(file, '/') || !*file)
		answer = guard_exec(&(struct exec_call){"posix_spawnp", AT_FDCWD, file, argv, FILE_FOLLOW});
	else
		answer = ask_search("posix_spawnp", file, argv);
	if (answer)
		return error_of(answer);
	return spawn_guarded(&(struct spawn){REAL(posix_spawnp), pid, file, actions, attributes, argv}, envp);
}
