/* SPDX-License-Identifier: MIT */
/* Reads report files into one summary, complaining on stderr about lines that are none. */
#ifndef BRIDLE_LOAD_H
#define BRIDLE_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "report/format.h"
#include "report/lines.h"

struct load {
	struct summary *summary;
	struct format_source *sources;
	struct format_input input; /* of the two above, for format_*() */
	uint64_t warned;
};

/* False: out of memory. */
bool load_open(struct load *load);
void load_close(struct load *load);

/*
 * Reads every file, in order; "-", or none at all, is standard input. A file that cannot be read is named on stderr and
 * the rest is read all the same: then the result is false. Finishes the summary. Call once.
 */
bool load_files(struct load *load, char *const *names, size_t count);

#endif
