/* SPDX-License-Identifier: MIT */
/* A summary for people. */
#include <stdlib.h>
#include <string.h>

#include "report/format.h"
#include "report/visible.h"

#define ROWS_MAX 40       /* rows of one section; the rest is counted */
#define FOLDS_MAX 24      /* folders that stand for what was read */
#define VIOLATIONS_MAX 20 /* rows of one rule */
#define TREE_MAX 200      /* processes that are drawn */
#define TREE_WIDTH 60
#define SUBJECT_WIDTH 70

static void count_of(FILE *out, uint64_t count, const char *one, const char *many)
{
	fprintf(out, "%llu %s", (unsigned long long)count, count == 1 ? one : many);
}

static void duration(FILE *out, int64_t microseconds)
{
	if (microseconds < 1000000)
		fprintf(out, "%lld ms", (long long)(microseconds / 1000));
	else if (microseconds < 60000000)
		fprintf(out, "%.1f s", (double)microseconds / 1e6);
	else
		fprintf(out, "%lld min %lld s", (long long)(microseconds / 60000000),
			(long long)(microseconds / 1000000 % 60));
}

static void more_rows(FILE *out, uint64_t rows)
{
	if (rows > ROWS_MAX)
		fprintf(out, "  ... and %llu more\n", (unsigned long long)(rows - ROWS_MAX));
}

static void sessions(FILE *out, const struct summary *summary)
{
	for (uint32_t i = 0; i < table_count(&summary->sessions) && i < ROWS_MAX; i++) {
		const struct summary_session *session = table_at(&summary->sessions, i);

		fputs("Session ", out);
		visible_put(out, session->id, 40);
		if (session->mode[0] != '\0') {
			fputs(", mode ", out);
			visible_put(out, session->mode, 20);
		}
		if (session->profile[0] != '\0') {
			fputs(", profile ", out);
			visible_put(out, session->profile, 40);
		}
		if (session->root[0] != '\0') {
			fputs(", root ", out);
			visible_put(out, session->root, 0);
		}
		fputs(", ", out);
		duration(out, session->end - session->begin);
		if (session->exit_code != EVENT_NO_EXIT)
			fprintf(out, ", exit status %lld", (long long)session->exit_code);
		if (session->lost > 0)
			fprintf(out, ", %lld lines LOST", (long long)session->lost);
		fputc('\n', out);
	}
	more_rows(out, table_count(&summary->sessions));
}

static void process_row(FILE *out, const struct process *process, int indent, const char *denied)
{
	const char *what = process->command[0] ? process->command : process->exe;
	size_t width = visible_width(what), room = TREE_WIDTH - (size_t)(indent > 40 ? 40 : indent);

	fprintf(out, "  %*s", indent > 40 ? 40 : indent, "");
	visible_put(out, what[0] ? what : "(unknown)", room);
	fprintf(out, "%*s", width < room ? (int)(room - width) : 0, "");
	if (process->stopped) {
		fputs("  DENIED ", out);
		visible_put(out, process->refused, 40);
	} else if (process->failed[0] != '\0') {
		fputs("  could not start: ", out);
		visible_put(out, process->failed, 40);
	} else if (!process->ran) {
		fputs("  made no call that was seen", out);
	} else {
		fputs("  ", out);
		duration(out, process->end - process->begin);
		fputs(", ", out);
		count_of(out, process->calls, "call", "calls");
		if (process->denied != 0)
			fprintf(out, ", %llu %s", (unsigned long long)process->denied, denied);
		if (process->refused[0] != '\0')
			fputs(", would be refused", out);
		if (process->command[0] == '\0' && process->parent != INDEX_NONE)
			fputs(" (fork)", out);
	}
	fputc('\n', out);
	if (process->folded != 0)
		fprintf(out, "  %*s... and %u more processes\n", indent + 2, "", process->folded);
}

static void process_tree(FILE *out, const struct summary *summary)
{
	const struct processes *processes = &summary->processes;
	uint32_t at = INDEX_NONE, drawn = 0;
	int depth = 0;

	if (processes->count == 0)
		return;
	fputs("\nProcesses\n", out);
	while (drawn < TREE_MAX && (at = processes_walk(processes, at, &depth)) != INDEX_NONE) {
		process_row(out, &processes->items[at], 2 * depth,
			    summary->enforced == summary->denied ? "denied" : "against the policy");
		drawn++;
	}
	if (processes->count + processes->folded > drawn)
		fprintf(out, "  ... and %u more processes\n",
			processes->count + processes->folded - drawn);
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
	if (marks & PATH_GONE)
		return marks & PATH_CREATED ? "temporary" : "removed";
	return marks & PATH_REMOVED ? "replaced" : marks & PATH_CREATED ? "created"
									: "written";
}

