/* SPDX-License-Identifier: MIT */
/* bridle trace: a command that nothing is refused to, with every call shown and summed up. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "report/format.h"
#include "report/live.h"
#include "report/screen.h"
#include "report/spans.h"
#include "run/run.h"
#include "say.h"
#include "usage.h"

struct trace {
	const struct options *options;
	struct summary *summary;
	char *traceparent; /* ours: the session replaces it for what runs inside */
	struct live live;
	struct screen screen;
	FILE *out; /* by way of the screen to stderr */
};

/* By /proc, as long as the process is there. */
static int64_t parent_of(int64_t pid)
{
	char path[64], text[512];
	const char *behind;
	long long parent = 0;
	ssize_t got;
	int file;

	snprintf(path, sizeof(path), "/proc/%lld/stat", (long long)pid);
	file = open(path, O_RDONLY | O_CLOEXEC);
	got = file < 0 ? -1 : read(file, text, sizeof(text) - 1);
	if (file >= 0)
		close(file);
	if (got <= 0)
		return 0;
	text[got] = '\0';
	behind = strrchr(text, ')'); /* the name before it may hold anything */
	return behind != NULL && sscanf(behind + 1, " %*c %lld", &parent) == 1 ? parent : 0;
}

static void see(void *data, const struct event *event, const char *line, size_t length)
{
	struct trace *trace = data;
	uint32_t process = summary_take(trace->summary, event);

	if (trace->options->quiet)
		return;
	if (trace->live.terminal && !trace->options->json)
		trace->live.columns = live_columns(STDERR_FILENO);
	if (!trace->options->json)
		live_take(&trace->live, event, process);
	else if (live_shows(&trace->live, event))
		fwrite(line, 1, length, trace->out);
}

static void finish(void *data)
{
	struct trace *trace = data;
	struct format_input input = {.summary = trace->summary, .columns = trace->live.columns};

	live_flush(&trace->live);
	summary_finish(trace->summary);
	if (!trace->options->json) {
		fputs(trace->options->quiet ? "" : "\n", trace->out);
		format_text(trace->out, &input);
	}
	fflush(trace->out);
	if (trace->screen.missed != 0)
		say("%llu lines were not shown, as nobody read them; --report FILE keeps them all",
		    (unsigned long long)trace->screen.missed);
	if (trace->options->otlp)
		spans_export(trace->options->otlp, trace->summary, trace->traceparent);
}

/* What is shown is on the trace's own command line, not on what the command is given: its output stays its own. */
static int run(struct trace *trace, const struct live_filter *filter)
{
	struct options quiet = *trace->options;
	struct run_watch watch = {.trace = true, .see = see, .finish = finish, .data = trace};
	bool terminal = isatty(STDERR_FILENO);
	int status;

	trace->out = screen_open(&trace->screen, STDERR_FILENO, terminal);
	if (trace->summary == NULL || trace->out == NULL)
		return STATUS_FAILED;
	trace->traceparent = getenv("TRACEPARENT") ? strdup(getenv("TRACEPARENT")) : NULL;
	trace->summary->processes.parent_of = parent_of;
	quiet.json = false;
	live_open(&trace->live, trace->out, trace->summary, filter, terminal, live_wants_colour(STDERR_FILENO));
	status = run_session(&quiet, &watch);
	fclose(trace->out);
	summary_free(trace->summary);
	free(trace->traceparent);
	return status;
}

/* Its state is too big for a small stack. */
static int run_new(const struct options *options, const struct live_filter *filter)
{
	struct trace *trace = calloc(1, sizeof(*trace));
	int status = STATUS_FAILED;

	if (trace != NULL) {
		trace->options = options;
		trace->summary = summary_new();
		status = run(trace, filter);
	}
	free(trace);
	return status;
}

int command_trace(int argc, char **argv)
{
	struct options options;
	struct live_filter filter = {0};
	struct failure failure;
	bool parsed = options_parse(argc, argv, &options, &failure);
	int status;

	if (parsed && options.only != NULL)
		parsed = live_filter_only(options.only, &filter.only, &failure);
	filter.program = options.program;
	filter.path = options.path;
	if (!usage_answer("trace", &options, parsed, &failure, &status))
		status = run_new(&options, &filter);
	options_free(&options);
	return status;
}
