/* SPDX-License-Identifier: MIT */
/* A summary as one JSON document. Its shape is a contract: examples/report.schema.json. */
#include <stdlib.h>

#include "report/format.h"
#include "report/json_text.h"

#define DOCUMENT_VERSION 1
#define FOLDS_MAX 64

/* Appends to an array; jansson takes NULL for "out of memory" and says so here. */
static void append(json_t *array, json_t *item, bool *good)
{
	if (json_array_append_new(array, item) != 0)
		*good = false;
}

static json_t *sessions(const struct summary *summary, bool *good)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < table_count(&summary->sessions); i++) {
		const struct summary_session *session = table_at(&summary->sessions, i);
		bool closed = session->checked >= 0;

		append(array,
		       json_pack("{so so so so so so so so so so so so so}", "id",
				 json_text(session->id), "command", json_text_or_null(session->command),
				 "mode", json_text_or_null(session->mode), "profile",
				 json_text_or_null(session->profile), "root",
				 json_text_or_null(session->root), "version",
				 json_text_or_null(session->version), "begin",
				 json_time(session->begin), "end", json_time(session->end), "lines",
				 json_count(session->lines), "checked",
				 closed ? json_integer(session->checked) : json_null(), "denied",
				 session->denied >= 0 ? json_integer(session->denied) : json_null(),
				 "lost", session->lost >= 0 ? json_integer(session->lost) : json_null(),
				 "exit_code",
				 session->exit_code != EVENT_NO_EXIT ? json_integer(session->exit_code)
								     : json_null()),
		       good);
	}
	return array;
}

static json_t *processes(const struct summary *summary, bool *good)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < summary->processes.count; i++) {
		const struct process *process = &summary->processes.items[i];

		append(array,
		       json_pack("{sI so so so so so so so so sb so so so so so sI}", "id",
				 (json_int_t)i, "parent",
				 process->parent != INDEX_NONE ? json_integer(process->parent)
							       : json_null(),
				 "session", json_text(process->session), "pid",
				 process->pid ? json_integer(process->pid) : json_null(), "exe",
				 json_text_or_null(process->exe), "command",
				 json_text_or_null(process->command), "earlier",
				 json_text_or_null(process->earlier), "rule",
				 json_text_or_null(process->refused), "failed",
				 json_text_or_null(process->failed), "refused", process->stopped,
				 "begin", json_time(process->begin), "end", json_time(process->end),
				 "duration_ms", json_integer((process->end - process->begin) / 1000),
				 "calls", json_count(process->calls), "denied",
				 json_count(process->denied), "more_processes",
				 (json_int_t)process->folded),
		       good);
	}
	return array;
}

/* What was asked of a file by calls of which nobody knows how they ended. */
static json_t *asked_of(uint32_t marks, bool *good)
{
	static const struct {
		uint32_t mark;
		const char *word;
	} asked[] = {{PATH_ASKED_TO_CREATE, "create"}, {PATH_ASKED_TO_WRITE, "write"}, {PATH_ASKED_TO_REMOVE, "remove"}};
	json_t *array = json_array();

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
		if (marks & asked[i].mark)
			append(array, json_string(asked[i].word), good);
	return array;
}

static json_t *files_written(const struct summary *summary, bool *good)
{
	json_t *array = json_array();
	struct path_fold *folds;
	size_t count = paths_list(&summary->paths, PATH_CHANGES, SIZE_MAX, &folds);
	char name[INTERN_TEXT_MAX];

	for (size_t i = 0; i < count; i++) {
		uint32_t marks = summary->paths.nodes[folds[i].node].marks;

		paths_name(&summary->paths, folds[i].node, name, sizeof(name));
		append(array,
		       json_pack("{so sb sb sb sb so so}", "path", json_text(name), "created",
				 (marks & PATH_CREATED) != 0, "written", (marks & PATH_WRITTEN) != 0,
				 "removed", (marks & PATH_REMOVED) != 0, "gone", (marks & PATH_GONE) != 0, "asked",
				 asked_of(marks, good), "calls", json_count(folds[i].calls)),
		       good);
	}
	free(folds);
	return array;
}

