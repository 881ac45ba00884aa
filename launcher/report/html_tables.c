/* SPDX-License-Identifier: MIT */
/* The tables of the HTML page. */
#include <stdlib.h>

#include "report/html.h"
#include "report/visible.h"

#define ROWS_MAX 1000
#define FOLDS_MAX 40
#define LIST_MAX 40 /* a longer list of files is summed up first, in about so many rows: */
#define TREES_MAX 20

/* A column's name that starts with # is one of numbers. */
static void table_begin(FILE *out, const char *caption, const char *const *columns)
{
	fprintf(out, "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table>\n"
		     "<caption>%s</caption>\n<thead><tr>",
		caption, caption);
	for (; *columns != NULL; columns++)
		fprintf(out, "<th scope=\"col\"%s>%s</th>",
			**columns == '#' ? " class=\"number\"" : "",
			*columns + (**columns == '#'));
	fputs("</tr></thead>\n", out);
}

static void table_end(FILE *out, uint64_t rows)
{
	fputs("</tbody></table></div>\n", out);
	if (rows > ROWS_MAX) {
		fputs("<p>... and ", out);
		html_count(out, rows - ROWS_MAX, "more row", "more rows");
		fputs(".</p>\n", out);
	}
}

static const char *denied_column(const struct summary *summary)
{
	return summary->enforced == summary->denied ? "#Denied" : "#Against the policy";
}

static void cell_code(FILE *out, const char *text)
{
	fputs("<td><code>", out);
	visible_html(out, text);
	fputs("</code></td>", out);
}

static void cell_number(FILE *out, uint64_t number)
{
	fputs("<td class=\"number\">", out);
	html_count(out, number, NULL, NULL);
	fputs("</td>", out);
}

static void violation_row(FILE *out, const struct summary *summary,
			  const struct summary_violation *violation)
{
	fputs("<tr data-rule=\"", out);
	visible_html(out, violation->rule);
	fputs("\"><td class=\"rule\">", out);
	visible_html(out, violation->rule);
	if (!violation->enforced)
		fputs("<br><span class=\"warn\">let through</span>", out);
	fputs("</td><td>", out);
	visible_html(out, violation->call[0] ? violation->call : summary_op(violation->op));
	fputs(" <code>", out);
	visible_html(out, violation->subject);
	fputs("</code>", out);
	if (violation->target[0] != '\0' && violation->target != violation->subject) {
		fputs(" <span class=\"soft\">(<code>", out);
		visible_html(out, violation->target);
		fputs("</code>)</span>", out);
	}
	if (violation->reason[0] != '\0') {
		fputs("<br><span class=\"soft\">", out);
		visible_html(out, violation->reason);
		fputs("</span>", out);
	}
	fputs("</td>", out);
	fputs("<td class=\"name\"><code>", out);
	visible_html(out, html_program(violation->exe));
	fputs("</code></td>", out);
	cell_number(out, violation->count);
	fputs("<td class=\"number\">+", out);
	html_duration(out, violation->first > summary->begin ? violation->first - summary->begin : 0);
	fputs("</td></tr>\n", out);
}

static void violation_filter(FILE *out, const struct summary *summary)
{
	fputs("<form class=\"filter\" data-script hidden>\n"
	      "<label>Contains<input id=\"filter-text\" type=\"search\" autocomplete=\"off\"></label>\n"
	      "<label>Rule<select id=\"filter-rule\"><option value=\"\">all</option>",
	      out);
	for (uint32_t i = 0; i < table_count(&summary->rules); i++) {
		const struct summary_rule *rule = table_at(&summary->rules, i);

		fputs("<option value=\"", out);
		visible_html(out, rule->rule);
		fputs("\">", out);
		visible_html(out, rule->rule);
		fputs(" (", out);
		html_count(out, rule->count, NULL, NULL);
		fputs(")</option>", out);
	}
	fputs("</select></label>\n<span id=\"filter-said\" role=\"status\"></span>\n</form>\n", out);
}

void html_violations(FILE *out, const struct summary *summary)
{
	static const char *const columns[] = {"Rule", "Call", "Program", "#Times", "#First at", NULL};
	bool refused = summary->denied == summary->enforced;
	uint32_t *order;
	uint32_t count = summary_violations(summary, &order);

	html_section(out, "violations", refused ? "Denied" : "Against the policy");
	if (summary->denied == 0) {
		fputs("<p class=\"good\">Nothing that was seen was against the policy.</p>\n", out);
		html_section_end(out);
		free(order);
		return;
	}
	violation_filter(out, summary);
	table_begin(out,
		    refused ? "Calls that the policy refused"
			    : "Calls that the policy speaks against; those let through are marked",
		    columns);
	fputs("<tbody id=\"violation-rows\">\n", out);
	for (uint32_t i = 0; i < count && i < ROWS_MAX; i++)
		violation_row(out, summary, table_at(&summary->violations, order[i]));
	table_end(out, count);
	free(order);
	html_section_end(out);
}

