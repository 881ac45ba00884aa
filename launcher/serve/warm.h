/* SPDX-License-Identifier: MIT */
/*
 * Workers: programs that were started before anybody asked for them, each in a session of its own. A worker reads a task as
 * one line of JSON and answers with one line of its own. One that ran out of time, ended, wrote more than that line, or has
 * done what --warm-requests and --warm-cpu allow is ended, and another one takes its place.
 */
#ifndef BRIDLE_SERVE_WARM_H
#define BRIDLE_SERVE_WARM_H

#include "serve/server.h"

struct worker {
	struct worker *next;
	struct child child;
	struct job *job;             /* NULL: it waits for one */
	struct bytes task;           /* what it has not read yet */
	struct bytes answer, errors; /* what it has written of this task */
	json_t *violations;          /* of this task, at most FORWARD_KEPT_MAX */
	size_t violation_count;
	json_t *session;
	int64_t started, deadline; /* of the task, in milliseconds of the monotonic clock; 0: none */
	size_t served;
	bool ending, timed_out;
	size_t poll, poll_input; /* its places in this turn of the loop; 0: none */
};

/* Would the policy let a worker start? False with the reason in failure. */
bool warm_check(const struct server *server, struct failure *failure);

/* As many workers as the server has jobs at once. */
void warm_fill(struct server *server);

/* Gives a worker the job's task. False with errno set where there is none and none can be started. */
bool warm_take(struct server *server, struct job *job);

/* Ends a worker whose job is cancelled. */
void warm_end(struct server *server, struct worker *worker);

/* Reads what a worker says; writes it what it has not read. */
void warm_read(struct server *server, struct worker *worker);
void warm_write(struct worker *worker);

/* Ends those that are out of time. Milliseconds until that is to be asked again; -1: never. */
int warm_look(struct server *server);

/* Ends all. */
void warm_stop(struct server *server);

#endif
