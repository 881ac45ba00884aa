/* SPDX-License-Identifier: MIT */
/* The spans of a session that is running. */
#include "report/spans.h"

#include <stdlib.h>

#include "report/otlp.h"
#include "say.h"

struct spans {
	const char *target, *traceparent, *command;
	struct summary *summary;
};

struct spans *spans_open(const char *target, const char *traceparent, const char *command)
{
	struct spans *spans = calloc(1, sizeof(*spans));

	if (spans == NULL)
		return NULL;
	spans->target = target;
	spans->traceparent = traceparent;
	spans->command = command;
	spans->summary = summary_new();
	return spans;
}

void spans_take(struct spans *spans, const struct event *event)
{
	if (spans != NULL && spans->summary != NULL)
		summary_take(spans->summary, event);
}

void spans_export(const char *target, const struct summary *summary, const char *traceparent)
{
	struct failure failure;

	if (!otlp_export(target, summary, traceparent, &failure))
		say("%s; the command was not affected", failure.text);
}

/* Where only violations are reported no line tells what was run. */
static void name_sessions(struct spans *spans)
{
	for (uint32_t i = 0; i < table_count(&spans->summary->sessions); i++) {
		struct summary_session *session = table_at(&spans->summary->sessions, i);

		if (session->command[0] == '\0')
			session->command = intern_text(spans->summary->names, spans->command);
	}
}

void spans_close(struct spans *spans)
{
	if (spans == NULL)
		return;
	if (spans->summary != NULL) {
		summary_finish(spans->summary);
		name_sessions(spans);
		spans_export(spans->target, spans->summary, spans->traceparent);
	}
	summary_free(spans->summary);
	free(spans);
}
