/* SPDX-License-Identifier: MIT */
/* bridle run: a command under the policy. */
#include "run/run.h"

#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "report/spans.h"
#include "usage.h"

static void see(void *data, const struct event *event, const char *line, size_t length)
{
	(void)line;
	(void)length;
	spans_take(data, event);
}

/* With --otlp the report is summed up as it comes; nothing else changes. */
static int run_with_spans(const struct options *options)
{
	const char *outer = getenv("TRACEPARENT");
	char *traceparent = outer ? strdup(outer) : NULL; /* the session replaces it for what runs inside */
	struct spans *spans = spans_open(options->otlp, traceparent, options->shell ? "sh" : options->argv[0]);
	struct run_watch watch = {.see = see, .data = spans};
	int status = run_session(options, &watch);

	spans_close(spans);
	free(traceparent);
	return status;
}

int command_run(int argc, char **argv)
{
	struct options options;
	struct failure failure;
	bool parsed = options_parse(argc, argv, &options, &failure);
	int status;

	if (!usage_answer("run", &options, parsed, &failure, &status))
		status = options.otlp ? run_with_spans(&options) : run_session(&options, NULL);
	options_free(&options);
	return status;
}