static void fold_name(FILE *out, const struct summary *summary, const struct path_fold *fold)
{
	char name[INTERN_TEXT_MAX];

	paths_name(&summary->paths, fold->node, name, sizeof(name));
	fputs("<td><code>", out);
	visible_html(out, name);
	fputs(fold->files > 1 && fold->node != 0 ? "/</code></td>" : "</code></td>", out);
}

static void fold_table(FILE *out, const struct summary *summary, const char *caption, const struct path_fold *folds,
		       size_t count)
{
	static const char *const columns[] = {"Where", "#Files", "#Times", NULL};

	table_begin(out, caption, columns);
	for (size_t i = 0; i < count; i++) {
		fputs(i == 0 ? "<tbody>\n<tr>" : "<tr>", out);
		fold_name(out, summary, &folds[i]);
		cell_number(out, folds[i].files);
		cell_number(out, folds[i].calls);
		fputs("</tr>\n", out);
	}
	table_end(out, 0);
}

/* Before a list that is too long to look at: where all of it is. */
static void trees_written(FILE *out, const struct summary *summary, uint32_t marks, const char *caption)
{
	struct path_fold *folds;
	size_t count = paths_fold(&summary->paths, marks, TREES_MAX, &folds);

	if (count != 0)
		fold_table(out, summary, caption, folds, count);
	free(folds);
}

static void cell_change(FILE *out, uint32_t marks)
{
	fprintf(out, "<td>%s%s%s%s", marks & PATH_CREATED ? "created " : "", marks & PATH_WRITTEN ? "written " : "",
		marks & PATH_REMOVED ? marks & PATH_GONE ? "<strong>removed</strong> " : "removed and made again " : "",
		marks & PATH_MORE ? "and more beneath " : "");
	if (marks & PATH_ASKED)
		fprintf(out, "<span class=\"soft\">asked to%s%s%s</span>", marks & PATH_ASKED_TO_CREATE ? " create" : "",
			marks & PATH_ASKED_TO_WRITE ? " write" : "", marks & PATH_ASKED_TO_REMOVE ? " remove" : "");
	fputs("</td>", out);
}

/* The files that carry one of these marks, each by itself. */
static void file_table(FILE *out, const struct summary *summary, uint32_t marks, const char *caption)
{
	static const char *const columns[] = {"File", "What happened", "#Calls", NULL};
	struct path_fold *folds;
	size_t count = paths_list(&summary->paths, marks, SIZE_MAX, &folds);

	if (count != 0)
		table_begin(out, caption, columns);
	for (size_t i = 0; i < count && i < ROWS_MAX; i++) {
		fputs(i == 0 ? "<tbody>\n<tr>" : "<tr>", out);
		fold_name(out, summary, &folds[i]);
		cell_change(out, summary->paths.nodes[folds[i].node].marks);
		cell_number(out, folds[i].calls);
		fputs("</tr>\n", out);
	}
	if (count != 0)
		table_end(out, count);
	free(folds);
}

/* What was there for a while is of less interest, and often much: behind a line that opens. */
static void files_temporary(FILE *out, const struct summary *summary)
{
	uint64_t count = html_files_of(summary, PATH_TEMPORARY);

	if (count == 0)
		return;
	fputs("<details><summary>", out);
	html_count(out, count, "temporary file", "temporary files");
	fputs(", created and removed again</summary>\n", out);
	if (count > LIST_MAX)
		trees_written(out, summary, PATH_TEMPORARY, "Where temporary files were");
	file_table(out, summary, PATH_TEMPORARY, "Temporary files");
	fputs("</details>\n", out);
}

static void files_written(FILE *out, const struct summary *summary)
{
	html_section(out, "written", "Files written");
	if (html_files_of(summary, PATH_CHANGES) == 0)
		fputs("<p>None.</p>\n", out);
	if (html_files_of(summary, PATH_LASTING | PATH_ASKED) > LIST_MAX) {
		trees_written(out, summary, PATH_LASTING, "Folders (ending in /) and single files that were changed");
		trees_written(out, summary, PATH_ASKED, "Where files were asked to be changed");
	}
	file_table(out, summary, PATH_LASTING | PATH_ASKED, "Files that were created, changed or removed");
	files_temporary(out, summary);
	html_section_end(out);
}

static void files_read(FILE *out, const struct summary *summary)
{
	struct path_fold *folds;
	size_t count = paths_fold(&summary->paths, PATH_READ, FOLDS_MAX, &folds);

	html_section(out, "read", "Files read");
	if (count == 0)
		fputs("<p>None that was reported; reads are reported by <code>bridle trace</code>.</p>\n",
		      out);
	else
		fold_table(out, summary, "Folders (ending in /) and single files that were read", folds, count);
	free(folds);
	count = paths_fold(&summary->paths, PATH_MISSING, FOLDS_MAX, &folds);
	if (count != 0)
		fold_table(out, summary, "Looked for, and not there", folds, count);
	free(folds);
	html_section_end(out);
}

void html_files(FILE *out, const struct summary *summary)
{
	files_written(out, summary);
	files_read(out, summary);
}

