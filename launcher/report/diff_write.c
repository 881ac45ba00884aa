/* SPDX-License-Identifier: MIT */
/* A comparison, for people and as JSON. */
#include "report/diff.h"
#include "report/json_text.h"
#include "report/visible.h"

#define DIFF_VERSION 1

static const void *item(const struct table *table, const struct diff_list *list, uint32_t i)
{
	return table_at(table, list->items[i]);
}

static void fold_text(FILE *out, const struct diff *diff, const struct path_fold *fold)
{
	char name[INTERN_TEXT_MAX];

	paths_name(&diff->after->paths, fold->node, name, sizeof(name));
	visible_put(out, name, 0);
	if (fold->files > 1)
		fprintf(out, "/ (%llu files)", (unsigned long long)fold->files);
	fputc('\n', out);
}

static void place_text(FILE *out, const struct summary_place *place)
{
	fprintf(out, "+ %-9s", summary_op(place->op));
	visible_put(out, place->host, 0);
	if (place->addr[0] != '\0') {
		fputs(place->host[0] ? " (" : "", out);
		visible_put(out, place->addr, 0);
		fputs(place->host[0] ? ")" : "", out);
	}
	if (place->port != 0)
		fprintf(out, " port %lld", (long long)place->port);
	fputc('\n', out);
}

void diff_text(FILE *out, const struct diff *diff)
{
	const struct summary *after = diff->after;

	for (uint32_t i = 0; i < diff->programs.count; i++) {
		const struct summary_program *program =
			item(&after->programs, &diff->programs, i);

		fputs(program->runs ? "+ program  " : "+ refused  ", out);
		visible_put(out, program->path, 0);
		fputc('\n', out);
	}
	for (size_t i = 0; i < diff->changed_count; i++) {
		fputs("+ changed  ", out);
		fold_text(out, diff, &diff->changed[i]);
	}
	for (size_t i = 0; i < diff->read_count; i++) {
		fputs("+ read     ", out);
		fold_text(out, diff, &diff->read[i]);
	}
	for (uint32_t i = 0; i < diff->places.count; i++)
		place_text(out, item(&after->places, &diff->places, i));
	for (uint32_t i = 0; i < diff->violations.count; i++) {
		const struct summary_violation *violation =
			item(&after->violations, &diff->violations, i);

		fputs("+ denied   ", out);
		visible_put(out, violation->rule, 0);
		fputs("  ", out);
		visible_put(out, violation->subject, 0);
		fputc('\n', out);
	}
	for (uint32_t i = 0; i < diff->gaps.count; i++) {
		const struct summary_gap *gap = item(&after->gaps, &diff->gaps, i);

		fputs("+ uncovered ", out);
		visible_put(out, gap->rule, 0);
		fputs("  ", out);
		visible_put(out, gap->subject, 0);
		fputc('\n', out);
	}
}

static json_t *folds_json(const struct diff *diff, const struct path_fold *folds, size_t count)
{
	json_t *array = json_array();
	char name[INTERN_TEXT_MAX];

	for (size_t i = 0; i < count; i++) {
		paths_name(&diff->after->paths, folds[i].node, name, sizeof(name));
		json_array_append_new(array, json_pack("{so so}", "path", json_text(name), "files",
						       json_count(folds[i].files)));
	}
	return array;
}

static json_t *programs_json(const struct diff *diff)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < diff->programs.count; i++) {
		const struct summary_program *program =
			item(&diff->after->programs, &diff->programs, i);

		json_array_append_new(array, json_pack("{so so so}", "path",
						       json_text(program->path), "runs",
						       json_count(program->runs), "denied",
						       json_count(program->denied)));
	}
	return array;
}

static json_t *places_json(const struct diff *diff)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < diff->places.count; i++) {
		const struct summary_place *place = item(&diff->after->places, &diff->places, i);

		json_array_append_new(
			array, json_pack("{ss so so so}", "op", summary_op(place->op), "host",
					 json_text_or_null(place->host), "addr",
					 json_text_or_null(place->addr), "port",
					 place->port ? json_integer(place->port) : json_null()));
	}
	return array;
}

static json_t *violations_json(const struct diff *diff)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < diff->violations.count; i++) {
		const struct summary_violation *violation =
			item(&diff->after->violations, &diff->violations, i);

		json_array_append_new(array, json_pack("{so ss so so so}", "rule",
						       json_text(violation->rule), "op",
						       summary_op(violation->op), "subject",
						       json_text(violation->subject), "exe",
						       json_text_or_null(violation->exe), "count",
						       json_count(violation->count)));
	}
	return array;
}

static json_t *gaps_json(const struct diff *diff)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < diff->gaps.count; i++) {
		const struct summary_gap *gap = item(&diff->after->gaps, &diff->gaps, i);

		json_array_append_new(array, json_pack("{so so so}", "rule", json_text(gap->rule),
						       "subject", json_text(gap->subject), "count",
						       json_count(gap->count)));
	}
	return array;
}

bool diff_json(FILE *out, const struct diff *diff)
{
	json_t *document = json_pack(
		"{ss si sb so so so so so so}", "format", "bridle.report.diff", "version",
		DIFF_VERSION, "new", !diff_is_empty(diff), "programs", programs_json(diff),
		"files_written", folds_json(diff, diff->changed, diff->changed_count), "trees_read",
		folds_json(diff, diff->read, diff->read_count), "destinations", places_json(diff),
		"violations", violations_json(diff), "coverage_gaps", gaps_json(diff));
	bool good = document != NULL && json_write(out, document, 0);

	json_decref(document);
	if (good)
		fputc('\n', out);
	return good;
}
