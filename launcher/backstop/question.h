/* SPDX-License-Identifier: MIT */
/* One stopped call while it is judged, and what the session knows: what the files of this folder pass along. */
#ifndef BRIDLE_BACKSTOP_QUESTION_H
#define BRIDLE_BACKSTOP_QUESTION_H

#include <linux/seccomp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "backstop/calls.h"
#include "backstop/memory.h"
#include "backstop/resolve.h"
#include "decision.h"
#include "handoff.h"
#include "image.h"
#include "request.h"

#define SEEN_MAX 256
#define QUIET_MAX 1024 /* a power of two */
#define MOVERS_MAX 64

/* A process whose missing cover has been reported. */
struct seen {
	pid_t tgid;
	uint64_t started;
};

/* A call that moves something and may not have come back yet, see moves.c. */
struct mover {
	pid_t tid;
	int number;
	int64_t since; /* milliseconds; 0: none */
};

/* The session, as every thread of the supervisor sees it. */
struct rules {
	const struct image *image;
	struct session_page *page;
	struct session_page *others;                                   /* of other users; or NULL */
	char session[64];                                              /* its id, for the lines */
	char page_path[SESSION_FOLDER_MAX + sizeof(SESSION_FILE) + 1]; /* of its own file */
	char counters_path[SESSION_FOLDER_MAX + sizeof(SESSION_COUNTERS) + 1];
	int fifo; /* where lines go; -1: nowhere */
	int listener;
	_Atomic bool moved;                   /* some process has changed its root or mounts */
	uint64_t refused_what, refused_where; /* the last program that was refused, see answer.c */
	pthread_mutex_t lock;                 /* for these, seen and movers */
	struct seen seen[SEEN_MAX];           /* a ring: what is pushed out would at worst be said twice */
	unsigned seen_next;
	struct mover movers[MOVERS_MAX];
	_Atomic unsigned mover_count;
	_Atomic uint64_t quiet[QUIET_MAX]; /* of calls that need no line: fingerprints of thread and place, see answer.c */
};

struct question {
	struct rules *rules;
	const struct seccomp_notif *notification;
	const struct call *call;
	bool wide;         /* pointers in the caller's structures have 8 bytes */
	bool covers;       /* a rule lies below one of its paths */
	bool moves_folder; /* a folder gets another name, or something that cannot be told from one */
	struct memory memory;
	struct resolve_caller caller;
};

/* What every judge_ and answer_ function returns: 0 lets the call go on, an errno refuses it. */

/* A decision to deny: exempts what libc does by itself, counts, reports, and says what the caller gets. */
int answer_deny(struct question *question, const struct request *request, const struct decision *decision);

/* A decision to allow: counts, and reports where every call is reported. Always 0. */
int answer_allow(struct question *question, const struct request *request);

/* The arguments cannot be judged: error as memory.h and resolve.h give it. What the kernel will refuse goes on. */
int answer_unknown(struct question *question, const struct request *request, int error);

/* Is the stopped call still the one that was taken up? Everything read before a yes was read from the caller. */
bool question_stands(const struct question *question);

int judge_exec(struct question *question);
int judge_network(struct question *question);

#endif
