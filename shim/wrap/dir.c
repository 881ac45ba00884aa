/* SPDX-License-Identifier: MIT */
/* Moving the working directory: nothing is judged, the remembered path is dropped. */
#include <unistd.h>

#include "describe/cwd.h"
#include "wrap/wrap.h"

#include "forbid.h"

EXPORT int chdir(const char *path)
{
	int result = REAL(chdir)(path);

	cwd_changed();
	return result;
}

EXPORT int fchdir(int fd)
{
	int result = REAL(fchdir)(fd);

	cwd_changed();
	return result;
}
