/* SPDX-License-Identifier: MIT */
/* A summary for people. */
#include <stdlib.h>
#include <string.h>

#include "report/format.h"
#include "report/text_parts.h"
#include "report/visible.h"

#define VIOLATIONS_MAX 20 /* rows of one rule */
#define TREE_MAX 200      /* processes that are drawn */
#define TREE_INDENT 32
#define TREE_WIDTH 60  /* columns of command lines where there is no terminal, */
#define TREE_MIN 38    /* where it is narrow, */
#define FACTS_WIDTH 42 /* and of what is said behind them */
#define COMMAND_WIDTH 200
#define SUBJECT_WIDTH 70

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

static void sessions(FILE *out, const struct summary *summary, size_t columns)
{
	for (uint32_t i = 0; i < table_count(&summary->sessions) && i < TEXT_ROWS_MAX; i++) {
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
		if (session->command[0] != '\0') {
			fputs("  ", out);
			visible_put(out, session->command, columns > 40 ? columns - 2 : COMMAND_WIDTH);
			fputc('\n', out);
		}
	}
	text_more_rows(out, table_count(&summary->sessions));
}

static void fact(FILE *out, uint64_t count, const char *one, const char *many)
{
	if (count == 0)
		return;
	fputs(", ", out);
	text_count(out, count, one, many);
}

/* Everything that follows, in one sentence. */
static void overview(FILE *out, const struct summary *summary)
{
	uint64_t connected = 0, uncovered = table_count(&summary->gaps), let_through = summary->denied - summary->enforced;

	if (summary->processes.count == 0)
		return;
	for (uint32_t i = 0; i < table_count(&summary->places); i++)
		connected += ((struct summary_place *)table_at(&summary->places, i))->op == OP_CONNECT;
	fputs("\nIn short: ", out);
	text_count(out, summary->processes.count + summary->processes.folded, "process", "processes");
	fact(out, text_file_count(summary, PATH_LASTING), "file changed", "files changed");
	fact(out, text_file_count(summary, PATH_TEMPORARY), "temporary file", "temporary files");
	fact(out, connected, "destination", "destinations");
	fact(out, summary->enforced, "call denied", "calls denied");
	fact(out, let_through, "call against the policy", "calls against the policy");
	fact(out, uncovered, "gap in what the guard sees", "gaps in what the guard sees");
	fputs(".\n", out);
}

static const char *title_of(const struct process *process)
{
	return process->earlier[0] ? process->earlier : process->command[0] ? process->command
									    : process->exe;
}

/* No wider than what will stand in it. */
static size_t tree_width(const struct processes *processes, size_t columns)
{
	size_t room = columns == 0 ? TREE_WIDTH : columns < TREE_MIN + FACTS_WIDTH ? TREE_MIN
										   : columns - FACTS_WIDTH;
	size_t widest = 0, width;
	uint32_t at = INDEX_NONE;
	int depth = 0;

	for (uint32_t i = 0; i < TREE_MAX && (at = processes_walk(processes, at, &depth)) != INDEX_NONE; i++) {
		width = visible_width(title_of(&processes->items[at])) + 2 * (size_t)depth;
		widest = width > widest ? width : widest;
	}
	return widest < room ? widest : room;
}

/* What the calls are that a rule speaks against. */
static const char *denied_word(const struct summary *summary)
{
	return summary->enforced == summary->denied ? "denied" : "against the policy";
}

static void process_row(FILE *out, const struct process *process, int indent, size_t tree, const char *denied)
{
	const char *what = title_of(process);
	size_t width = visible_width(what), room = tree - (size_t)(indent > TREE_INDENT ? TREE_INDENT : indent);

	fprintf(out, "  %*s", indent > TREE_INDENT ? TREE_INDENT : indent, "");
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
		text_count(out, process->calls, "call", "calls");
		if (process->denied != 0)
			fprintf(out, ", %llu %s", (unsigned long long)process->denied, denied);
		if (process->refused[0] != '\0' && !(process->earlier[0] != '\0' && process->refused_last))
			fputs(", would be refused", out);
		if (process->command[0] == '\0' && process->parent != INDEX_NONE)
			fputs(" (fork)", out);
	}
	fputc('\n', out);
	if (process->earlier[0] != '\0') {
		fprintf(out, "  %*sbecame ", indent + 2 > TREE_INDENT ? TREE_INDENT : indent + 2, "");
		visible_put(out, process->command, room);
		fputs(process->refused[0] != '\0' && process->refused_last ? ", would be refused\n" : "\n", out);
	}
	if (process->folded != 0)
		fprintf(out, "  %*s... and %u more processes\n", indent + 2, "", process->folded);
}