void html_places(FILE *out, const struct summary *summary)
{
	const char *const columns[] = {"Call", "Name", "Address", "#Port", "#Allowed", denied_column(summary), "#Failed", NULL};
	uint32_t count = table_count(&summary->places);

	html_section(out, "destinations", "Destinations");
	if (count == 0)
		fputs("<p>No network call was seen.</p>\n", out);
	else
		table_begin(out, "Places that were called, listened at or looked up", columns);
	for (uint32_t i = 0; i < count && i < ROWS_MAX; i++) {
		const struct summary_place *place = table_at(&summary->places, i);

		fprintf(out, "%s<tr><td>%s</td>", i == 0 ? "<tbody>\n" : "", summary_op(place->op));
		cell_code(out, place->host == place->addr ? "" : place->host);
		cell_code(out, place->addr);
		fputs("<td class=\"number\">", out);
		if (place->port != 0)
			fprintf(out, "%lld", (long long)place->port);
		fputs("</td>", out);
		cell_number(out, place->allowed);
		cell_number(out, place->denied);
		fputs("<td class=\"number\">", out);
		html_count(out, place->failed, NULL, NULL);
		if (place->failed != 0) {
			fputs(" <span class=\"soft\">", out);
			visible_html(out, place->error);
			fputs("</span>", out);
		}
		fputs("</td></tr>\n", out);
	}
	if (count != 0)
		table_end(out, count);
	html_section_end(out);
}

void html_gaps(FILE *out, const struct summary *summary)
{
	static const char *const columns[] = {"Rule", "What", "Why", "#Times", NULL};
	uint32_t gaps = table_count(&summary->gaps), limits = table_count(&summary->limits);

	html_section(out, "uncovered", "Not covered, and limits reached");
	if (gaps + limits == 0)
		fputs("<p>Every program that was seen could be covered, and no limit was reached.</p>\n", out);
	else
		table_begin(out, "What the guard could not see, and limits that were reached", columns);
	for (uint32_t i = 0; i < gaps + limits; i++) {
		const struct summary_gap *gap = i < gaps ? table_at(&summary->gaps, i) : NULL;
		const struct summary_limit *limit =
			i < gaps ? NULL : table_at(&summary->limits, i - gaps);

		fprintf(out, "%s<tr><td class=\"rule\">", i == 0 ? "<tbody>\n" : "");
		visible_html(out, gap ? gap->rule : limit->rule);
		fputs("</td>", out);
		cell_code(out, gap ? gap->subject : "");
		fputs("<td>", out);
		visible_html(out, gap ? gap->reason : limit->reason);
		fputs("</td>", out);
		cell_number(out, gap ? gap->count : limit->count);
		fputs("</tr>\n", out);
	}
	if (gaps + limits != 0)
		table_end(out, 0);
	if (summary->endless != 0) {
		fputs("<p>How ", out);
		html_count(out, summary->endless, "call", "calls");
		fputs(" of programs like these ended is not known: what they asked for is listed as asked.</p>\n", out);
	}
	html_section_end(out);
}

void html_failures(FILE *out, const struct summary *summary)
{
	static const char *const columns[] = {"Call", "On", "Why", "Program", "#Times", NULL};
	uint32_t *order, count = summary_failures(summary, &order);

	html_section(out, "failed", "Failed by itself");
	if (count == 0)
		fputs("<p>No call that the policy lets through was seen to fail, but for files that are not there.</p>\n", out);
	else
		table_begin(out, "Calls that the policy lets through and that failed", columns);
	for (uint32_t i = 0; i < count && i < ROWS_MAX; i++) {
		const struct summary_failure *failure = table_at(&summary->failures, order[i]);

		fputs(i == 0 ? "<tbody>\n<tr><td>" : "<tr><td>", out);
		visible_html(out, failure->call[0] ? failure->call : summary_op(failure->op));
		fputs("</td>", out);
		cell_code(out, failure->subject);
		cell_code(out, failure->error);
		cell_code(out, html_program(failure->exe));
		cell_number(out, failure->count);
		fputs("</tr>\n", out);
	}
	if (count != 0)
		table_end(out, count);
	free(order);
	html_section_end(out);
}

void html_calls(FILE *out, const struct summary *summary)
{
	const char *const columns[] = {"Function", "Kind", "#Allowed", denied_column(summary), "#Failed", NULL};
	uint32_t count = table_count(&summary->calls);

	html_section(out, "calls", "Calls");
	table_begin(out, "Calls by function", columns);
	fputs("<tbody>\n", out);
	for (uint32_t i = 0; i < count && i < ROWS_MAX; i++) {
		const struct summary_call *call = table_at(&summary->calls, i);

		fputs("<tr>", out);
		cell_code(out, call->name);
		fprintf(out, "<td>%s</td>", summary_op(call->op));
		cell_number(out, call->allowed);
		cell_number(out, call->denied);
		cell_number(out, call->failed);
		fputs("</tr>\n", out);
	}
	table_end(out, count);
	html_section_end(out);
}
