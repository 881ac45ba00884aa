/* SPDX-License-Identifier: MIT */
/* A forked child owns its memory; a vfork child is told by sharing its parent's. */
#include "describe/own.h"

#include <linux/kcmp.h>
#include <sys/mman.h>

#include "handoff.h"
#include "real/syscall.h"
#include "start.h"

#include "forbid.h"

bool own_wiped(void *page)
{
	return raw(SYS_madvise, page, HANDOFF_PAGE, MADV_WIPEONFORK) >= 0;
}

/* Does this process own its memory, so that what it stores is true for all who read it? */
static bool owns_memory(int pid)
{
	return pid == start()->pid || raw(SYS_kcmp, pid, raw(SYS_getppid), KCMP_VM, 0, 0) > 0;
}

bool own_is_ours(int *owner)
{
	int pid = (int)raw(SYS_getpid), known = __atomic_load_n(owner, __ATOMIC_RELAXED);

	if (known == 0 && owns_memory(pid)) {
		__atomic_store_n(owner, pid, __ATOMIC_RELAXED);
		known = pid;
	}
	return known == pid;
}
