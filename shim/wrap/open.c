/* SPDX-License-Identifier: MIT */
/* open and its kin: libc never calls one through another's public name, so each is here. */
#include <stdarg.h>

#include "wrap/wrap.h"

#include "forbid.h"

#define TMPFILE_BIT (O_TMPFILE & ~O_DIRECTORY)

/* The mode argument is there only when the call can create. */
static mode_t mode_argument(int flags, va_list arguments)
{
	return flags & (O_CREAT | TMPFILE_BIT) ? va_arg(arguments, mode_t) : 0;
}

#define ASK(symbol, folder, path, open_flags, open_mode)                             \
	guard_open(&(struct open_call){#symbol, folder, path, open_flags, open_mode, \
				       real_is_libc(REAL_##symbol)})

EXPORT int open(const char *path, int flags, ...)
{
	va_list arguments;

	va_start(arguments, flags);
	mode_t mode = mode_argument(flags, arguments);
	va_end(arguments);
	long fd = ASK(open, AT_FDCWD, path, flags, mode);

	return fd == GUARD_REAL ? wrap_opened(REAL(open)(path, flags, mode)) : (int)wrap_result(fd);
}

EXPORT int open64(const char *path, int flags, ...)
{
	va_list arguments;

	va_start(arguments, flags);
	mode_t mode = mode_argument(flags, arguments);
	va_end(arguments);
	long fd = ASK(open64, AT_FDCWD, path, flags, mode);

	return fd == GUARD_REAL ? wrap_opened(REAL(open64)(path, flags, mode)) : (int)wrap_result(fd);
}

EXPORT int __open(const char *path, int flags, ...)
{
	va_list arguments;

	va_start(arguments, flags);
	mode_t mode = mode_argument(flags, arguments);
	va_end(arguments);
	long fd = ASK(__open, AT_FDCWD, path, flags, mode);

	return fd == GUARD_REAL ? wrap_opened(REAL(__open)(path, flags, mode)) : (int)wrap_result(fd);
}

EXPORT int __open64(const char *path, int flags, ...)
{
	va_list arguments;

	va_start(arguments, flags);
	mode_t mode = mode_argument(flags, arguments);
	va_end(arguments);
	long fd = ASK(__open64, AT_FDCWD, path, flags, mode);

	return fd == GUARD_REAL ? wrap_opened(REAL(__open64)(path, flags, mode)) : (int)wrap_result(fd);
}

EXPORT int openat(int dirfd, const char *path, int flags, ...)
{
	va_list arguments;

	va_start(arguments, flags);
	mode_t mode = mode_argument(flags, arguments);
	va_end(arguments);
	long fd = ASK(openat, dirfd, path, flags, mode);

	return fd == GUARD_REAL ? wrap_opened(REAL(openat)(dirfd, path, flags, mode)) : (int)wrap_result(fd);
}

EXPORT int openat64(int dirfd, const char *path, int flags, ...)
{
	va_list arguments;

	va_start(arguments, flags);
	mode_t mode = mode_argument(flags, arguments);
	va_end(arguments);
	long fd = ASK(openat64, dirfd, path, flags, mode);

	return fd == GUARD_REAL ? wrap_opened(REAL(openat64)(dirfd, path, flags, mode)) : (int)wrap_result(fd);
}

EXPORT int creat(const char *path, mode_t mode)
{
	long fd = ASK(creat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);

	return fd == GUARD_REAL ? wrap_opened(REAL(creat)(path, mode)) : (int)wrap_result(fd);
}

EXPORT int creat64(const char *path, mode_t mode)
{
	long fd = ASK(creat64, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);

	return fd == GUARD_REAL ? wrap_opened(REAL(creat64)(path, mode)) : (int)wrap_result(fd);
}

/* _FORTIFY_SOURCE's names. With O_CREAT and no mode libc ends the program: that is left to the real one. */
EXPORT int __open_2(const char *path, int flags)
{
	bool creates = flags & (O_CREAT | TMPFILE_BIT);
	long fd = creates ? GUARD_REAL : ASK(__open_2, AT_FDCWD, path, flags, 0);

	return fd == GUARD_REAL ? wrap_opened(REAL(__open_2)(path, flags)) : (int)wrap_result(fd);
}

EXPORT int __open64_2(const char *path, int flags)
{
	bool creates = flags & (O_CREAT | TMPFILE_BIT);
	long fd = creates ? GUARD_REAL : ASK(__open64_2, AT_FDCWD, path, flags, 0);

	return fd == GUARD_REAL ? wrap_opened(REAL(__open64_2)(path, flags)) : (int)wrap_result(fd);
}

EXPORT int __openat_2(int dirfd, const char *path, int flags)
{
	bool creates = flags & (O_CREAT | TMPFILE_BIT);
	long fd = creates ? GUARD_REAL : ASK(__openat_2, dirfd, path, flags, 0);

	return fd == GUARD_REAL ? wrap_opened(REAL(__openat_2)(dirfd, path, flags)) : (int)wrap_result(fd);
}

EXPORT int __openat64_2(int dirfd, const char *path, int flags)
{
	bool creates = flags & (O_CREAT | TMPFILE_BIT);
	long fd = creates ? GUARD_REAL : ASK(__openat64_2, dirfd, path, flags, 0);

	return fd == GUARD_REAL ? wrap_opened(REAL(__openat64_2)(dirfd, path, flags)) : (int)wrap_result(fd);
}
