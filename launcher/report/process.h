/* SPDX-License-Identifier: MIT */
/*
 * The process tree, pieced together from the pid, ppid, exe and exec lines of a report. Bounded: beyond PROCESSES_MAX
 * what a process does is counted at its nearest kept ancestor. No effects but memory.
 *
 * A report has no line for a process' end. Its duration runs from the first to the last line of it and its children.
 */
#ifndef BRIDLE_PROCESS_H
#define BRIDLE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/event.h"
#include "report/index.h"
#include "report/intern.h"

#define PROCESSES_MAX 8192
#define PROCESS_PIDS_MAX 65536

struct process {
	const char *session;                /* interned, as all strings here */
	int64_t pid, ppid;                  /* pid 0: started, but nothing was heard of it; or refused */
	uint32_t parent, first, last, next; /* indexes or INDEX_NONE */
	const char *exe;                    /* the program that runs, or is about to; "" unknown */
	const char *command;                /* its command line, quoted as for a shell; "": no exec was seen */
	const char *earlier;                /* the first command line of the process, when it is another program now; or "" */
	const char *previous;               /* the one before the last exec, or "" */
	const char *failed;                 /* why it could not be started, "ENOENT", or "" */
	const char *refused;                /* the rule that speaks against starting it, or "" */
	bool refused_last;                  /* it speaks against the last program, not the first */
	bool stopped;                       /* the rule was enforced; false in audit mode */
	bool ran;                           /* it was heard of */
	int64_t begin, end;                 /* microseconds since the epoch */
	uint64_t calls, denied;
	uint32_t folded;  /* processes beneath that were counted here */
	uint32_t pending; /* children of which nothing was heard yet */
};

struct processes {
	struct intern *names;
	struct process *items;
	uint32_t count, room;
	/* Asked for the parent of a pid that no line was from, while that may still be alive: 0: not known. Or NULL. */
	int64_t (*parent_of)(int64_t pid);
	struct index by_pid;
	uint32_t *latest; /* by number in by_pid: the process that has, or had last, the pid */
	uint32_t latest_room;
	uint32_t first, last; /* those without a known parent */
	uint32_t pending;     /* of these, the ones of which nothing was heard yet */
	uint32_t folded;      /* processes that were counted nowhere */
};

void processes_open(struct processes *processes, struct intern *names);
void processes_close(struct processes *processes);

/*
 * Takes one line of a shim or the backstop (of the launcher: exec lines only). Returns the process that it belongs to, or
 * INDEX_NONE when memory is short.
 */
uint32_t processes_take(struct processes *processes, const struct event *event);

/*
 * Walks the tree depth first, without recursion: start with at = INDEX_NONE and *depth = 0; returns the next process and sets
 * *depth (0: no known parent), INDEX_NONE at the end.
 */
uint32_t processes_walk(const struct processes *processes, uint32_t at, int *depth);

/* Lengthens every parent to the end of its children. Call once, when all lines are in. */
void processes_finish(struct processes *processes);

#endif
