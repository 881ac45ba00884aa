/* SPDX-License-Identifier: MIT */
/*
 * Calls that put a directory behind a descriptor's number without a path: never refused, but what was known of the number is
 * forgotten (describe/number.h). Opens do the same for theirs.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <unistd.h>

#include "describe/number.h"
#include "wrap/wrap.h"

#include "forbid.h"

EXPORT int dup(int fd)
{
	return wrap_opened(REAL(dup)(fd));
}

EXPORT int dup2(int from, int to)
{
	int result;

	number_leave(to);
	result = REAL(dup2)(from, to);
	number_arrive(to);
	return result;
}

EXPORT int __dup2(int from, int to)
{
	int result;

	number_leave(to);
	result = REAL(__dup2)(from, to);
	number_arrive(to);
	return result;
}

EXPORT int dup3(int from, int to, int flags)
{
	int result;

	number_leave(to);
	result = REAL(dup3)(from, to, flags);
	number_arrive(to);
	return result;
}

/* All that stands behind a command is one argument, a number or a pointer. */
static int control(__typeof__(&fcntl) real, int fd, int command, void *argument)
{
	int result = real(fd, command, argument);

	if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
		number_new(result);
	return result;
}

EXPORT int fcntl(int fd, int command, ...)
{
	va_list more;
	void *argument;

	va_start(more, command);
	argument = va_arg(more, void *);
	va_end(more);
	return control(REAL(fcntl), fd, command, argument);
}

EXPORT int fcntl64(int fd, int command, ...)
{
	va_list more;
	void *argument;

	va_start(more, command);
	argument = va_arg(more, void *);
	va_end(more);
	return control(REAL(fcntl64), fd, command, argument);
}

EXPORT int __fcntl(int fd, int command, ...)
{
	va_list more;
	void *argument;

	va_start(more, command);
	argument = va_arg(more, void *);
	va_end(more);
	return control(REAL(__fcntl), fd, command, argument);
}

EXPORT int pidfd_getfd(int pidfd, int fd, unsigned flags)
{
	return wrap_opened(REAL(pidfd_getfd)(pidfd, fd, flags));
}

/* Descriptors come along with a message, in what is beside its text. */
EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	ssize_t result = REAL(recvmsg)(fd, message, flags);

	if (result >= 0 && message->msg_controllen)
		number_forget();
	return result;
}

EXPORT int recvmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout)
{
	int result = REAL(recvmmsg)(fd, messages, count, flags, timeout);

	number_forget();
	return result;
}
