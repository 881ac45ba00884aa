/* SPDX-License-Identifier: MIT */
/* A library that opens behind libc's back: tests/life/reader.c loads it. */
#include "../../backstop/raw.h"

long behind_open(int folder, const char *path, int flags);

long behind_open(int folder, const char *path, int flags)
{
	return RAW(SYS_openat, folder, path, flags, 0, 0);
}
