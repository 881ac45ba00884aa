/* SPDX-License-Identifier: MIT */
/*
 * limits.processes: how many processes the session may have at a time. RLIMIT_NPROC alone does not do: it counts all that
 * the user has, and root is never held by it (getrlimit(2)). So the launcher looks, and ends a session that outgrows it.
 */
#ifndef BRIDLE_CROWD_H
#define BRIDLE_CROWD_H

#include <stdbool.h>
#include <stdint.h>

struct crowd {
	int64_t limit; /* 0: none */
	int64_t least; /* tasks of the whole system, the fewest seen */
	int64_t next;  /* when to look again, milliseconds of the monotonic clock */
};

void crowd_start(struct crowd *crowd, int64_t limit, int64_t now);

/* True when more than limit descendants of this process are alive. Cheap while the system as a whole has not grown. */
bool crowd_look(struct crowd *crowd, int64_t now);

/* Milliseconds until crowd_look has something to do, -1: never. */
int crowd_wait(const struct crowd *crowd, int64_t now);

/* Tasks of the whole system (proc(5), loadavg); 0 when unknown. */
int64_t crowd_tasks(void);

#endif
