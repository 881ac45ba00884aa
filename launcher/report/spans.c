/* SPDX-License-Identifier: MIT */
/* The spans of a session that is running. */
#include "report/spans.h"

#include <stdlib.h>

#include "report/otlp.h"
#include "say.h"

struct spans {
	const char *target;
	struct summary *summary;
};

struct spans *spans_open(const char *target)
{
	struct spans *spans = calloc(1, sizeof(*spans));

	if (spans == NULL)
		return NULL;
	spans->target = target;
	spans->summary = summary_new();
	return spans;
}

void spans_take(struct spans *spans, const struct event *event)
{
	if (spans != NULL && spans->summary != NULL)
		summary_take(spans->summary, event);
}

void spans_export(const char *target, const struct summary *summary)
{
	struct failure failure;

	if (!otlp_export(target, summary, getenv("TRACEPARENT"), &failure))
		say("%s; the command was not affected", failure.text);
}

void spans_close(struct spans *spans)
{
	if (spans == NULL)
		return;
	if (spans->summary != NULL) {
		summary_finish(spans->summary);
		spans_export(spans->target, spans->summary);
	}
	summary_free(spans->summary);
	free(spans);
}
