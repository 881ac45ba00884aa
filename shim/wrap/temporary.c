/* SPDX-License-Identifier: MIT */
/*
 * Temporary files: judged by the template, whose folder is what matters. The name is made up and opened here, in the folder
 * that was judged; another library's function, and tmpfile, which has no template, do it their own way.
 */
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe/memory.h"
#include "describe/path.h"
#include "frame.h"
#include "wrap/lane.h"

#include "forbid.h"

/* tmpfile has no template: libc always goes here. */
#define TMPFILE_TEMPLATE P_tmpdir "/tmpfXXXXXX"

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

/* A template without marks is libc's to refuse: EINVAL, before it is looked at as a path. */
static long ask(const char *name, char *template, int suffix, struct file_place *place)
{
	if (memory_string_readable(template) && !marks_of(template, suffix))
		return -EINVAL;
	return guard_file(&(struct file_call){name, AT_FDCWD, template, OP_WRITE, FILE_CREATES, place});
}

/* One made-up name, in the template and in the place. Result: the descriptor, 0 for a folder, or the kernel's -errno. */
static long try_name(const struct file_place *place, char *marks, int suffix, int flags, bool folder)
{
	size_t end = strlen(place->path) - (size_t)suffix;

	make_up(marks);
	if (place->held)
		memcpy((char *)(uintptr_t)place->path + end - MARK_COUNT, marks, MARK_COUNT);
	if (folder)
		return raw_guarded(SYS_mkdirat, place->dirfd, place->path, 0700, 0, 0);
	return raw_guarded(SYS_openat, place->dirfd, place->path, flags, 0600, 0);
}

/* The number that the file would have had without our own descriptor, which is closed for it. */
static long lowest(struct file_place *place, long fd, int flags)
{
	long moved;

	if (place->fd < 0 || place->fd > fd)
		return fd;
	guard_leave(place);
	place->fd = -1;
	moved = raw(SYS_fcntl, fd, flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
	/* the folder's number may be the file's now: what is told of the call is where that is */
	place->dirfd = (int)(moved < 0 ? fd : moved);
	place->path = ".";
	if (moved < 0)
		return fd;
	raw(SYS_close, fd);
	return moved;
}

/*
 * Our own descriptor has taken the last number that there was. The file gets it, and the way to its folder is given in words,
 * in which no link may stand by now.
 */
static __attribute__((noinline)) long make_last(struct file_place *place, int flags)
{
	const struct open_how how = {.flags = (unsigned)flags, .mode = 0600, .resolve = RESOLVE_NO_SYMLINKS};
	char path[FRAME_PATH];
	long fd;

	if (path_fold((struct path_room){path, sizeof(path)}, place->dirfd, place->path, strlen(place->path)) < 0)
		return -EMFILE;
	guard_leave(place);
	place->fd = -1;
	place->held = false;
	place->dirfd = place->asked_dirfd;
	place->path = place->asked;
	fd = raw_openat2(AT_FDCWD, path, &how);
	return fd == -ENOSYS ? raw_guarded(SYS_openat, AT_FDCWD, path, flags, 0600, 0) : fd;
}

/* Makes a file, or a folder, where the place is. Result: false when libc is to do it. */
static bool make(enum real which, struct file_place *place, char *template, int suffix, int flags, bool folder,
		 long *ret)
{
	char *marks = place_is_ours(place, which) ? marks_of(template, suffix) : NULL;
	long result = -EEXIST;

	flags = (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL;
	if (!marks || strlen(place->path) < (size_t)suffix + MARK_COUNT) /* a suffix with a slash in it */
		return false;
	for (unsigned turn = 0; turn < TRIES && result == -EEXIST; turn++) {
		result = try_name(place, marks, suffix, flags, folder);
		if (result == -EMFILE && place->fd >= 0 && !folder)
			result = make_last(place, flags);
	}
	*ret = wrap_result(result < 0 || folder ? result : lowest(place, result, flags));
	return true;
}

/* What all functions that make a file do: they differ in what they are told, and in libc's own function. */
#define MAKE_FILE(symbol, arguments, template, suffix, flags)                      \
	struct file_place place;                                                   \
	long answer = ask(#symbol, template, suffix, &place);                      \
                                                                                   \
	if (answer)                                                                \
		return (int)wrap_result(answer);                                   \
	if (!make(REAL_##symbol, &place, template, suffix, flags, false, &answer)) \
		answer = REAL(symbol) arguments;                                   \
	return place_left(&place, answer)

EXPORT int mkstemp(char *template)
{
	MAKE_FILE(mkstemp, (template), template, 0, 0);
}

EXPORT int mkstemp64(char *template)
{
	MAKE_FILE(mkstemp64, (template), template, 0, 0);
}

EXPORT int mkostemp(char *template, int flags)
{
	MAKE_FILE(mkostemp, (template, flags), template, 0, flags);
}

EXPORT int mkostemp64(char *template, int flags)
{
	MAKE_FILE(mkostemp64, (template, flags), template, 0, flags);
}

EXPORT int mkstemps(char *template, int suffix)
{
	MAKE_FILE(mkstemps, (template, suffix), template, suffix, 0);
}

EXPORT int mkstemps64(char *template, int suffix)
{
	MAKE_FILE(mkstemps64, (template, suffix), template, suffix, 0);
}

EXPORT int mkostemps(char *template, int suffix, int flags)
{
	MAKE_FILE(mkostemps, (template, suffix, flags), template, suffix, flags);
}

EXPORT int mkostemps64(char *template, int suffix, int flags)
{
	MAKE_FILE(mkostemps64, (template, suffix, flags), template, suffix, flags);
}

EXPORT char *mkdtemp(char *template)
{
	struct file_place place;
	long answer = ask("mkdtemp", template, 0, &place);
	char *made;

	if (answer) {
		wrap_result(answer);
		return NULL;
	}
	if (make(REAL_mkdtemp, &place, template, 0, 0, true, &answer))
		made = answer < 0 ? NULL : template;
	else
		made = REAL(mkdtemp)(template);
	guard_done(&place, made ? 0 : errno);
	return made;
}

EXPORT FILE *tmpfile(void)
{
	long answer = guard_file(&(struct file_call){"tmpfile", AT_FDCWD, TMPFILE_TEMPLATE, OP_WRITE, FILE_CREATES, NULL});

	if (answer) {
		wrap_result(answer);
		return NULL;
	}
	return REAL(tmpfile)();
}

EXPORT FILE *tmpfile64(void)
{
	long answer = guard_file(&(struct file_call){"tmpfile64", AT_FDCWD, TMPFILE_TEMPLATE, OP_WRITE, FILE_CREATES, NULL});

	if (answer) {
		wrap_result(answer);
		return NULL;
	}
	return REAL(tmpfile64)();
}
