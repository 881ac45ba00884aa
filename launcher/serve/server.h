/* SPDX-License-Identifier: MIT */
/*
 * bridle serve: one process that takes requests from its clients, runs each in a session of its own (child.h), or gives it
 * to a worker that was started before (warm.h), and gives the results back. One thread; a bad client costs only itself.
 */
#ifndef BRIDLE_SERVER_H
#define BRIDLE_SERVER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"
#include "serve/bytes.h"
#include "serve/child.h"

#define SERVE_LINE_MAX (16u << 20)  /* bytes of a request */
#define SERVE_OUTPUT_MAX (8u << 20) /* bytes that wait for a client that does not read, before nothing is read for it */
#define SERVE_QUEUE 64              /* requests of a client that wait or run, before it is read no more */

struct client {
	struct client *next;
	int in, out; /* the same for a socket */
	struct bytes input, output;
	size_t line;           /* number of the line that is read now, from 1 */
	size_t open;           /* requests that wait or run */
	size_t poll, poll_out; /* its places in this turn of the loop; 0: none */
	bool skipping;         /* the rest of a line that is too long */
	bool ended;            /* nothing more comes from it */
	bool gone;             /* nobody reads what we write */
};

struct job {
	struct job *next;
	struct client *client; /* NULL: it is gone */
	json_t *id;            /* NULL: none was given */
	json_t *request;       /* as request.h has it */
	bool check;            /* only judge it */
	bool cancelled;
	struct child child;    /* of a command */
	struct worker *worker; /* of a task */
	size_t poll;           /* its place in this turn of the loop; 0: none */
};

struct warm {
	const char *line;   /* --warm, NULL: no workers */
	size_t requests;    /* each is replaced after so many; 0: never */
	double cpu_seconds; /* ... after so much CPU time; 0: never */
	struct worker *workers;
	size_t count;
};

struct server {
	struct client *clients;
	struct job *jobs; /* oldest first */
	size_t running, limit;
	int listener; /* -1: stdin and stdout are the one client */
	bool full;    /* no descriptor is left for another client before one has gone */
	bool mcp, stopping;
	struct ready_policy ready;
	const char *report; /* --report, or NULL */
	struct warm warm;
};

/* Serves until there is no client left, with a listener until a signal ends it; the exit status. */
int server_run(struct server *server);

/* One line from a client, NUL-terminated. */
typedef void server_line(struct server *server, struct client *client, const char *text, size_t length);
server_line serve_line, mcp_line;

/* What a finished job says to its client, in the words of the protocol. result: NULL with words where there is none. */
void serve_answer(const struct job *job, json_t *result, const char *words);
void mcp_answer(const struct job *job, json_t *result, const char *words);

/* A frame of a job that is not finished. */
void serve_frame(const struct job *job, const json_t *frame);

/* Queues an object for a client as one line, and drops it. */
void client_send(struct client *client, json_t *object);

/*
 * Queues a request. id and request are taken over. False with the reason in failure where the request is malformed; then
 * both are dropped.
 */
bool job_add(struct server *server, struct client *client, json_t *id, json_t *request, bool check,
	     struct failure *failure);
/* Starts what waits, oldest first, as far as the limit allows. */
void job_start_waiting(struct server *server);
/* Ends a client's job with that id; false when there is none. */
bool job_cancel(struct server *server, const struct client *client, const json_t *id);
/* Ends all jobs of a client that is gone; NULL: all there are. */
void job_cancel_all(struct server *server, struct client *client);
/* Reads what its child says; it is answered and removed when that is over. */
void job_read(struct server *server, struct job *job);
/* Answers a job and removes it. result is dropped; NULL: words say why there is none. */
void job_finish(struct server *server, struct job *job, json_t *result, const char *words);

#endif