/* Each by itself, or, when there are too many to look at, the folders that they are in. */
static void files_written(FILE *out, const struct summary *summary)
{
	struct path_fold *folds;
	size_t count = paths_list(&summary->paths, PATH_CHANGES, SIZE_MAX, &folds);

	if (count > ROWS_MAX) {
		free(folds);
		count = paths_fold(&summary->paths, PATH_CHANGES, ROWS_MAX, &folds);
	}
	if (count != 0)
		fputs("\nFiles written\n", out);
	for (size_t i = 0; i < count && i < ROWS_MAX; i++) {
		uint32_t marks = summary->paths.nodes[folds[i].node].marks;

		fprintf(out, "  %-9s ", folds[i].files > 1 ? "changed" : change_of(marks));
		path_of(out, summary, &folds[i]);
		if (folds[i].files > 1)
			fprintf(out, "  %llu files", (unsigned long long)folds[i].files);
		else if (marks & PATH_MORE)
			fputs(" and more beneath", out);
		fputc('\n', out);
	}
	more_rows(out, count);
	free(folds);
}

static void trees(FILE *out, const struct summary *summary, uint32_t marks, const char *heading)
{
	struct path_fold *folds;
	size_t count = paths_fold(&summary->paths, marks, FOLDS_MAX, &folds);

	if (count != 0)
		fprintf(out, "\n%s\n", heading);
	for (size_t i = 0; i < count && i < ROWS_MAX; i++) {
		fputs("  ", out);
		path_of(out, summary, &folds[i]);
		fputs("  ", out);
		if (folds[i].files > 1) {
			count_of(out, folds[i].files, "file", "files");
			fputs(", ", out);
		}
		count_of(out, folds[i].calls, "time", "times");
		fputc('\n', out);
	}
	more_rows(out, count);
	free(folds);
}

static void places(FILE *out, const struct summary *summary)
{
	uint32_t count = table_count(&summary->places);

	if (count != 0)
		fputs("\nDestinations\n", out);
	for (uint32_t i = 0; i < count && i < ROWS_MAX; i++) {
		const struct summary_place *place = table_at(&summary->places, i);

		fprintf(out, "  %-8s ", summary_op(place->op));
		visible_put(out, place->host, SUBJECT_WIDTH);
		if (place->addr[0] != '\0' && place->addr != place->host) {
			fputs(place->host[0] ? " (" : "", out);
			visible_put(out, place->addr, SUBJECT_WIDTH);
			fputs(place->host[0] ? ")" : "", out);
		}
		if (place->port != 0)
			fprintf(out, " port %lld", (long long)place->port);
		fputs("  ", out);
		count_of(out, place->allowed + place->denied, "time", "times");
		if (place->denied != 0)
			fprintf(out, ", %llu denied", (unsigned long long)place->denied);
		if (place->failed != 0) {
			fprintf(out, ", %llu failed: ", (unsigned long long)place->failed);
			visible_put(out, place->error, 24);
		}
		fputc('\n', out);
	}
	more_rows(out, count);
}

static void failures(FILE *out, const struct summary *summary)
{
	uint32_t *order, count = summary_failures(summary, &order);

	if (count != 0)
		fputs("\nFailed by itself\n", out);
	for (uint32_t i = 0; i < count && i < ROWS_MAX; i++) {
		const struct summary_failure *failure = table_at(&summary->failures, order[i]);
		const char *program = strrchr(failure->exe, '/');

		fprintf(out, "  %-5llu ", (unsigned long long)failure->count);
		visible_put(out, failure->call[0] ? failure->call : summary_op(failure->op), 24);
		fputc(' ', out);
		visible_put(out, failure->subject, SUBJECT_WIDTH);
		fputs(": ", out);
		visible_put(out, failure->error, 24);
		if (failure->exe[0] != '\0') {
			fputs("  by ", out);
			visible_put(out, program ? program + 1 : failure->exe, 30);
		}
		fputc('\n', out);
	}
	more_rows(out, count);
	free(order);
}

