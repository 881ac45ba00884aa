/* SPDX-License-Identifier: MIT */
/*
 * Compiled in front of the shim's files that open with openat2: the step itself is answered here and never reaches the
 * kernel, so that what is left of an open is the shim's own work. valgrind knows no openat2, and a clock would
 * measure the kernel. Only opens with O_NOCTTY and without O_NONBLOCK (work.c) are answered so: other programs of the
 * session, and the shim's own looks at programs, must still work.
 * Never part of a library that guards anything.
 */
#ifndef BRIDLE_BENCH_STILL_H
#define BRIDLE_BENCH_STILL_H

#define raw_six raw_kernel
#include "real/syscall.h"
#undef raw_six

#include <fcntl.h>
#include <linux/openat2.h>

#define STILL_DESCRIPTOR 999

static inline long raw_six(long number, long a, long b, long c, long d, long e, long f)
{
	if (number != SYS_openat2 || (((const struct open_how *)c)->flags & (O_NOCTTY | O_NONBLOCK)) != O_NOCTTY)
		return raw_kernel(number, a, b, c, d, e, f);
	__asm__ volatile(""
			 :
			 : "r"(a), "r"(b), "r"(c), "r"(d), "r"(f)
			 : "memory"); /* all is made ready as ever */
	return STILL_DESCRIPTOR;
}

#endif