static json_t *trees(const struct summary *summary, uint32_t marks, bool *good)
{
	json_t *array = json_array();
	struct path_fold *folds;
	size_t count = paths_fold(&summary->paths, marks, FOLDS_MAX, &folds);
	char name[INTERN_TEXT_MAX];

	for (size_t i = 0; i < count; i++) {
		paths_name(&summary->paths, folds[i].node, name, sizeof(name));
		append(array,
		       json_pack("{so so so}", "path", json_text(name), "files",
				 json_count(folds[i].files), "calls", json_count(folds[i].calls)),
		       good);
	}
	free(folds);
	return array;
}

static json_t *trees_read(const struct summary *summary, bool *good)
{
	return trees(summary, PATH_READ, good);
}

static json_t *trees_missing(const struct summary *summary, bool *good)
{
	return trees(summary, PATH_MISSING, good);
}

static json_t *failures(const struct summary *summary, bool *good)
{
	json_t *array = json_array();
	uint32_t *order, count = summary_failures(summary, &order);

	for (uint32_t i = 0; i < count; i++) {
		const struct summary_failure *failure = table_at(&summary->failures, order[i]);

		append(array,
		       json_pack("{so ss so so so so so}", "call", json_text(failure->call), "op",
				 summary_op(failure->op), "subject", json_text(failure->subject), "target",
				 json_text_or_null(failure->target), "exe", json_text_or_null(failure->exe), "errno",
				 json_text(failure->error), "count", json_count(failure->count)),
		       good);
	}
	free(order);
	return array;
}

static json_t *programs(const struct summary *summary, bool *good)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < table_count(&summary->programs); i++) {
		const struct summary_program *program = table_at(&summary->programs, i);

		append(array,
		       json_pack("{so so so so so}", "path", json_text(program->path), "name",
				 json_text(program->name), "runs", json_count(program->runs), "denied",
				 json_count(program->denied), "failed", json_count(program->failed)),
		       good);
	}
	return array;
}

static json_t *places(const struct summary *summary, bool *good)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < table_count(&summary->places); i++) {
		const struct summary_place *place = table_at(&summary->places, i);

		append(array,
		       json_pack("{ss so so so so so so so so}", "op", summary_op(place->op), "host",
				 json_text_or_null(place->host), "addr",
				 json_text_or_null(place->addr), "family",
				 json_text_or_null(place->family), "port",
				 place->port ? json_integer(place->port) : json_null(), "allowed",
				 json_count(place->allowed), "denied", json_count(place->denied), "failed",
				 json_count(place->failed), "errno", json_text_or_null(place->error)),
		       good);
	}
	return array;
}

static json_t *violations(const struct summary *summary, bool *good)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < table_count(&summary->violations); i++) {
		const struct summary_violation *violation = table_at(&summary->violations, i);

		append(array,
		       json_pack("{so so ss so so so so so so sI sb so so so}", "rule",
				 json_text(violation->rule), "reason",
				 json_text_or_null(violation->reason), "op",
				 summary_op(violation->op), "call",
				 json_text_or_null(violation->call), "subject",
				 json_text(violation->subject), "target",
				 json_text_or_null(violation->target), "exe",
				 json_text_or_null(violation->exe), "errno",
				 json_text_or_null(violation->error), "session",
				 json_text(violation->session), "pid", (json_int_t)violation->pid,
				 "enforced", violation->enforced, "first",
				 json_time(violation->first), "last", json_time(violation->last),
				 "count", json_count(violation->count)),
		       good);
	}
	return array;
}

static json_t *rules(const struct summary *summary, bool *good)
{
	json_t *object = json_object();

	for (uint32_t i = 0; i < table_count(&summary->rules); i++) {
		const struct summary_rule *rule = table_at(&summary->rules, i);

		if (json_object_set_new(object, rule->rule, json_count(rule->count)) != 0)
			*good = false;
	}
	return object;
}

static json_t *gaps(const struct summary *summary, bool *good)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < table_count(&summary->gaps); i++) {
		const struct summary_gap *gap = table_at(&summary->gaps, i);

		append(array,
		       json_pack("{so so so so}", "rule", json_text_or_null(gap->rule), "subject",
				 json_text(gap->subject), "reason", json_text_or_null(gap->reason),
				 "count", json_count(gap->count)),
		       good);
	}
	return array;
}