static void process_tree(FILE *out, const struct summary *summary, size_t columns)
{
	const struct processes *processes = &summary->processes;
	uint32_t at = INDEX_NONE, drawn = 0;
	size_t tree = tree_width(processes, columns);
	int depth = 0;

	if (processes->count == 0)
		return;
	fputs("\nProcesses\n", out);
	while (drawn < TREE_MAX && (at = processes_walk(processes, at, &depth)) != INDEX_NONE) {
		process_row(out, &processes->items[at], 2 * depth, tree, denied_word(summary));
		drawn++;
	}
	if (processes->count + processes->folded > drawn)
		fprintf(out, "  ... and %u more processes\n",
			processes->count + processes->folded - drawn);
}

static void places(FILE *out, const struct summary *summary)
{
	uint32_t count = table_count(&summary->places);

	if (count != 0)
		fputs("\nDestinations\n", out);
	for (uint32_t i = 0; i < count && i < TEXT_ROWS_MAX; i++) {
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
		text_count(out, place->allowed + place->denied, "time", "times");
		if (place->denied != 0)
			fprintf(out, ", %llu %s", (unsigned long long)place->denied, denied_word(summary));
		if (place->failed != 0) {
			fprintf(out, ", %llu failed: ", (unsigned long long)place->failed);
			visible_put(out, place->error, 24);
		}
		fputc('\n', out);
	}
	text_more_rows(out, count);
}

static void failures(FILE *out, const struct summary *summary)
{
	uint32_t *order, count = summary_failures(summary, &order);

	if (count != 0)
		fputs("\nFailed by itself\n", out);
	for (uint32_t i = 0; i < count && i < TEXT_ROWS_MAX; i++) {
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
	text_more_rows(out, count);
	free(order);
}

static void violation_row(FILE *out, const struct summary_violation *violation)
{
	const char *program = strrchr(violation->exe, '/');
	bool operand = (violation->op == OP_READ || violation->op == OP_WRITE) && strstr(violation->call, "exec") != NULL;

	fprintf(out, "    %-5llu ", (unsigned long long)violation->count);
	visible_put(out, violation->call[0] && !operand ? violation->call : summary_op(violation->op), 24);
	fputc(' ', out);
	visible_put(out, violation->subject, SUBJECT_WIDTH);
	if (operand) {
		fputs("  on a command line", out);
	} else if (violation->exe[0] != '\0') {
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
		      : summary->enforced == 0             ? "\nAgainst the policy: would be denied if it were enforced\n"
							   : "\nAgainst the policy\n",
		      out);
	for (uint32_t i = 0; i < table_count(&summary->rules); i++) {
		const struct summary_rule *rule = table_at(&summary->rules, i);
		uint32_t rows = 0;

		fputs("  ", out);
		visible_put(out, rule->rule, 40);
		fputs("  ", out);
		text_count(out, rule->count, "time", "times");
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

	if (gaps != 0 || summary->endless != 0)
		fputs("\nNot covered by the guard\n", out);
	for (uint32_t i = 0; i < gaps && i < TEXT_ROWS_MAX; i++) {
		const struct summary_gap *gap = table_at(&summary->gaps, i);

		fprintf(out, "  %-5llu ", (unsigned long long)gap->count);
		visible_put(out, gap->rule, 24);
		fputs("  ", out);
		visible_put(out, gap->subject, SUBJECT_WIDTH);
		fputc('\n', out);
		if (gap->reason[0] != '\0') {
			fputs("        ", out);
			visible_put(out, gap->reason, 0);
			fputc('\n', out);
		}
	}
	text_more_rows(out, gaps);
	if (summary->endless != 0) {
		fputs("  How ", out);
		text_count(out, summary->endless, "call", "calls");
		fputs(" of programs like these ended is not known: what they asked for is listed as asked.\n", out);
	}
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
	fprintf(out, "\nCalls              allowed %9s    failed\n",
		summary->enforced == summary->denied ? "denied" : "against");
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
		text_count(out, source->skipped, "line", "lines");
		fputs(" of ", out);
		visible_put(out, source->name, 0);
		fputs(" could not be used.\n", out);
	}
	if (input->summary->unkept != 0) {
		fputs("\nNote: ", out);
		text_count(out, input->summary->unkept, "detail", "details");
		fputs(" beyond what a summary keeps; the totals include them.\n", out);
	}
}

void format_text(FILE *out, const struct format_input *input)
{
	const struct summary *summary = input->summary;

	if (summary->lines == 0)
		fputs("No report lines.\n", out);
	sessions(out, summary, input->columns);
	overview(out, summary);
	process_tree(out, summary, input->columns);
	text_files_written(out, summary);
	places(out, summary);
	violations(out, summary);
	gaps_and_limits(out, summary);
	failures(out, summary);
	text_files_read(out, summary);
	calls(out, summary);
	sources(out, input);
}
