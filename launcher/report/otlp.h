/* SPDX-License-Identifier: MIT */
/*
 * A session as an OpenTelemetry trace, OTLP/JSON: a span `execute_tool NAME` for the session with the attributes of the GenAI
 * conventions, a child span for each process, a span event for each violation. Lines of JSON, each a whole
 * ExportTraceServiceRequest, as OTLP files and the /v1/traces endpoint take them.
 */
#ifndef BRIDLE_OTLP_H
#define BRIDLE_OTLP_H

#include <stdbool.h>
#include <stdio.h>

#include "failure.h"
#include "report/summary.h"

#define OTLP_TRACE_SIZE 33 /* hex digits and a NUL */
#define OTLP_SPAN_SIZE 17
#define OTLP_HEADER_SIZE 56 /* a traceparent, with its NUL */

/* Where a session's spans belong. */
struct otlp_context {
	char trace[OTLP_TRACE_SIZE];
	char span[OTLP_SPAN_SIZE];   /* of the session */
	char parent[OTLP_SPAN_SIZE]; /* "" when there is none */
	bool sampled;
};

/*
 * The context of a session: of the trace that `traceparent` (W3C; NULL or malformed: none) names, else of a trace of its own.
 * The same session id gives the same ids. Pure.
 */
struct otlp_context otlp_context_of(const char *session, const char *traceparent);

/* The traceparent that the session's own processes get. Pure. */
void otlp_header(const struct otlp_context *context, char header[OTLP_HEADER_SIZE]);

/*
 * Takes each request: one line of JSON without its end, NUL-terminated. False stops.
 */
typedef bool otlp_sink(void *data, const char *request, size_t length);

/* All sessions of a finished summary. traceparent as above. False: out of memory, or the sink said so. */
bool otlp_write(const struct summary *summary, const char *traceparent, otlp_sink *sink, void *data);

/*
 * Writes to `target`: a file, to which lines are appended (made with mode 0600), or a http:// or https:// address, to whose
 * path (/v1/traces when it has none) they are posted through libcurl, which is loaded only then. At most some seconds pass.
 * False with the reason in failure.
 */
bool otlp_export(const char *target, const struct summary *summary, const char *traceparent,
		 struct failure *failure);

#endif
