/* SPDX-License-Identifier: MIT */
/* A session that the server started: a forked child that lives as `bridle run --json` does, and says what happens in lines. */
#ifndef BRIDLE_SERVE_CHILD_H
#define BRIDLE_SERVE_CHILD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "prepare.h"
#include "serve/bytes.h"

#define CHILD_LINE_MAX (64u << 20) /* bytes of a result */

struct child {
	pid_t pid;  /* 0: none */
	int says;   /* non-blocking; -1: none */
	int errors; /* a file for its last words */
	int input;  /* what its command reads, non-blocking; -1: a file, or nothing */
	struct bytes heard;
	json_t *result; /* the last of its lines; NULL so far */
};

#define CHILD_NONE ((struct child){.says = -1, .errors = -1, .input = -1})

/* What it is to do. */
struct child_plan {
	const struct ready_policy *ready;
	const char *report;  /* --report, or NULL */
	const json_t *argv;  /* strings; with shell one, the whole line */
	const char *cwd;     /* or NULL */
	const json_t *input; /* a string to read; NULL: nothing */
	double timeout;      /* seconds; negative: the policy's */
	bool shell, check;   /* check: only judge it */
	bool stream, tell;   /* say more than the result (run/frames.h) */
	bool pipe;           /* it reads child->input */
};

/* False with errno set. */
bool child_start(struct child *child, const struct child_plan *plan);

/* One of its lines, but the result. */
typedef void child_says(void *data, const json_t *frame);

/* Reads what it says now. True: it is over, result holds what came of it, if anything, and child_words tells what else. */
bool child_read(struct child *child, child_says *says, void *data);

/* Its last words on stderr, where there is no result. */
void child_words(const struct child *child, char *words, size_t size);

/* Asks it to end, with all that it started; it is not over before child_read says so. */
void child_end(const struct child *child);

/* Forgets one that is over, or was told to end: waits for it. */
void child_forget(struct child *child);

#endif