static void violation_row(FILE *out, const struct summary_violation *violation)
{
	const char *program = strrchr(violation->exe, '/');

	fprintf(out, "    %-5llu ", (unsigned long long)violation->count);
	visible_put(out, violation->call[0] ? violation->call : summary_op(violation->op), 24);
	fputc(' ', out);
	visible_put(out, violation->subject, SUBJECT_WIDTH);
	if (violation->exe[0] != '\0') {
		fputs("  by ", out);
		visible_put(out, program ? program + 1 : violation->exe, 30);
	}
	if (!violation->enforced)
		fputs("  (let through)", out);
	fputc('\n', out);
	if (violation->reason[0] != '\0') {
		fputs("          ", out);
		visible_put(out, violation->reason, 0);
		fputc('\n', out);
	}
}

/* By rule, as the rules first came; of each rule the most frequent first. */
static void violations(FILE *out, const struct summary *summary)
{
	uint32_t *order;
	uint32_t count = summary_violations(summary, &order), at = 0;

	if (table_count(&summary->rules) != 0)
		fputs(summary->enforced == summary->denied ? "\nDenied\n"
							   : "\nAgainst the policy\n",
		      out);
	for (uint32_t i = 0; i < table_count(&summary->rules); i++) {
		const struct summary_rule *rule = table_at(&summary->rules, i);
		uint32_t rows = 0;

		fputs("  ", out);
		visible_put(out, rule->rule, 40);
		fputs("  ", out);
		count_of(out, rule->count, "time", "times");
		fputc('\n', out);
		for (; at < count; at++) {
			const struct summary_violation *violation =
				table_at(&summary->violations, order[at]);

			if (violation->rule != rule->rule)
				break;
			if (rows++ < VIOLATIONS_MAX)
				violation_row(out, violation);
		}
		if (rows > VIOLATIONS_MAX)
			fprintf(out, "    ... and %u more\n", rows - VIOLATIONS_MAX);
	}
	free(order);
}

static void gaps_and_limits(FILE *out, const struct summary *summary)
{
	uint32_t gaps = table_count(&summary->gaps), limits = table_count(&summary->limits);

	if (gaps != 0)
		fputs("\nNot covered by the guard\n", out);
	for (uint32_t i = 0; i < gaps && i < ROWS_MAX; i++) {
		const struct summary_gap *gap = table_at(&summary->gaps, i);

		fprintf(out, "  %-5llu ", (unsigned long long)gap->count);
		visible_put(out, gap->rule, 24);
		fputs("  ", out);
		visible_put(out, gap->subject, SUBJECT_WIDTH);
		fputc('\n', out);
	}
	more_rows(out, gaps);
	if (limits != 0)
		fputs("\nLimits reached\n", out);
	for (uint32_t i = 0; i < limits; i++) {
		const struct summary_limit *limit = table_at(&summary->limits, i);

		fputs("  ", out);
		visible_put(out, limit->rule, 24);
		fputs("  ", out);
		visible_put(out, limit->reason, 0);
		fputc('\n', out);
	}
}

static void calls(FILE *out, const struct summary *summary)
{
	if (summary->allowed + summary->denied == 0)
		return;
	fputs("\nCalls              allowed    denied    failed\n", out);
	for (int op = 0; op <= OP_COUNT; op++)
		if (summary->by_op[op][0] + summary->by_op[op][1] != 0)
			fprintf(out, "  %-12s %11llu %9llu %9llu\n", summary_op((enum op)op),
				(unsigned long long)summary->by_op[op][0],
				(unsigned long long)summary->by_op[op][1],
				(unsigned long long)summary->failed_by_op[op]);
}

static void sources(FILE *out, const struct format_input *input)
{
	for (size_t i = 0; i < input->source_count; i++) {
		const struct format_source *source = &input->sources[i];

		if (source->skipped == 0)
			continue;
		fputs("\nNote: ", out);
		count_of(out, source->skipped, "line", "lines");
		fputs(" of ", out);
		visible_put(out, source->name, 0);
		fputs(" could not be used.\n", out);
	}
	if (input->summary->unkept != 0) {
		fputs("\nNote: ", out);
		count_of(out, input->summary->unkept, "detail", "details");
		fputs(" beyond what a summary keeps; the totals include them.\n", out);
	}
}

void format_text(FILE *out, const struct format_input *input)
{
	const struct summary *summary = input->summary;

	if (summary->lines == 0)
		fputs("No report lines.\n", out);
	sessions(out, summary);
	process_tree(out, summary);
	files_written(out, summary);
	trees(out, summary, PATH_READ, "Read");
	trees(out, summary, PATH_MISSING, "Looked for, and not there");
	places(out, summary);
	violations(out, summary);
	failures(out, summary);
	gaps_and_limits(out, summary);
	calls(out, summary);
	sources(out, input);
}
