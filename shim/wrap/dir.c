/* SPDX-License-Identifier: MIT */
/* Reading directories, and whole trees of them. Walks are judged at their start: libc walks on inside. */
#include <dirent.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <string.h>

#include "describe/cwd.h"
#include "describe/memory.h"
#include "real/syscall.h"
#include "wrap/wrap.h"

#include "forbid.h"

static long ask_at(const char *name, int dirfd, const char *path)
{
	return guard_file(&(struct file_call){name, dirfd, path, OP_READ, FILE_FOLLOW});
}

static long ask(const char *name, const char *path)
{
	return ask_at(name, AT_FDCWD, path);
}

/* What else is wrong with a path libc finds out by itself: some of these calls tell their visitor of it and go on. */
static bool is_refused(long answer)
{
	return answer == -EACCES || answer == -EFAULT;
}

/* The folder is opened as it was judged, in one step, and libc makes a stream of it. */
EXPORT DIR *opendir(const char *path)
{
	bool in_libc = real_is_libc(REAL_opendir) && real_is_libc(REAL_fdopendir);
	int flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC;
	long fd = guard_open(&(struct open_call){"opendir", AT_FDCWD, path, flags, 0, in_libc});
	DIR *folder;

	if (fd == GUARD_REAL) {
		folder = REAL(opendir)(path);
		number_forget();
		return folder;
	}
	if (wrap_result(fd) < 0)
		return NULL;
	folder = REAL(fdopendir)((int)fd);
	if (!folder)
		raw(SYS_close, fd);
	return folder;
}

EXPORT int scandir(const char *restrict path, struct dirent ***restrict list,
		   int (*filter)(const struct dirent *),
		   int (*compare)(const struct dirent **, const struct dirent **))
{
	long answer = ask("scandir", path);

	return is_refused(answer) ? (int)wrap_result(answer) : REAL(scandir)(path, list, filter, compare);
}

EXPORT int scandir64(const char *restrict path, struct dirent64 ***restrict list,
		     int (*filter)(const struct dirent64 *),
		     int (*compare)(const struct dirent64 **, const struct dirent64 **))
{
	long answer = ask("scandir64", path);

	return is_refused(answer) ? (int)wrap_result(answer) : REAL(scandir64)(path, list, filter, compare);
}

EXPORT int scandirat(int dirfd, const char *restrict path, struct dirent ***restrict list,
		     int (*filter)(const struct dirent *),
		     int (*compare)(const struct dirent **, const struct dirent **))
{
	long answer = ask_at("scandirat", dirfd, path);

	return is_refused(answer) ? (int)wrap_result(answer) : REAL(scandirat)(dirfd, path, list, filter, compare);
}

EXPORT int scandirat64(int dirfd, const char *restrict path, struct dirent64 ***restrict list,
		       int (*filter)(const struct dirent64 *),
		       int (*compare)(const struct dirent64 **, const struct dirent64 **))
{
	long answer = ask_at("scandirat64", dirfd, path);

	return is_refused(answer) ? (int)wrap_result(answer) : REAL(scandirat64)(dirfd, path, list, filter, compare);
}

EXPORT int ftw(const char *path, __ftw_func_t visit, int descriptors)
{
	long answer = ask("ftw", path);

	return is_refused(answer) ? (int)wrap_result(answer) : REAL(ftw)(path, visit, descriptors);
}

EXPORT int ftw64(const char *path, __ftw64_func_t visit, int descriptors)
{
	long answer = ask("ftw64", path);

	return is_refused(answer) ? (int)wrap_result(answer) : REAL(ftw64)(path, visit, descriptors);
}

EXPORT int nftw(const char *path, __nftw_func_t visit, int descriptors, int flags)
{
	long answer = ask("nftw", path);

	if (flags & FTW_CHDIR)
		cwd_distrust();
	return is_refused(answer) ? (int)wrap_result(answer) : REAL(nftw)(path, visit, descriptors, flags);
}

EXPORT int nftw64(const char *path, __nftw64_func_t visit, int descriptors, int flags)
{
	long answer = ask("nftw64", path);

	if (flags & FTW_CHDIR)
		cwd_distrust();
	return is_refused(answer) ? (int)wrap_result(answer) : REAL(nftw64)(path, visit, descriptors, flags);
}

/* Every root of an fts walk; one that is missing is reported by fts_read itself. */
static long ask_roots(const char *name, char *const *paths, int options)
{
	if (!(options & FTS_NOCHDIR))
		cwd_distrust();
	if (memory_vector(paths) < 0)
		return -EFAULT;
	for (; paths && *paths; paths++)
		if (ask(name, *paths) == -EACCES)
			return -EACCES;
	return GUARD_GO;
}

EXPORT FTS *fts_open(char *const *paths, int options, int (*compare)(const FTSENT **, const FTSENT **))
{
	long answer = ask_roots("fts_open", paths, options);

	if (answer) {
		wrap_result(answer);
		return NULL;
	}
	return REAL(fts_open)(paths, options, compare);
}

EXPORT FTS64 *fts64_open(char *const *paths, int options, int (*compare)(const FTSENT64 **, const FTSENT64 **))
{
	long answer = ask_roots("fts64_open", paths, options);

	if (answer) {
		wrap_result(answer);
		return NULL;
	}
	return REAL(fts64_open)(paths, options, compare);
}

/* The folder that a pattern starts to read in: what stands before the first component with a wildcard. */
static __attribute__((noinline)) long ask_pattern(const char *name, const char *pattern)
{
	char folder[1024];
	size_t length, end = 0;

	if (!pattern)
		return GUARD_GO; /* EINVAL */
	if (!memory_string_readable(pattern))
		return -EFAULT;
	length = strcspn(pattern, "*?[");
	if (!pattern[length])
		return GUARD_GO; /* nothing is read, a name is only looked at */
	for (size_t i = 0; i < length && i < sizeof(folder) - 1; i++)
		if (pattern[i] == '/')
			end = i + 1;
	memcpy(folder, end ? pattern : ".", end ? end : 1);
	folder[end ? end : 1] = '\0';
	return ask(name, folder) == -EACCES ? -EACCES : GUARD_GO;
}

/* A folder that is refused is like one that cannot be read. */
static int refuse_pattern(int flags)
{
	errno = EACCES;
	return flags & GLOB_ERR ? GLOB_ABORTED : GLOB_NOMATCH;
}

EXPORT int glob(const char *restrict pattern, int flags, int (*failed)(const char *, int), glob_t *restrict found)
{
	return ask_pattern("glob", pattern) ? refuse_pattern(flags) : REAL(glob)(pattern, flags, failed, found);
}

EXPORT int glob64(const char *restrict pattern, int flags, int (*failed)(const char *, int),
		  glob64_t *restrict found)
{
	return ask_pattern("glob64", pattern) ? refuse_pattern(flags) : REAL(glob64)(pattern, flags, failed, found);
}
