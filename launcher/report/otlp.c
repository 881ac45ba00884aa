/* SPDX-License-Identifier: MIT */
/* A session as OpenTelemetry spans. */
#include "report/otlp.h"

#include <stdlib.h>
#include <string.h>

#include "report/json_text.h"
#include "version.h"

#define SPANS_MAX 256 /* in one request */
#define KIND_INTERNAL 1
#define STATUS_ERROR 2

struct writer {
	const struct summary *summary;
	const struct summary_session *session;
	struct otlp_context context;
	json_t *spans;   /* of the request that is being filled */
	json_t **events; /* by process; NULL where there are none */
	json_t *session_events;
	otlp_sink *sink;
	void *data;
	bool good;
};

static void append(struct writer *writer, json_t *array, json_t *item)
{
	if (json_array_append_new(array, item) != 0)
		writer->good = false;
}

static void add_text(struct writer *writer, json_t *attributes, const char *key, const char *text)
{
	if (text[0] != '\0')
		append(writer, attributes, json_pack("{ss s{so}}", "key", key, "value", "stringValue", json_text(text)));
}

/* 64-bit numbers are strings in OTLP/JSON. */
static json_t *number(int64_t value)
{
	return json_sprintf("%lld", (long long)value);
}

static void add_number(struct writer *writer, json_t *attributes, const char *key, int64_t value)
{
	append(writer, attributes, json_pack("{ss s{so}}", "key", key, "value", "intValue", number(value)));
}

static void add_flag(struct writer *writer, json_t *attributes, const char *key, bool value)
{
	append(writer, attributes, json_pack("{ss s{sb}}", "key", key, "value", "boolValue", value));
}

static json_t *nanoseconds(int64_t microseconds)
{
	return json_sprintf("%lld000", (long long)(microseconds > 0 ? microseconds : 0));
}

static const char *basename_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* The request's spans, with who they are from. */
static json_t *request_of(struct writer *writer)
{
	json_t *resource = json_array();

	add_text(writer, resource, "service.name", "bridle");
	add_text(writer, resource, "service.version", BRIDLE_VERSION);
	return json_pack("{s[{s{so} s[{s{ss ss} so}]}]}", "resourceSpans", "resource", "attributes", resource,
			 "scopeSpans", "scope", "name", "bridle", "version", BRIDLE_VERSION, "spans", writer->spans);
}

static void flush_spans(struct writer *writer)
{
	json_t *request;
	char *text;

	if (json_array_size(writer->spans) == 0)
		return;
	request = request_of(writer);
	text = json_dumps(request, JSON_COMPACT);
	json_decref(request);
	writer->spans = json_array();
	if (text == NULL || !writer->sink(writer->data, text, strlen(text)))
		writer->good = false;
	free(text);
}

static void add_span(struct writer *writer, json_t *span)
{
	append(writer, writer->spans, span);
	if (json_array_size(writer->spans) >= SPANS_MAX)
		flush_spans(writer);
}

static json_t *event_of(struct writer *writer, const struct summary_violation *violation)
{
	json_t *attributes = json_array();

	add_text(writer, attributes, "bridle.rule", violation->rule);
	add_text(writer, attributes, "bridle.reason", violation->reason);
	add_text(writer, attributes, "bridle.call", violation->call);
	add_text(writer, attributes, "bridle.op", summary_op(violation->op));
	add_text(writer, attributes, "bridle.subject", violation->subject);
	add_flag(writer, attributes, "bridle.enforced", violation->enforced);
	add_number(writer, attributes, "bridle.count", (int64_t)violation->count);
	return json_pack("{so ss so}", "timeUnixNano", nanoseconds(violation->first), "name", "bridle.violation",
			 "attributes", attributes);
}

/* The process that had the pid at that time, or INDEX_NONE. */
static uint32_t process_of(const struct summary *summary, const struct summary_violation *violation)
{
	for (uint32_t at = summary->processes.count; at-- > 0;) {
		const struct process *process = &summary->processes.items[at];

		if (process->pid == violation->pid && process->begin <= violation->first &&
		    strcmp(process->session, violation->session) == 0)
			return at;
	}
	return INDEX_NONE;
}

static void sort_events(struct writer *writer)
{
	for (uint32_t i = 0; i < table_count(&writer->summary->violations); i++) {
		const struct summary_violation *violation = table_at(&writer->summary->violations, i);
		uint32_t process = process_of(writer->summary, violation);
		json_t **events = process == INDEX_NONE ? &writer->session_events : &writer->events[process];

		if (strcmp(violation->session, writer->session->id) != 0)
			continue;
		if (*events == NULL)
			*events = json_array();
		append(writer, *events, event_of(writer, violation));
	}
}

/* A process' id: the session's, moved on by the process' number. */
static void span_id(const struct writer *writer, uint32_t process, char id[OTLP_SPAN_SIZE])
{
	uint64_t session = strtoull(writer->context.span, NULL, 16);
	uint64_t value = session + 0x9e3779b97f4a7c15u * ((uint64_t)process + 1);

	snprintf(id, OTLP_SPAN_SIZE, "%016llx", (unsigned long long)(value ? value : 1));
}

static json_t *span_of(struct writer *writer, const char *id, const char *parent, json_t *name, int64_t begin,
		       int64_t end, json_t *attributes, json_t *events)
{
	json_t *span = json_pack("{ss ss so si so so so}", "traceId", writer->context.trace, "spanId", id, "name",
				 name, "kind", KIND_INTERNAL, "startTimeUnixNano", nanoseconds(begin),
				 "endTimeUnixNano", nanoseconds(end), "attributes", attributes);

	if (parent[0] != '\0')
		json_object_set_new(span, "parentSpanId", json_string(parent));
	if (events != NULL)
		json_object_set_new(span, "events", events);
	return span;
}

