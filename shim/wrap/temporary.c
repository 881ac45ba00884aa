/* SPDX-License-Identifier: MIT */
/*
 * Temporary files: judged by the template, whose folder is what matters. libc makes up the name and opens it inside; on the
 * backstop's fast lane that is done here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe/memory.h"
#include "wrap/lane.h"

#include "forbid.h"

/* tmpfile has no template: libc always goes here. */
#define TMPFILE_TEMPLATE P_tmpdir "/tmpfXXXXXX"

static long ask(const char *name, const char *template)
{
	return guard_file(&(struct file_call){name, AT_FDCWD, template, OP_WRITE, FILE_CREATES});
}

#define MARKS "XXXXXX"
#define MARK_COUNT (sizeof(MARKS) - 1)
#define TRIES 256

static void make_up(char *marks)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	unsigned char random[MARK_COUNT];

	if (raw(SYS_getrandom, random, sizeof(random), 0) != (long)sizeof(random))
		return;
	for (size_t i = 0; i < MARK_COUNT; i++)
		marks[i] = letters[random[i] % (sizeof(letters) - 1)];
}

/* Where the name is to be made up; NULL: libc has its own answer to this template. */
static char *marks_of(char *template, int suffix)
{
	size_t length = strlen(template);
	char *marks;

	if (suffix < 0 || (size_t)suffix + MARK_COUNT > length)
		return NULL;
	marks = template + length - (size_t)suffix - MARK_COUNT;
	return strncmp(marks, MARKS, MARK_COUNT) == 0 ? marks : NULL;
}

/* folder: make one instead of a file. Result: the descriptor, 0, or the kernel's -errno. */
static long make(char *template, char *marks, int flags, bool folder)
{
	long result = -EEXIST;

	for (unsigned turn = 0; turn < TRIES && result == -EEXIST; turn++) {
		make_up(marks);
		if (folder)
			result = raw_guarded(SYS_mkdirat, AT_FDCWD, template, 0700, 0, 0);
		else
			result = raw_guarded(SYS_openat, AT_FDCWD, template, flags, 0600, 0);
	}
	return result;
}

/* On the fast lane: false when libc is to do it. */
static bool make_file(enum real which, char *template, int suffix, int flags, long *ret_fd)
{
	char *marks = lane_is_open(which) ? marks_of(template, suffix) : NULL;

	if (!marks)
		return false;
	flags = (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL;
	*ret_fd = make(template, marks, flags, false);
	return true;
}

EXPORT int mkstemp(char *template)
{
	long answer = ask("mkstemp", template);

	if (answer || make_file(REAL_mkstemp, template, 0, 0, &answer))
		return (int)wrap_result(answer);
	return REAL(mkstemp)(template);
}

EXPORT int mkstemp64(char *template)
{
	long answer = ask("mkstemp64", template);

	if (answer || make_file(REAL_mkstemp64, template, 0, 0, &answer))
		return (int)wrap_result(answer);
	return REAL(mkstemp64)(template);
}

EXPORT int mkostemp(char *template, int flags)
{
	long answer = ask("mkostemp", template);

	if (answer || make_file(REAL_mkostemp, template, 0, flags, &answer))
		return (int)wrap_result(answer);
	return REAL(mkostemp)(template, flags);
}

EXPORT int mkostemp64(char *template, int flags)
{
	long answer = ask("mkostemp64", template);

	if (answer || make_file(REAL_mkostemp64, template, 0, flags, &answer))
		return (int)wrap_result(answer);
	return REAL(mkostemp64)(template, flags);
}

EXPORT int mkstemps(char *template, int suffix)
{
	long answer = ask("mkstemps", template);

	if (answer || make_file(REAL_mkstemps, template, suffix, 0, &answer))
		return (int)wrap_result(answer);
	return REAL(mkstemps)(template, suffix);
}

EXPORT int mkstemps64(char *template, int suffix)
{
	long answer = ask("mkstemps64", template);

	if (answer || make_file(REAL_mkstemps64, template, suffix, 0, &answer))
		return (int)wrap_result(answer);
	return REAL(mkstemps64)(template, suffix);
}

EXPORT int mkostemps(char *template, int suffix, int flags)
{
	long answer = ask("mkostemps", template);

	if (answer || make_file(REAL_mkostemps, template, suffix, flags, &answer))
		return (int)wrap_result(answer);
	return REAL(mkostemps)(template, suffix, flags);
}

EXPORT int mkostemps64(char *template, int suffix, int flags)
{
	long answer = ask("mkostemps64", template);

	if (answer || make_file(REAL_mkostemps64, template, suffix, flags, &answer))
		return (int)wrap_result(answer);
	return REAL(mkostemps64)(template, suffix, flags);
}

EXPORT char *mkdtemp(char *template)
{
	long answer = ask("mkdtemp", template);

	if (answer) {
		wrap_result(answer);
		return NULL;
	}
	if (lane_is_open(REAL_mkdtemp) && marks_of(template, 0)) {
		answer = make(template, marks_of(template, 0), 0, true);
		return wrap_result(answer) < 0 ? NULL : template;
	}
	return REAL(mkdtemp)(template);
}

EXPORT FILE *tmpfile(void)
{
	long answer = ask("tmpfile", TMPFILE_TEMPLATE);

	if (answer) {
		wrap_result(answer);
		return NULL;
	}
	return REAL(tmpfile)();
}

EXPORT FILE *tmpfile64(void)
{
	long answer = ask("tmpfile64", TMPFILE_TEMPLATE);

	if (answer) {
		wrap_result(answer);
		return NULL;
	}
	return REAL(tmpfile64)();
}
