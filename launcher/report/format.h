/* SPDX-License-Identifier: MIT */
/*
 * The forms in which a finished summary is written. Each lives in a file of its own, reads the summary only, and writes to
 * `out` only; the caller checks ferror(out).
 */
#ifndef BRIDLE_FORMAT_H
#define BRIDLE_FORMAT_H

#include <stdbool.h>
#include <stdio.h>

#include "report/summary.h"

/* What the readers of the files had to say. */
struct format_source {
	const char *name;
	uint64_t lines, good, skipped;
};

struct format_input {
	const struct summary *summary;
	const struct format_source *sources;
	size_t source_count;
	size_t columns; /* of the terminal that the text is for; 0: none */
};

/* For people. What matters most comes first; the tree of processes is as wide as the terminal allows. */
void format_text(FILE *out, const struct format_input *input);

/* One JSON document; examples/report.schema.json describes it. False: out of memory. */
bool format_json(FILE *out, const struct format_input *input);

/* One HTML page that needs nothing but itself. */
void format_html(FILE *out, const struct format_input *input);

/* SARIF 2.1.0: a result each violation and coverage gap. False: out of memory. */
bool format_sarif(FILE *out, const struct format_input *input);

#endif
