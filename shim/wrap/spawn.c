/* SPDX-License-Identifier: MIT */
/* posix_spawn and pidfd_spawn: judged in the parent; they return their error and leave errno alone. */
#include <limits.h>
#include <spawn.h>
#include <string.h>

#include "describe/memory.h"
#include "inherit.h"
#include "wrap/actions.h"
#include "wrap/wrap.h"

#include "forbid.h"

#pragma GCC diagnostic ignored "-Wvla"

/* All four have the same shape; the pidfd kind writes a descriptor where the others write a process number. */
typedef int spawn_function(int *restrict pid, const char *restrict path,
			   const posix_spawn_file_actions_t *restrict actions,
			   const posix_spawnattr_t *restrict attributes, char *const argv[restrict],
			   char *const envp[restrict]);

/* A spawn on its way to the real function. */
struct spawn {
	const char *name;
	spawn_function *real;
	int *pid;
	const char *path;
	const posix_spawn_file_actions_t *actions;
	const posix_spawnattr_t *attributes;
	char *const *argv;
};

static int spawn(const struct spawn *call, char *const *envp)
{
	int error = call->real(call->pid, call->path, call->actions, call->attributes, call->argv, envp);

	if (error)
		guard_exec_failed(&(struct exec_call){call->name, AT_FDCWD, call->path, call->argv, FILE_FOLLOW}, error);
	return error;
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

static long ask_path(const struct spawn *call, const char *path)
{
	return guard_exec(&(struct exec_call){call->name, AT_FDCWD, path, call->argv, FILE_FOLLOW | EXEC_STAYS});
}

/* A relative path that the child looks up from where its actions move it. */
static __attribute__((noinline)) long ask_moved(const struct spawn *call, const char *path, const char *folder)
{
	size_t length = strlen(folder), rest = strlen(path);

	if (length + rest + 2 > PATH_MAX)
		return -ENAMETOOLONG;
	char joined[length + rest + 2];
	memcpy(joined, folder, length);
	joined[length] = '/';
	memcpy(joined + length + 1, path, rest + 1);
	return ask_path(call, joined);
}

static long ask(const struct spawn *call, const char *path)
{
	const char *folder = actions_folder(call->actions);

	if (!folder || !memory_string_readable(path) || *path == '/' || !*path)
		return ask_path(call, path);
	if (actions_are_lost(call->actions))
		return -ENAMETOOLONG;
	return ask_moved(call, path, folder);
}

/* The first candidate that is there decides. Result as guard_exec's. */
static __attribute__((noinline)) long ask_search(const struct spawn *call, const char *file)
{
	struct wrap_search places;
	long answer, last = -ENOENT;

	wrap_search_start(&places, file);
	char candidate[wrap_search_size(&places)];
	while (wrap_search_next(&places, candidate, sizeof(candidate))) {
		answer = ask(call, candidate);
		if (answer >= 0)
			return answer;
		last = answer == -EACCES ? answer : last;
	}
	return last;
}

static long ask_file(const struct spawn *call, const char *file)
{
	if (!memory_string_readable(file))
		return -EFAULT;
	if (strlen(file) > NAME_MAX && !strchr(file, '/'))
		return -ENAMETOOLONG;
	return strchr(file, '/') || !*file ? ask(call, file) : ask_search(call, file);
}

static int error_of(long answer)
{
	return answer == GUARD_REFUSED ? EACCES : (int)-answer;
}

/* A program that is not there, for all that we can see: another preload may know better. A search is ours to the end. */
static long left_to_another(const struct spawn *call, long answer)
{
	return guard_found_nothing(answer) && !real_is_libc_named(call->name) ? GUARD_GO : answer;
}

EXPORT int posix_spawn(pid_t *restrict pid, const char *restrict path,
		       const posix_spawn_file_actions_t *restrict actions,
		       const posix_spawnattr_t *restrict attributes, char *const argv[restrict],
		       char *const envp[restrict])
{
	struct spawn call = {"posix_spawn", REAL(posix_spawn), pid, path, actions, attributes, argv};
	long answer = left_to_another(&call, ask(&call, path));

	return answer ? error_of(answer) : spawn_guarded(&call, envp);
}

EXPORT int posix_spawnp(pid_t *restrict pid, const char *restrict file,
			const posix_spawn_file_actions_t *restrict actions,
			const posix_spawnattr_t *restrict attributes, char *const argv[restrict],
			char *const envp[restrict])
{
	struct spawn call = {"posix_spawnp", REAL(posix_spawnp), pid, file, actions, attributes, argv};
	long answer = ask_file(&call, file);

	return answer ? error_of(answer) : spawn_guarded(&call, envp);
}

/* Since glibc 2.39; older headers do not declare them. */
EXPORT int pidfd_spawn(int *restrict pidfd, const char *restrict path,
		       const posix_spawn_file_actions_t *restrict actions,
		       const posix_spawnattr_t *restrict attributes, char *const argv[restrict],
		       char *const envp[restrict])
{
	struct spawn call = {"pidfd_spawn", REAL(pidfd_spawn), pidfd, path, actions, attributes, argv};
	long answer = left_to_another(&call, ask(&call, path));

	return answer ? error_of(answer) : spawn_guarded(&call, envp);
}

EXPORT int pidfd_spawnp(int *restrict pidfd, const char *restrict file,
			const posix_spawn_file_actions_t *restrict actions,
			const posix_spawnattr_t *restrict attributes, char *const argv[restrict],
			char *const envp[restrict])
{
	struct spawn call = {"pidfd_spawnp", REAL(pidfd_spawnp), pidfd, file, actions, attributes, argv};
	long answer = ask_file(&call, file);

	return answer ? error_of(answer) : spawn_guarded(&call, envp);
}
