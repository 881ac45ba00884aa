/* SPDX-License-Identifier: MIT */
/* What the parts of the summary for people share. */
#ifndef BRIDLE_REPORT_TEXT_PARTS_H
#define BRIDLE_REPORT_TEXT_PARTS_H

#include <stdint.h>
#include <stdio.h>

#include "report/summary.h"

#define TEXT_ROWS_MAX 40 /* rows of one section; the rest is counted */

/* "1 file", "2 files". */
void text_count(FILE *out, uint64_t count, const char *one, const char *many);

/* Says how many rows of a section are not shown, if any. */
void text_more_rows(FILE *out, uint64_t rows);

/* How many files carry one of these marks. */
size_t text_file_count(const struct summary *summary, uint32_t marks);

/* The section about files that were written. */
void text_files_written(FILE *out, const struct summary *summary);

/* Those about files that were read, and looked for. */
void text_files_read(FILE *out, const struct summary *summary);

#endif
