/* SPDX-License-Identifier: MIT */
/*
 * fopen is an open and an fdopen, so that what was checked is what is opened. Mode letters that fdopen would not understand
 * ("m", "c", ",ccs=") are left to libc, as is freopen: its path is judged first and the real call is made with it.
 */
#include <mntent.h>
#include <stdio.h>
#include <string.h>

#include "describe/memory.h"
#include "real/syscall.h"
#include "wrap/wrap.h"

#include "forbid.h"

/* The kernel takes the number of a file before it looks for it: without a free one that is what it says. */
static long without_number(long answer, const char *path)
{
	long fd;

	if ((answer != -ENOENT && answer != -ENOTDIR && answer != -ELOOP) || !*path)
		return answer;
	fd = raw_guarded(SYS_openat, AT_FDCWD, "/dev/null/", O_PATH | O_CLOEXEC, 0, 0);
	if (fd >= 0)
		raw(SYS_close, fd);
	return fd == -EMFILE || fd == -ENFILE ? fd : answer;
}

static long ask(const char *name, const char *path, const char *mode)
{
	bool writes = false, creates = false;
	long answer;

	if (!memory_string_readable(mode))
		return GUARD_GO; /* the real call fails in its own way */
	for (const char *at = mode; *at && *at != ','; at++)
		writes = writes || *at == '+' || *at == 'w' || *at == 'a';
	creates = *mode == 'w' || *mode == 'a';
	answer = guard_file(&(struct file_call){.name = name,
						.dirfd = AT_FDCWD,
						.path = path,
						.op = writes ? OP_WRITE : OP_READ,
						.flags = FILE_FOLLOW | (creates ? FILE_CREATES : 0)});
	return answer < 0 ? without_number(answer, path) : answer;
}

#define MODE_MOST 7 /* letters that glibc looks at */

/* The flags of a mode that fdopen understands as well; -1: leave it to libc. */
static int flags_of(const char *mode)
{
	bool both = strchr(mode, '+');
	int flags = both ? O_RDWR : *mode == 'r' ? O_RDONLY
						 : O_WRONLY;

	if (!*mode || !strchr("rwa", *mode) || strlen(mode) > MODE_MOST || mode[1 + strspn(mode + 1, "+bxet")])
		return -1;
	if (*mode != 'r')
		flags |= O_CREAT | (*mode == 'w' ? O_TRUNC : O_APPEND);
	return flags | (strchr(mode, 'x') ? O_EXCL : 0) | (strchr(mode, 'e') ? O_CLOEXEC : 0);
}

/* A folder can be read as a stream, whose number only libc knows. */
static FILE *opened(FILE *stream)
{
	number_forget();
	return stream;
}

static FILE *open_stream(const char *name, enum real which, const char *path, const char *mode)
{
	typedef FILE *function(const char *, const char *);
	function *real = (function *)real_find(which);
	bool plain = real_is_libc(REAL_fdopen) && real_is_libc(which) && memory_string_readable(mode);
	int flags = plain ? flags_of(mode) : -1;
	FILE *stream;
	long fd;

	if (plain && (!*mode || !strchr("rwa", *mode))) /* libc refuses the mode before it looks at the path */
		return opened(real(path, mode));
	if (flags >= 0)
		fd = guard_open(&(struct open_call){name, AT_FDCWD, path, flags, 0666, true});
	else
		fd = ask(name, path, mode);
	if (fd == GUARD_REAL || (flags < 0 && fd == GUARD_GO))
		return opened(real(path, mode));
	if (fd < 0) {
		wrap_result(fd);
		return NULL;
	}
	stream = REAL(fdopen)((int)fd, mode);
	if (!stream)
		raw(SYS_close, fd);
	return stream;
}

EXPORT FILE *fopen(const char *restrict path, const char *restrict mode)
{
	return open_stream("fopen", REAL_fopen, path, mode);
}

EXPORT FILE *fopen64(const char *restrict path, const char *restrict mode)
{
	return open_stream("fopen64", REAL_fopen64, path, mode);
}

EXPORT FILE *_IO_fopen(const char *restrict path, const char *restrict mode)
{
	return open_stream("_IO_fopen", REAL__IO_fopen, path, mode);
}

/* A mount table: a stream by another name. */
EXPORT FILE *setmntent(const char *path, const char *mode)
{
	long answer = ask("setmntent", path, mode);

	if (answer) {
		wrap_result(answer);
		return NULL;
	}
	return opened(REAL(setmntent)(path, mode));
}

EXPORT FILE *__setmntent(const char *path, const char *mode)
{
	long answer = ask("__setmntent", path, mode);

	if (answer) {
		wrap_result(answer);
		return NULL;
	}
	return opened(REAL(__setmntent)(path, mode));
}

/* A failed freopen closes the stream all the same: the real call is made with an empty path, which cannot be opened. */
static const char *path_to_reopen(long answer, const char *path)
{
	return path && answer ? "" : path;
}

EXPORT FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
	long answer = path ? ask("freopen", path, mode) : GUARD_GO;
	FILE *result;

	number_leave(-1); /* the stream keeps its number */
	result = REAL(freopen)(path_to_reopen(answer, path), mode, stream);
	number_arrive(-1);
	if (answer)
		wrap_result(answer);
	return result;
}

EXPORT FILE *freopen64(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
	long answer = path ? ask("freopen64", path, mode) : GUARD_GO;
	FILE *result;

	number_leave(-1); /* the stream keeps its number */
	result = REAL(freopen64)(path_to_reopen(answer, path), mode, stream);
	number_arrive(-1);
	if (answer)
		wrap_result(answer);
	return result;
}
