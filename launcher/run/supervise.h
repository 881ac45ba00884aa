/* SPDX-License-Identifier: MIT */
/*
 * Stands by a started command until it and everything it started is gone: reads its report and its output, keeps its
 * time, passes signals on, and ends what must be ended.
 */
#ifndef BRIDLE_SUPERVISE_H
#define BRIDLE_SUPERVISE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "forward/forward.h"
#include "run/capture.h"
#include "run/crowd.h"
#include "run/frames.h"
#include "run/hello.h"
#include "run/outcome.h"
#include "run/terminal.h"

enum phase {
	PHASE_RUNNING,
	PHASE_ENDING,  /* SIGTERM is out, the grace runs */
	PHASE_KILLING, /* SIGKILL until nothing is left */
};

struct supervisor {
	pid_t child;
	int signals; /* a signalfd of supervise_signals() */
	int fifo;
	struct forward *forward;
	struct capture *output, *error; /* NULL: the command has its own */
	struct frames *frames;          /* who hears of them at once; or NULL */
	const struct terminal *terminal;
	struct hello hello;
	struct crowd crowd;        /* crowd_start() it */
	int64_t wall_ms, grace_ms; /* wall 0: no limit */
	bool follow_stops;         /* stop with the command; else only where a key on the terminal stopped both */
	bool ends;                 /* SIGTERM ends the command and all it started, as when time runs out */
	bool gather;               /* many lines come: let them gather a little, rather than wake up for each */

	/* its own state */
	enum phase phase;
	int64_t started, deadline; /* of the phase, in milliseconds of the monotonic clock; 0: none */
	bool child_ended, timed_out, crowded;
	bool gathering;     /* lines came just now */
	uint64_t passed_on; /* signals that we sent to the command, a bit each */
	int key_signal;     /* the last that a key on the terminal sent to our group */
	int wait_status;
	double cpu_seconds;
	size_t left_over;
};

/* Milliseconds of the monotonic clock. */
int64_t supervise_clock(void);

/*
 * Blocks the signals that the launcher handles and returns a signalfd for them; -1 with errno set. before gets the mask
 * as it was, which is the command's.
 */
int supervise_signals(sigset_t *before);

/* Runs until no descendant is left and all is read; fills kind, wait_status, duration_ms, left_over of the outcome. */
void supervise(struct supervisor *supervisor, struct outcome *ret_outcome);

#endif
