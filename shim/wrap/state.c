/* SPDX-License-Identifier: MIT */
/* Calls that are never refused and change what we may do ourselves afterwards. */
#include <stdarg.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "describe/cwd.h"
#include "wrap/wrap.h"

#include "forbid.h"

/* Before the move for threads that look meanwhile, after it for what they found. */
EXPORT int chdir(const char *path)
{
	int result;

	cwd_changed();
	result = REAL(chdir)(path);
	cwd_changed();
	return result;
}

EXPORT int fchdir(int fd)
{
	int result;

	cwd_changed();
	result = REAL(fchdir)(fd);
	cwd_changed();
	return result;
}

/* A program that shuts system calls off must not be killed for one of ours. */
EXPORT int prctl(int option, ...)
{
	unsigned long values[4];
	va_list arguments;

	va_start(arguments, option);
	for (unsigned i = 0; i < 4; i++)
		values[i] = va_arg(arguments, unsigned long);
	va_end(arguments);
	if (option == PR_SET_SECCOMP)
		guard_filtered();
	return REAL(prctl)(option, values[0], values[1], values[2], values[3]);
}
