/* SPDX-License-Identifier: MIT */
/*
 * fopen and freopen: libc opens inside, out of our sight, so the path is judged first and the real call is made with it.
 * Judged as a file, not opened by us: mode letters ("x", "e", "m", ",ccs=") keep their meaning in every libc.
 */
#include <mntent.h>
#include <stdio.h>
#include <string.h>

#include "describe/memory.h"
#include "wrap/wrap.h"

#include "forbid.h"

static long ask(const char *name, const char *path, const char *mode)
{
	bool writes = false, creates = false;

	if (!memory_string_readable(mode))
		return GUARD_GO; /* the real call fails in its own way */
	for (const char *at = mode; *at && *at != ','; at++)
		writes = writes || *at == '+' || *at == 'w' || *at == 'a';
	creates = *mode == 'w' || *mode == 'a';
	return guard_file(&(struct file_call){.name = name,
					      .dirfd = AT_FDCWD,
					      .path = path,
					      .op = writes ? OP_WRITE : OP_READ,
					      .flags = FILE_FOLLOW | (creates ? FILE_CREATES : 0)});
}

EXPORT FILE *fopen(const char *restrict path, const char *restrict mode)
{
	long answer = ask("fopen", path, mode);

	if (answer) {
		wrap_result(answer);
		return NULL;
	}
	return REAL(fopen)(path, mode);
}

EXPORT FILE *fopen64(const char *restrict path, const char *restrict mode)
{
	long answer = ask("fopen64", path, mode);

	if (answer) {
		wrap_result(answer);
		return NULL;
	}
	return REAL(fopen64)(path, mode);
}

EXPORT FILE *_IO_fopen(const char *restrict path, const char *restrict mode)
{
	long answer = ask("_IO_fopen", path, mode);

	if (answer) {
		wrap_result(answer);
		return NULL;
	}
	return REAL(_IO_fopen)(path, mode);
}

/* A mount table: a stream by another name. */
EXPORT FILE *setmntent(const char *path, const char *mode)
{
	long answer = ask("setmntent", path, mode);

	if (answer) {
		wrap_result(answer);
		return NULL;
	}
	return REAL(setmntent)(path, mode);
}

EXPORT FILE *__setmntent(const char *path, const char *mode)
{
	long answer = ask("__setmntent", path, mode);

	if (answer) {
		wrap_result(answer);
		return NULL;
	}
	return REAL(__setmntent)(path, mode);
}

/* A failed freopen closes the stream all the same: the real call is made with an empty path, which cannot be opened. */
static const char *path_to_reopen(long answer, const char *path)
{
	return path && answer ? "" : path;
}

EXPORT FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
	long answer = path ? ask("freopen", path, mode) : GUARD_GO;
	FILE *result = REAL(freopen)(path_to_reopen(answer, path), mode, stream);

	if (answer)
		wrap_result(answer);
	return result;
}

EXPORT FILE *freopen64(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
	long answer = path ? ask("freopen64", path, mode) : GUARD_GO;
	FILE *result = REAL(freopen64)(path_to_reopen(answer, path), mode, stream);

	if (answer)
		wrap_result(answer);
	return result;
}
