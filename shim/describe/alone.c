/* SPDX-License-Identifier: MIT */
/* glibc keeps a word about it for its own shortcuts, and takes it back before the second thread exists. */
#include "describe/alone.h"

#include "real/real.h"

#include "forbid.h"

static bool descriptors_shared;

bool alone_is_so(void)
{
	if (!real_is_libc(REAL___libc_single_threaded) || __atomic_load_n(&descriptors_shared, __ATOMIC_RELAXED))
		return false;
	return __atomic_load_n(REAL(__libc_single_threaded), __ATOMIC_RELAXED);
}

void alone_no_more(void)
{
	__atomic_store_n(&descriptors_shared, true, __ATOMIC_RELAXED);
}