static json_t *limits(const struct summary *summary, bool *good)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < table_count(&summary->limits); i++) {
		const struct summary_limit *limit = table_at(&summary->limits, i);

		append(array,
		       json_pack("{so so so}", "rule", json_text_or_null(limit->rule), "reason",
				 json_text_or_null(limit->reason), "count", json_count(limit->count)),
		       good);
	}
	return array;
}

static json_t *calls(const struct summary *summary, bool *good)
{
	json_t *ops = json_object(), *functions = json_array();

	for (int op = 0; op <= OP_COUNT; op++)
		if (summary->by_op[op][0] + summary->by_op[op][1] != 0 &&
		    json_object_set_new(ops, summary_op((enum op)op),
					json_pack("{so so so}", "allowed",
						  json_count(summary->by_op[op][0]), "denied",
						  json_count(summary->by_op[op][1]), "failed",
						  json_count(summary->failed_by_op[op]))) !=
			    0)
			*good = false;
	for (uint32_t i = 0; i < table_count(&summary->calls); i++) {
		const struct summary_call *call = table_at(&summary->calls, i);

		append(functions,
		       json_pack("{so ss so so so}", "call", json_text(call->name), "op",
				 summary_op(call->op), "allowed", json_count(call->allowed), "denied",
				 json_count(call->denied), "failed", json_count(call->failed)),
		       good);
	}
	return json_pack("{so so so so so so so so}", "allowed", json_count(summary->allowed), "denied",
			 json_count(summary->denied), "enforced", json_count(summary->enforced), "failed",
			 json_count(summary->failed), "missed", json_count(summary->missed), "end_unknown",
			 json_count(summary->endless),
			 "by_op", ops, "by_function", functions);
}

static json_t *sources(const struct format_input *input, bool *good)
{
	json_t *array = json_array();

	for (size_t i = 0; i < input->source_count; i++) {
		const struct format_source *source = &input->sources[i];

		append(array,
		       json_pack("{so so so so}", "name", json_text(source->name), "lines",
				 json_count(source->lines), "good", json_count(source->good),
				 "skipped", json_count(source->skipped)),
		       good);
	}
	return array;
}

/* The document is written member by member, so that no more than one of them is in memory. */
struct writer {
	FILE *out;
	bool good, begun;
};

static void set(struct writer *writer, const char *key, json_t *value)
{
	fprintf(writer->out, "%s  \"%s\": ", writer->begun ? ",\n" : "{\n", key);
	writer->begun = true;
	if (value == NULL || !json_write(writer->out, value, 2))
		writer->good = false;
	json_decref(value);
}

static void set_part(struct writer *writer, const char *key, json_t *(*make)(const struct summary *, bool *),
		     const struct summary *summary)
{
	set(writer, key, make(summary, &writer->good));
}

bool format_json(FILE *out, const struct format_input *input)
{
	const struct summary *summary = input->summary;
	struct writer writer = {.out = out, .good = true};

	set(&writer, "format", json_string("bridle.report"));
	set(&writer, "version", json_integer(DOCUMENT_VERSION));
	set(&writer, "begin", json_time(summary->begin));
	set(&writer, "end", json_time(summary->end));
	set(&writer, "lines", json_count(summary->lines));
	set(&writer, "not_kept", json_count(summary->unkept));
	set(&writer, "sources", sources(input, &writer.good));
	set_part(&writer, "calls", calls, summary);
	set_part(&writer, "sessions", sessions, summary);
	set_part(&writer, "processes", processes, summary);
	set_part(&writer, "programs", programs, summary);
	set_part(&writer, "files_written", files_written, summary);
	set_part(&writer, "trees_read", trees_read, summary);
	set_part(&writer, "trees_missing", trees_missing, summary);
	set_part(&writer, "destinations", places, summary);
	set_part(&writer, "violations_by_rule", rules, summary);
	set_part(&writer, "violations", violations, summary);
	set_part(&writer, "failures", failures, summary);
	set_part(&writer, "coverage_gaps", gaps, summary);
	set_part(&writer, "limits", limits, summary);
	fputs("\n}\n", out);
	return writer.good;
}
