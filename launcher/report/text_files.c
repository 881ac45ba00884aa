/* SPDX-License-Identifier: MIT */
/* A summary for people: which files were written, read, and looked for. */
#include "report/text_parts.h"

#include <stdlib.h>

#include "report/visible.h"

#define READ_MAX 24     /* folders that stand for what was read, */
#define MISSING_MAX 10  /* looked for, */
#define TEMPORARY_MAX 8 /* or made for a while */

void text_count(FILE *out, uint64_t count, const char *one, const char *many)
{
	fprintf(out, "%llu %s", (unsigned long long)count, count == 1 ? one : many);
}

void text_more_rows(FILE *out, uint64_t rows)
{
	if (rows > TEXT_ROWS_MAX)
		fprintf(out, "  ... and %llu more\n", (unsigned long long)(rows - TEXT_ROWS_MAX));
}

static void path_of(FILE *out, const struct summary *summary, const struct path_fold *fold)
{
	char name[INTERN_TEXT_MAX];

	paths_name(&summary->paths, fold->node, name, sizeof(name));
	visible_put(out, name, 0);
	if (fold->files > 1 && fold->node != 0)
		fputc('/', out);
}

static const char *change_of(uint32_t marks)
{
	if (!(marks & PATH_DONE))
		return "asked";
	if (marks & PATH_GONE)
		return marks & PATH_CREATED ? "temporary" : "removed";
	return marks & PATH_REMOVED ? "replaced" : marks & PATH_CREATED ? "created"
									: "written";
}

/* What a call of which nobody knows how it ended asked for. */
static void asked_for(FILE *out, uint32_t marks)
{
	const char *before = marks & PATH_DONE ? "  (asked to " : "  (to ";

	for (uint32_t mark = PATH_ASKED_TO_WRITE; mark <= PATH_ASKED_TO_REMOVE; mark <<= 1)
		if (marks & mark) {
			fprintf(out, "%s%s", before,
				mark == PATH_ASKED_TO_WRITE    ? "write"
				: mark == PATH_ASKED_TO_CREATE ? "create"
							       : "remove");
			before = ", ";
		}
	fputs(marks & PATH_ASKED ? ")" : "", out);
}

static void changed_file(FILE *out, const struct summary *summary, const struct path_fold *fold)
{
	uint32_t marks = summary->paths.nodes[fold->node].marks;

	fprintf(out, "  %-9s ", change_of(marks));
	path_of(out, summary, fold);
	fputs(marks & PATH_MORE ? " and more beneath" : "", out);
	asked_for(out, marks);
	fputc('\n', out);
}

/* The folders that they are in; a file that stands alone by itself. */
static void changed_folders(FILE *out, const struct summary *summary, uint32_t marks, const char *word, size_t limit)
{
	struct path_fold *folds;
	size_t count = paths_fold(&summary->paths, marks, limit, &folds);

	for (size_t i = 0; i < count; i++) {
		if (folds[i].files == 1) {
			changed_file(out, summary, &folds[i]);
			continue;
		}
		fprintf(out, "  %-9s ", word);
		path_of(out, summary, &folds[i]);
		fputs("  ", out);
		text_count(out, folds[i].files, "file", "files");
		fputc('\n', out);
	}
	free(folds);
}

static void changed_files(FILE *out, const struct summary *summary, uint32_t marks)
{
	struct path_fold *folds;
	size_t count = paths_list(&summary->paths, marks, SIZE_MAX, &folds);

	for (size_t i = 0; i < count; i++)
		changed_file(out, summary, &folds[i]);
	free(folds);
}

size_t text_file_count(const struct summary *summary, uint32_t marks)
{
	struct path_fold *folds;
	size_t count = paths_list(&summary->paths, marks, SIZE_MAX, &folds);

	free(folds);
	return count;
}

/*
 * Each by itself, or, where there are too many to look at, the folders that they are in: first what stayed, then what
 * was there for a while.
 */
void text_files_written(FILE *out, const struct summary *summary)
{
	size_t all = text_file_count(summary, PATH_CHANGES), lasting = text_file_count(summary, PATH_LASTING);

	if (all == 0)
		return;
	fputs("\nFiles written\n", out);
	if (all <= TEXT_ROWS_MAX) {
		changed_files(out, summary, PATH_CHANGES);
		return;
	}
	if (lasting <= TEXT_ROWS_MAX)
		changed_files(out, summary, PATH_LASTING);
	else
		changed_folders(out, summary, PATH_LASTING, "changed", TEXT_ROWS_MAX);
	changed_folders(out, summary, PATH_TEMPORARY, "temporary", TEMPORARY_MAX);
	changed_folders(out, summary, PATH_ASKED, "asked", TEXT_ROWS_MAX);
}

static void trees(FILE *out, const struct summary *summary, uint32_t marks, const char *heading, size_t limit)
{
	struct path_fold *folds;
	size_t count = paths_fold(&summary->paths, marks, limit, &folds);

	if (count != 0)
		fprintf(out, "\n%s\n", heading);
	for (size_t i = 0; i < count && i < TEXT_ROWS_MAX; i++) {
		fputs("  ", out);
		path_of(out, summary, &folds[i]);
		fputs("  ", out);
		if (folds[i].files > 1) {
			text_count(out, folds[i].files, "file", "files");
			fputs(", ", out);
		}
		text_count(out, folds[i].calls, "time", "times");
		fputc('\n', out);
	}
	text_more_rows(out, count);
	free(folds);
}

void text_files_read(FILE *out, const struct summary *summary)
{
	trees(out, summary, PATH_READ, "Read", READ_MAX);
	trees(out, summary, PATH_MISSING, "Looked for, and not there", MISSING_MAX);
}
