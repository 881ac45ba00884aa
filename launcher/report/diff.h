/* SPDX-License-Identifier: MIT */
/*
 * What one session did that another did not: programs, files changed, folders read, destinations, violations, gaps.
 * Reads are compared by folder (a further module from the same library is nothing new), changes by file, destinations by
 * host name where it is known. No effects but memory.
 */
#ifndef BRIDLE_DIFF_H
#define BRIDLE_DIFF_H

#include <stdbool.h>
#include <stdio.h>

#include "report/summary.h"

/* Indexes into a table of the newer summary. */
struct diff_list {
	uint32_t *items;
	uint32_t count;
};

struct diff {
	const struct summary *after;
	struct diff_list programs, places, violations, gaps;
	struct path_fold *changed, *read;
	size_t changed_count, read_count;
};

/* Both summaries are finished; `after` gets marks on its paths. False: out of memory. Free with diff_close. */
bool diff_open(struct diff *diff, const struct summary *before, struct summary *after);
void diff_close(struct diff *diff);

bool diff_is_empty(const struct diff *diff);

/* For people, one line each; and as one JSON document (false: out of memory). */
void diff_text(FILE *out, const struct diff *diff);
bool diff_json(FILE *out, const struct diff *diff);

#endif
