/* SPDX-License-Identifier: MIT */
/*
 * The proof that the command is guarded: a shim counts itself in the session page when it has mapped it. ld.so only warns
 * when it cannot load a preload, and runs the program without; so the launcher believes nothing before that count.
 */
#ifndef BRIDLE_HELLO_H
#define BRIDLE_HELLO_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "handoff.h"

enum hello_state {
	HELLO_UNNEEDED, /* a program that the shim cannot enter, and may run all the same */
	HELLO_AWAITED,
	HELLO_SEEN,
	HELLO_MISSING, /* it runs, or ran, unguarded */
};

struct hello {
	enum hello_state state;
	const struct session_page *page;
	pid_t child;
	int64_t since, next; /* milliseconds of the monotonic clock: when it started, when to look next */
};

void hello_start(struct hello *hello, const struct session_page *page, pid_t child, bool needed, int64_t now);

/* Looks for the count; when it is not there and it is time, looks at what the child has mapped. */
void hello_look(struct hello *hello, int64_t now);

/* The child has ended: without the count it was unguarded. */
void hello_end(struct hello *hello);

/* Milliseconds until hello_look has something to do, -1: never again. */
int hello_wait(const struct hello *hello, int64_t now);

#endif
