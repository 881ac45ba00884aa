/* SPDX-License-Identifier: MIT */
/*
 * When a stopped call has been let go nobody says when it comes back. What shims ask the kernel meanwhile may be old the
 * next moment, so they are told to remember none of it (moving) until the caller was seen doing something else; then the
 * moves are counted once more, for who asked before and would have remembered behind that.
 */
#include "backstop/moves.h"

#include <stdatomic.h>
#include <stdio.h>

#include "backstop/clock.h"

#define LONG_MILLISECONDS 1000

static void count(struct session_page *page)
{
	if (page)
		__atomic_fetch_add(&page->moves, 1, __ATOMIC_SEQ_CST);
}

static void set_moving(struct session_page *page, bool moving)
{
	if (page)
		__atomic_store_n(&page->moving, moving, __ATOMIC_SEQ_CST);
}

/* A thread makes one call at a time. Where there is no place left the oldest one is given up. */
static struct mover *place_for(struct rules *rules, pid_t tid)
{
	struct mover *place = rules->movers;

	for (unsigned i = 0; i < MOVERS_MAX; i++) {
		if (rules->movers[i].tid == tid)
			return &rules->movers[i];
		if (rules->movers[i].since < place->since)
			place = &rules->movers[i];
	}
	return place;
}

void moves_begin(struct rules *rules, const struct seccomp_notif *notification)
{
	struct mover *mover;

	pthread_mutex_lock(&rules->lock);
	mover = place_for(rules, (pid_t)notification->pid);
	if (!mover->since)
		atomic_fetch_add(&rules->mover_count, 1);
	*mover = (struct mover){(pid_t)notification->pid, notification->data.nr, clock_milliseconds()};
	set_moving(rules->page, true); /* before the count: who has seen that sees this */
	set_moving(rules->others, true);
	count(rules->page);
	count(rules->others);
	pthread_mutex_unlock(&rules->lock);
}

void moves_share(struct rules *rules)
{
	__atomic_store_n(&rules->page->sharing, 1, __ATOMIC_SEQ_CST);
	if (rules->others)
		__atomic_store_n(&rules->others->sharing, 1, __ATOMIC_SEQ_CST);
}

/*
 * May it still be in that call? Of a thread that is waiting the kernel says in which; of one that runs, or would if there
 * were a CPU for it, nothing.
 */
static bool is_under_way(const struct mover *mover)
{
	char path[64], line[32] = "";
	int number = mover->number;
	FILE *stream;

	snprintf(path, sizeof(path), "/proc/%d/syscall", (int)mover->tid);
	stream = fopen(path, "re");
	if (!stream)
		return false; /* it has ended */
	if (fgets(line, sizeof(line), stream) && sscanf(line, "%d", &number) == 1) {
		fclose(stream);
		return number == mover->number;
	}
	fclose(stream);
	return clock_milliseconds() - mover->since < LONG_MILLISECONDS;
}

void moves_settle(struct rules *rules)
{
	if (!atomic_load(&rules->mover_count))
		return;
	pthread_mutex_lock(&rules->lock);
	for (unsigned i = 0; i < MOVERS_MAX; i++) {
		struct mover *mover = &rules->movers[i];

		if (!mover->since || is_under_way(mover))
			continue;
		*mover = (struct mover){0};
		atomic_fetch_sub(&rules->mover_count, 1);
	}
	if (!atomic_load(&rules->mover_count)) {
		count(rules->page);
		count(rules->others);
		set_moving(rules->page, false);
		set_moving(rules->others, false);
	}
	pthread_mutex_unlock(&rules->lock);
}
