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

#include "real/syscall.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>

#define STILL_DESCRIPTOR 999

/* What stands in front of the step is the library's own: the look at raw_simulated, and all that is made ready. */
#undef raw_openat2
#define raw_openat2(dirfd, path, how) still_openat2((long)(dirfd), path, how)

static inline long still_openat2(long dirfd, const char *path, const struct open_how *how)
{
	long word = (long)__atomic_load_n((uint64_t *)&raw_word, __ATOMIC_RELAXED);

	if ((how->flags & (O_NOCTTY | O_NONBLOCK)) != O_NOCTTY)
		return raw_simulated ? -ENOSYS : raw_guarded(SYS_openat2, dirfd, path, how, sizeof(*how), 0);
	__asm__ volatile(""
			 :
			 : "r"(dirfd), "r"(path), "r"(how), "r"(sizeof(*how)), "r"(word), "r"((long)raw_simulated)
			 : "memory"); /* all is made ready as ever */
	return STILL_DESCRIPTOR;
}

#endif
