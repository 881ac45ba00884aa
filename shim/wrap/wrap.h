/* SPDX-License-Identifier: MIT */
/*
 * What all wrappers share. A wrapper has three beats: collect the arguments, ask the guard, make the real call. Only
 * wrappers set errno, and only for what the guard itself answers.
 */
#ifndef BRIDLE_WRAP_WRAP_H
#define BRIDLE_WRAP_WRAP_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>

#include "guard.h"
#include "real/real.h"

/* The only symbols that leave the library. */
#define EXPORT __attribute__((visibility("default")))

/* The guard's answer as libc gives it: -1 and errno, or the value. */
static inline long wrap_result(long answer)
{
	if (answer < 0) {
		errno = (int)-answer;
		return -1;
	}
	return answer;
}

/* Names that libc exports and no public header declares. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dirfd, const char *path, int flags);
int __openat64_2(int dirfd, const char *path, int flags);

/* The file behind an exec call, in any of its spellings. GUARD_GO, GUARD_REFUSED or -errno: see guard_exec. */
int wrap_execve(const char *name, const char *path, char *const *argv, char *const *envp);
int wrap_execvpe(const char *name, const char *file, char *const *argv, char *const *envp);

/* environ of the running program, and the first value of one of its variables (getenv may be the program's own). */
char **wrap_environ(void);
const char *wrap_variable(const char *name);

/* The candidates of a name in PATH, in order, as execvp tries them. */
#define WRAP_CANDIDATE 4352 /* PATH_MAX and NAME_MAX */
struct wrap_search {
	const char *file, *next;
};
void wrap_search_start(struct wrap_search *search, const char *file);
/* Writes the next candidate; false when there is none. What does not fit is left out. */
bool wrap_search_next(struct wrap_search *search, char *candidate, size_t size);

#endif
