/* SPDX-License-Identifier: MIT */
/*
 * The live view of `bridle trace`: one line a call, as it comes. On a terminal lines are indented by process, coloured, and
 * cut where they would not fit; elsewhere each is a whole record, with the pid. Files beneath the session's root are named
 * from there, others whole, whatever folder the program names them from. Reads of one process in one folder, or in folders
 * close to each other, one after the other, become one line.
 */
#ifndef BRIDLE_LIVE_H
#define BRIDLE_LIVE_H

#include <stdbool.h>
#include <stdio.h>

#include "failure.h"
#include "report/event.h"
#include "report/summary.h"

/* Bits of live_filter.only. */
enum {
	LIVE_EXEC = 1 << 0,
	LIVE_READ = 1 << 1,
	LIVE_WRITE = 1 << 2,
	LIVE_CONNECT = 1 << 3, /* bind and resolve too */
	LIVE_DENIED = 1 << 4,  /* whatever it is, when it is against the policy */
};

/* What is shown; all that is set must fit. */
struct live_filter {
	unsigned only;       /* 0: everything */
	const char *program; /* glob of the program's basename or, with a slash in it, its path; NULL: any */
	const char *path;    /* glob of the path as given or resolved ("*" matches slashes); NULL: any */
};

struct live {
	FILE *out;
	const struct summary *summary; /* which has taken each event already: it knows the processes */
	struct live_filter filter;
	bool terminal, colour;
	size_t columns;                   /* of the terminal, now; 0: lines are not cut */
	char root[4096];                  /* of the session: paths beneath it are shown without it */
	int64_t fold_pid;                 /* the reads that are held back */
	uint64_t fold_count, fold_missed; /* missed: files that are not there */
	uint32_t fold_depth;
	char fold_program[64], fold_folder[4096], fold_first[4096];
};

/* Reads a list like "exec,write". False with what is wrong in failure. */
bool live_filter_only(const char *words, unsigned *ret_only, struct failure *failure);

/* out: unbuffered or line-buffered as the caller likes. terminal: indent; colour: escape sequences. */
void live_open(struct live *live, FILE *out, const struct summary *summary, const struct live_filter *filter,
	       bool terminal, bool colour);

/* How many columns `file` has now, as a terminal; 0 when it is none. */
size_t live_columns(int file);

/* Shows one event, or holds it back. process: what processes_take said of it. */
void live_take(struct live *live, const struct event *event, uint32_t process);

/* Is this event one that the filter shows? */
bool live_shows(const struct live *live, const struct event *event);

/* Shows what is held back: when nothing comes for a while, and at the end. */
void live_flush(struct live *live);

/* Is colour wanted on this descriptor? A terminal, and neither NO_COLOR nor TERM=dumb speaks against it. */
bool live_wants_colour(int descriptor);

#endif
