/* SPDX-License-Identifier: MIT */
/* bridle trace: a command that nothing is refused to, with every call shown and summed up. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "forward/frequent.h"
#include "forward/readable.h"
#include "run/run.h"
#include "usage.h"

#define TOP 10

struct summary {
	bool quiet;
	uint64_t calls, denied;
	struct frequent kinds, rules, paths, programs;
};

/* One line of the report as one line on stderr; the session's own lines are no calls. */
static void see(void *data, const json_t *line)
{
	const char *verdict = json_string_value(json_object_get(line, "verdict"));
	const char *op = json_string_value(json_object_get(line, "op"));
	const char *rule = json_string_value(json_object_get(line, "rule"));
	struct summary *summary = data;
	char text[1024];

	if (!op || !strcmp(op, "session"))
		return;
	if (!summary->quiet) {
		readable_call(line, text, sizeof(text));
		fprintf(stderr, "%s\n", text);
	}
	summary->calls++;
	frequent_add(&summary->kinds, op);
	if (!strcmp(verdict, "deny")) {
		summary->denied++;
		frequent_add(&summary->rules, rule ? rule : "?");
	}
	frequent_add(&summary->programs, readable_program(line));
	if (strcmp(op, "exec")) {
		readable_subject(line, text, sizeof(text));
		frequent_add(&summary->paths, text);
	}
}

static void print_part(const char *title, struct frequent *part, size_t most)
{
	frequent_sort(part);
	if (part->used)
		fprintf(stderr, "\n%s\n", title);
	for (size_t i = 0; i < part->used && i < most; i++)
		fprintf(stderr, "%10llu  %s\n", (unsigned long long)part->entries[i].count, part->entries[i].word);
	if (part->used > most)
		fprintf(stderr, "%10s  and %zu more\n", "", part->used - most);
}

static void print_summary(struct summary *summary)
{
	fprintf(stderr, "\n%llu call%s judged, %llu would be denied\n", (unsigned long long)summary->calls,
		summary->calls == 1 ? "" : "s", (unsigned long long)summary->denied);
	print_part("     calls  kind", &summary->kinds, FREQUENT_MAX);
	print_part("    denied  rule", &summary->rules, FREQUENT_MAX);
	print_part("     calls  path or address", &summary->paths, TOP);
	print_part("     calls  program", &summary->programs, TOP);
	frequent_free(&summary->kinds);
	frequent_free(&summary->rules);
	frequent_free(&summary->paths);
	frequent_free(&summary->programs);
}

int command_trace(int argc, char **argv)
{
	static struct summary summary;
	struct run_trace trace = {.see = see, .data = &summary};
	struct options options;
	struct failure failure;
	bool parsed = options_parse(argc, argv, &options, &failure);
	int status;

	if (!usage_answer("trace", &options, parsed, &failure, &status)) {
		summary.quiet = options.quiet;
		setvbuf(stderr, NULL, _IOLBF, 4096);
		status = run_session(&options, &trace);
		if (status != STATUS_FAILED || summary.calls)
			print_summary(&summary);
	}
	options_free(&options);
	return status;
}
