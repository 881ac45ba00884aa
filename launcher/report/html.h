/* SPDX-License-Identifier: MIT */
/*
 * The parts of the HTML page, one file each. Every string of a report goes through visible_html; nothing else of a report
 * gets into the page but numbers.
 */
#ifndef BRIDLE_HTML_H
#define BRIDLE_HTML_H

#include <stdio.h>

#include "report/summary.h"

extern const char html_style[];
extern const char html_script[];

/* <section> with its heading, closed by html_section_end. id: a word of ours. */
void html_section(FILE *out, const char *id, const char *heading);
void html_section_end(FILE *out);

/* How many files carry one of these marks (enum path_mark). */
uint64_t html_files_of(const struct summary *summary, uint32_t marks);

void html_timeline(FILE *out, const struct summary *summary);
void html_tree(FILE *out, const struct summary *summary);
void html_violations(FILE *out, const struct summary *summary);
void html_files(FILE *out, const struct summary *summary);
void html_places(FILE *out, const struct summary *summary);
void html_gaps(FILE *out, const struct summary *summary);
void html_failures(FILE *out, const struct summary *summary);
void html_calls(FILE *out, const struct summary *summary);

/* "1 file", "2,345 files". */
void html_count(FILE *out, uint64_t count, const char *one, const char *many);

/* "12 ms", "3.4 s", "2 min 5 s". */
void html_duration(FILE *out, int64_t microseconds);

/* The name of a program without its folders. */
const char *html_program(const char *exe);

#endif
