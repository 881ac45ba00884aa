/* SPDX-License-Identifier: MIT */
/* Finds all descendants in /proc, which knows them whatever session or group they moved to. */
#include "run/tree.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define WALKS_MOST 100 /* of a program that forks on and on */

struct process {
	pid_t pid, parent;
	bool alive;
};

/* The descendants found so far; each walk appends in the order of /proc, by number. */
struct kin {
	pid_t *list;
	size_t count, room;
	size_t known; /* of the walks before this one */
};

/* "PID (NAME) STATE PARENT ...", where NAME may hold anything, brackets too. */
static bool read_process(int folder, const char *name, struct process *ret)
{
	char path[64], text[512], state, *end;
	ssize_t got;
	int file, parent;

	snprintf(path, sizeof(path), "%s/stat", name);
	file = openat(folder, path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	got = read(file, text, sizeof(text) - 1);
	close(file);
	if (got <= 0)
		return false;
	text[got] = '\0';
	end = strrchr(text, ')');
	if (!end || sscanf(end + 1, " %c %d", &state, &parent) != 2)
		return false;
	*ret = (struct process){.pid = atoi(name), .parent = parent, .alive = !strchr("ZXx", state)};
	return true;
}

static int by_number(const void *a, const void *b)
{
	const pid_t *first = a, *second = b;

	return (*first > *second) - (*first < *second);
}

static bool find(const pid_t *list, size_t count, pid_t pid)
{
	return count && bsearch(&pid, list, count, sizeof(pid), by_number);
}

static bool holds(const struct kin *kin, pid_t pid)
{
	return find(kin->list, kin->known, pid) || find(kin->list + kin->known, kin->count - kin->known, pid);
}

static bool add(struct kin *kin, pid_t pid)
{
	if (kin->count == kin->room) {
		size_t room = kin->room ? 2 * kin->room : 256;
		pid_t *list = realloc(kin->list, room * sizeof(*list));

		if (!list)
			return false;
		kin->list = list;
		kin->room = room;
	}
	kin->list[kin->count++] = pid;
	return true;
}

/*
 * Signals each descendant that was not known, as soon as it is seen: a child has a higher number than its parent, and is
 * met later in the same walk, but for the few whose numbers began anew: the next walk knows their parents.
 */
static size_t walk(struct kin *kin, int signal)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;
	struct process one;

	if (kin->count)
		qsort(kin->list, kin->count, sizeof(*kin->list), by_number);
	kin->known = kin->count;
	while (folder && (entry = readdir(folder))) {
		if (!isdigit((unsigned char)entry->d_name[0]) || !read_process(dirfd(folder), entry->d_name, &one) ||
		    !one.alive || holds(kin, one.pid) || !(one.parent == getpid() || holds(kin, one.parent)))
			continue;
		if (!add(kin, one.pid))
			break;
		kill(one.pid, signal);
	}
	if (folder)
		closedir(folder);
	return kin->count - kin->known;
}

size_t tree_signal(int signal)
{
	struct kin kin = {0};
	size_t found = walk(&kin, signal);

	free(kin.list);
	return found;
}

/*
 * A crowd leaves a launcher of its own rank a sliver of the processor. Where the kernel lets us, we go ahead of it, for
 * good: the session is over.
 */
static void go_ahead(void)
{
	struct sched_param first = {.sched_priority = 1};

	if (sched_setscheduler(0, SCHED_FIFO, &first))
		setpriority(PRIO_PROCESS, 0, -20);
}

void tree_kill(void)
{
	struct kin kin = {0};

	go_ahead();
	for (unsigned walks = 0; walks < WALKS_MOST && walk(&kin, SIGSTOP); walks++)
		;
	for (size_t i = 0; i < kin.count; i++)
		kill(kin.list[i], SIGKILL);
	free(kin.list);
}
