/* SPDX-License-Identifier: MIT */
/* The process tree and the timeline of the HTML page. */
#include "report/html.h"
#include "report/visible.h"

#define NESTING_MAX 64 /* lists in lists; deeper processes stand on the last level */
#define OPEN_MAX 200   /* a bigger tree is folded below its third level */
#define TREE_MAX 2000
#define BARS_MAX 60
#define CHART_WIDTH 1000
#define NAMES_WIDTH 260
#define ROW_HEIGHT 20

static const char *title_of(const struct process *process)
{
	if (process->earlier[0] != '\0')
		return process->earlier;
	return process->command[0] ? process->command : process->exe[0] ? process->exe
									: "(unknown)";
}

static void life(FILE *out, const struct process *process)
{
	fputs("<span class=\"soft\">", out);
	html_duration(out, process->end - process->begin);
	fputs(", ", out);
	html_count(out, process->calls, "call", "calls");
	fprintf(out, ", pid %lld", (long long)process->pid);
	if (process->command[0] == '\0' && process->parent != INDEX_NONE)
		fputs(", a fork", out);
	fputs("</span>", out);
	if (process->earlier[0] != '\0') {
		fputs(" <span class=\"soft\">became <code>", out);
		visible_html(out, process->command);
		fputs("</code></span>", out);
	}
}

/* A start or calls that were denied, or would have been. */
static void refusals(FILE *out, const struct process *process, bool refused)
{
	if (process->refused[0] != '\0') {
		fputs(" <strong class=\"warn\">would be denied: ", out);
		visible_html(out, process->refused);
		fputs("</strong>", out);
	}
	if (process->denied != 0) {
		fputs(" <strong class=\"bad\">", out);
		html_count(out, process->denied, refused ? "call denied" : "call against the policy",
			   refused ? "calls denied" : "calls against the policy");
		fputs("</strong>", out);
	}
}

static void row(FILE *out, const struct process *process, bool refused)
{
	fputs("<code>", out);
	visible_html(out, title_of(process));
	fputs("</code> ", out);
	if (process->stopped) {
		fputs("<strong class=\"bad\">denied: ", out);
		visible_html(out, process->refused);
		fputs("</strong>", out);
		return;
	}
	if (process->failed[0] != '\0') {
		fputs("<strong class=\"warn\">could not start: ", out);
		visible_html(out, process->failed);
		fputs("</strong> ", out);
	}
	if (!process->ran) {
		if (process->failed[0] == '\0')
			fputs("<span class=\"soft\">started, made no call that was seen</span>", out);
		return;
	}
	life(out, process);
	refusals(out, process, refused);
	if (process->folded != 0) {
		fputs(" <span class=\"soft\">and ", out);
		html_count(out, process->folded, "more process", "more processes");
		fputs("</span>", out);
	}
}

static void close_levels(FILE *out, int *level, int target)
{
	for (; *level > target; --*level)
		fputs("</ul></details></li>\n", out);
}

void html_tree(FILE *out, const struct summary *summary)
{
	const struct processes *processes = &summary->processes;
	uint32_t at = INDEX_NONE, drawn = 0;
	int depth = 0, level = 0;

	html_section(out, "processes", "Processes");
	if (processes->count == 0)
		fputs("<p>None was seen.</p>\n", out);
	else
		fputs("<p class=\"tools\" data-script hidden><button type=\"button\" data-open=\"yes\">Open all"
		      "</button> <button type=\"button\" data-open=\"no\">Close all</button></p>\n"
		      "<ul class=\"tree\">\n",
		      out);
	while (drawn++ < TREE_MAX && (at = processes_walk(processes, at, &depth)) != INDEX_NONE) {
		const struct process *process = &processes->items[at];

		close_levels(out, &level, depth < NESTING_MAX ? depth : NESTING_MAX);
		fputs("<li>", out);
		if (process->first == INDEX_NONE || level == NESTING_MAX) {
			row(out, process, summary->enforced == summary->denied);
			fputs("</li>\n", out);
			continue;
		}
		fprintf(out, "<details%s><summary>",
			processes->count <= OPEN_MAX || depth < 3 ? " open" : "");
		row(out, process, summary->enforced == summary->denied);
		fputs("</summary>\n<ul>\n", out);
		level++;
	}
	close_levels(out, &level, 0);
	if (processes->count != 0)
		fputs("</ul>\n", out);
	if (processes->count + processes->folded > TREE_MAX)
		fprintf(out, "<p>... and %u more processes.</p>\n",
			processes->count + processes->folded - TREE_MAX);
	html_section_end(out);
}

static double position(const struct summary *summary, int64_t time)
{
	double span = (double)(summary->end - summary->begin);
	double share = span > 0 ? (double)(time - summary->begin) / span : 0;

	share = share < 0 ? 0 : share > 1 ? 1
					  : share;
	return NAMES_WIDTH + share * (CHART_WIDTH - NAMES_WIDTH - 10);
}

static void bar(FILE *out, const struct summary *summary, const struct process *process, uint32_t line)
{
	double begin = position(summary, process->begin), end = position(summary, process->end);
	int y = (int)line * ROW_HEIGHT;

	if (line % 2)
		fprintf(out, "<rect class=\"row\" x=\"0\" y=\"%d\" width=\"%d\" height=\"%d\"/>", y,
			CHART_WIDTH, ROW_HEIGHT);
	fprintf(out, "<text x=\"4\" y=\"%d\">", y + 14);
	visible_html_cut(out, title_of(process), 34);
	fprintf(out, "</text><rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"10\" rx=\"2\"><title>",
		process->stopped || process->denied ? "hit" : "bar", begin, y + 5,
		end - begin < 3 ? 3 : end - begin);
	visible_html(out, title_of(process));
	fputs(": ", out);
	html_duration(out, process->end - process->begin);
	if (process->denied != 0) {
		fputs(", ", out);
		html_count(out, process->denied, "call against the policy", "calls against the policy");
	}
	fputs("</title></rect>\n", out);
}

void html_timeline(FILE *out, const struct summary *summary)
{
	const struct processes *processes = &summary->processes;
	uint32_t at = INDEX_NONE, line = 0, count = processes->count;
	int depth = 0;

	if (count > BARS_MAX)
		count = BARS_MAX;
	html_section(out, "timeline", "Timeline");
	fputs("<p>Each bar is a process, from its first call to its last; the whole width is ", out);
	html_duration(out, summary->end - summary->begin);
	fputs(". Red: something in it was against the policy. The process tree below says the same in words.</p>\n",
	      out);
	fputs("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Timeline\">\n", out);
	fprintf(out, "<svg viewBox=\"0 0 %d %u\" role=\"img\" aria-label=\"Timeline of %u processes\">\n",
		CHART_WIDTH, count * ROW_HEIGHT + 22, count);
	while (line < count && (at = processes_walk(processes, at, &depth)) != INDEX_NONE)
		bar(out, summary, &processes->items[at], line++);
	fprintf(out, "<text class=\"axis\" x=\"%d\" y=\"%u\">0</text><text class=\"axis\" x=\"%d\" y=\"%u\" "
		     "text-anchor=\"end\">",
		NAMES_WIDTH, count * ROW_HEIGHT + 16, CHART_WIDTH - 10, count * ROW_HEIGHT + 16);
	html_duration(out, summary->end - summary->begin);
	fputs("</text>\n</svg></div>\n", out);
	if (processes->count > count)
		fprintf(out, "<p>... and %u more processes.</p>\n", processes->count - count);
	html_section_end(out);
}
