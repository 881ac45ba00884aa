/* SPDX-License-Identifier: MIT */
/*
 * bridle serve: one process that takes requests from its clients, runs each in a session of its own (a child that lives as
 * `bridle run --json` does) and gives the results back. One thread; a bad client costs only itself.
 */
#ifndef BRIDLE_SERVER_H
#define BRIDLE_SERVER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "failure.h"

#define SERVE_LINE_MAX (16u << 20)   /* bytes of a request */
#define SERVE_OUTPUT_MAX (8u << 20)  /* bytes that wait for a client that does not read, before it is read no more */
#define SERVE_RESULT_MAX (64u << 20) /* bytes of a result */
#define SERVE_QUEUE 64               /* requests of a client that wait or run, before it is read no more */

struct bytes {
	char *text;
	size_t used, room;
};

struct client {
	struct client *next;
	int in, out; /* the same for a socket */
	struct bytes input, output;
	size_t line;   /* number of the line that is read now, from 1 */
	size_t open;   /* requests that wait or run */
	bool skipping; /* the rest of a line that is too long */
	bool ended;    /* nothing more comes from it */
	bool gone;     /* nobody reads what we write */
};

struct job {
	struct job *next;
	struct client *client; /* NULL: it is gone */
	json_t *id;            /* NULL: none was given */
	json_t *request;       /* argv, cwd, stdin, timeout, shell */
	bool check;            /* only judge it */
	bool cancelled;
	pid_t child;        /* 0: it waits */
	int result, errors; /* of the child: a pipe, and a file for its last words */
	struct bytes answer;
};

struct server {
	struct client *clients;
	struct job *jobs; /* oldest first */
	size_t running, limit;
	int listener; /* -1: stdin and stdout are the one client */
	bool mcp;
	char **options; /* what each run and check is told of the policy, NULL-terminated */
};

/* Serves until there is no client left, or with a listener for ever; the exit status. */
int server_run(struct server *server);

/* One line from a client, NUL-terminated. */
typedef void server_line(struct server *server, struct client *client, const char *text, size_t length);
server_line serve_line, mcp_line;

/* What a finished job says to its client, in the words of the protocol. result: NULL with words where there is none. */
void serve_answer(const struct job *job, json_t *result, const char *words);
void mcp_answer(const struct job *job, json_t *result, const char *words);

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
/* Ends all jobs of a client that is gone. */
void job_cancel_all(struct server *server, struct client *client);
/* Reads what its child says; true when it is over and was answered and removed. */
bool job_read(struct server *server, struct job *job);

/* Adds bytes; false without memory. */
bool bytes_add(struct bytes *bytes, const char *text, size_t length);
/* Takes so many from the front. */
void bytes_drop(struct bytes *bytes, size_t length);

#endif