static void set_error(json_t *span, const char *message)
{
	json_object_set_new(span, "status", json_pack("{si so}", "code", STATUS_ERROR, "message", json_text(message)));
}

static void process_span(struct writer *writer, uint32_t at)
{
	const struct process *process = &writer->summary->processes.items[at];
	const char *what = process->exe[0] ? process->exe : process->command;
	json_t *attributes = json_array(), *span;
	char id[OTLP_SPAN_SIZE], parent[OTLP_SPAN_SIZE];

	span_id(writer, at, id);
	if (process->parent == INDEX_NONE)
		snprintf(parent, sizeof(parent), "%s", writer->context.span);
	else
		span_id(writer, process->parent, parent);
	add_text(writer, attributes, "process.executable.path", process->exe);
	add_text(writer, attributes, "process.executable.name", basename_of(process->exe));
	add_text(writer, attributes, "process.command_line", process->command);
	if (process->pid != 0) {
		add_number(writer, attributes, "process.pid", process->pid);
		add_number(writer, attributes, "process.parent_pid", process->ppid);
	}
	add_number(writer, attributes, "bridle.calls", (int64_t)process->calls);
	if (process->stopped)
		add_text(writer, attributes, "error.type", process->refused);
	else if (process->failed[0] != '\0')
		add_text(writer, attributes, "error.type", process->failed);
	span = span_of(writer, id, parent, json_text(what[0] ? basename_of(what) : "process"), process->begin,
		       process->end, attributes, writer->events[at]);
	writer->events[at] = NULL;
	if (process->stopped)
		set_error(span, "refused by the policy");
	else if (process->failed[0] != '\0')
		set_error(span, "could not be started");
	add_span(writer, span);
}

/* What the session ran: its command's first word, else the first process. */
static void tool_name(const struct writer *writer, char *name, size_t size)
{
	const struct processes *processes = &writer->summary->processes;
	const char *command = writer->session->command;

	for (uint32_t at = processes->first; command[0] == '\0' && at != INDEX_NONE; at = processes->items[at].next)
		if (strcmp(processes->items[at].session, writer->session->id) == 0)
			command = processes->items[at].command[0] ? processes->items[at].command : processes->items[at].exe;
	snprintf(name, size, "%.*s", (int)strcspn(command, " "), command);
	memmove(name, basename_of(name), strlen(basename_of(name)) + 1);
	if (name[0] == '\0')
		snprintf(name, size, "session");
}

static void session_error(struct writer *writer, json_t *attributes, json_t *span)
{
	const struct summary_session *session = writer->session;
	char type[64];

	if (session->exit_code == EVENT_NO_EXIT || session->exit_code == 0)
		return;
	if (session->exit_code == 124)
		snprintf(type, sizeof(type), "limit.time");
	else if (session->exit_code == 126)
		snprintf(type, sizeof(type), "denied");
	else
		snprintf(type, sizeof(type), "%lld", (long long)session->exit_code);
	add_text(writer, attributes, "error.type", type);
	set_error(span, type);
}

static void session_span(struct writer *writer)
{
	const struct summary_session *session = writer->session;
	json_t *attributes = json_array(), *span;
	char name[128], title[160];

	tool_name(writer, name, sizeof(name));
	snprintf(title, sizeof(title), "execute_tool %s", name);
	add_text(writer, attributes, "gen_ai.operation.name", "execute_tool");
	add_text(writer, attributes, "gen_ai.tool.name", name);
	add_text(writer, attributes, "gen_ai.tool.type", "extension");
	add_text(writer, attributes, "process.command_line", session->command);
	add_text(writer, attributes, "process.working_directory", session->root);
	if (session->exit_code != EVENT_NO_EXIT)
		add_number(writer, attributes, "process.exit.code", session->exit_code);
	add_text(writer, attributes, "bridle.session", session->id);
	add_text(writer, attributes, "bridle.mode", session->mode);
	add_text(writer, attributes, "bridle.profile", session->profile);
	if (session->denied >= 0)
		add_number(writer, attributes, "bridle.denied", session->denied);
	span = span_of(writer, writer->context.span, writer->context.parent, json_text(title), session->begin,
		       session->end, attributes, writer->session_events);
	writer->session_events = NULL;
	session_error(writer, attributes, span);
	add_span(writer, span);
}

static void session_spans(struct writer *writer)
{
	const struct processes *processes = &writer->summary->processes;

	sort_events(writer);
	session_span(writer);
	for (uint32_t at = 0; at < processes->count; at++)
		if (strcmp(processes->items[at].session, writer->session->id) == 0)
			process_span(writer, at);
	flush_spans(writer);
}

bool otlp_write(const struct summary *summary, const char *traceparent, otlp_sink *sink, void *data)
{
	struct writer writer = {.summary = summary, .sink = sink, .data = data, .good = true};

	writer.events = calloc(summary->processes.count + 1, sizeof(*writer.events));
	writer.spans = json_array();
	for (uint32_t i = 0; writer.events != NULL && writer.good && i < table_count(&summary->sessions); i++) {
		writer.session = table_at(&summary->sessions, i);
		writer.context = otlp_context_of(writer.session->id, traceparent);
		session_spans(&writer);
	}
	json_decref(writer.spans);
	free(writer.events);
	return writer.good && writer.events != NULL;
}
