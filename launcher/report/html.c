/* SPDX-License-Identifier: MIT */
/* A summary as one self-contained HTML page: the frame; html_*.c hold the parts. */
#include "report/html.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "report/format.h"
#include "report/visible.h"

void html_count(FILE *out, uint64_t count, const char *one, const char *many)
{
	char digits[32], *digit = digits;
	int length = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)count);

	for (; length > 0; length--) {
		fputc(*digit++, out);
		if (length > 1 && (length - 1) % 3 == 0)
			fputc(',', out);
	}
	if (one != NULL)
		fprintf(out, " %s", count == 1 ? one : many);
}

void html_duration(FILE *out, int64_t microseconds)
{
	if (microseconds < 1000000)
		fprintf(out, "%lld ms", (long long)(microseconds / 1000));
	else if (microseconds < 60000000)
		fprintf(out, "%.1f s", (double)microseconds / 1e6);
	else
		fprintf(out, "%lld min %lld s", (long long)(microseconds / 60000000),
			(long long)(microseconds / 1000000 % 60));
}

const char *html_program(const char *exe)
{
	const char *slash = strrchr(exe, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : exe;
}

void html_section(FILE *out, const char *id, const char *heading)
{
	fprintf(out, "<section id=\"%s\" aria-labelledby=\"%s-heading\">\n<h2 id=\"%s-heading\">%s</h2>\n",
		id, id, id, heading);
}

void html_section_end(FILE *out)
{
	fputs("</section>\n", out);
}

/* The script is let in by this word alone, so markup that got in against all care would still not run. */
static void make_nonce(char nonce[33])
{
	unsigned char bytes[16] = {0};

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		memset(bytes, 0, sizeof(bytes));
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(nonce + 2 * i, 3, "%02x", bytes[i]);
}

static void head(FILE *out, const char *nonce)
{
	fprintf(out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"base-uri 'none'; form-action 'none'; style-src 'nonce-%s'; script-src 'nonce-%s'\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"referrer\" content=\"no-referrer\">\n"
		"<title>bridle report</title>\n<style nonce=\"%s\">\n%s</style>\n</head>\n<body>\n"
		"<a class=\"skip\" href=\"#main\">Skip to the report</a>\n",
		nonce, nonce, nonce, html_style);
}

static void when(FILE *out, int64_t microseconds)
{
	time_t seconds = (time_t)(microseconds / 1000000);
	struct tm broken;
	char text[64];

	if (microseconds > 0 && gmtime_r(&seconds, &broken) != NULL &&
	    strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &broken) != 0)
		fprintf(out, "<time>%s</time>", text);
}

static void session_line(FILE *out, const struct summary_session *session)
{
	fputs("<p>", out);
	if (session->command[0] != '\0') {
		fputs("<code>", out);
		visible_html(out, session->command);
		fputs("</code><br>", out);
	}
	fputs("<span class=\"soft\">Session <code>", out);
	visible_html(out, session->id[0] ? session->id : "(unnamed)");
	fputs("</code>", out);
	if (session->mode[0] != '\0') {
		fputs(", mode ", out);
		visible_html(out, session->mode);
	}
	if (session->profile[0] != '\0') {
		fputs(", profile ", out);
		visible_html(out, session->profile);
	}
	if (session->root[0] != '\0') {
		fputs(", in <code>", out);
		visible_html(out, session->root);
		fputs("</code>", out);
	}
	fputs(", ", out);
	when(out, session->begin);
	fputs(", ", out);
	html_duration(out, session->end - session->begin);
	if (session->exit_code != EVENT_NO_EXIT)
		fprintf(out, ", exit status %lld", (long long)session->exit_code);
	fputs("</span>", out);
	if (session->lost > 0) {
		fputs(" <strong class=\"bad\">", out);
		html_count(out, (uint64_t)session->lost, "line was lost", "lines were lost");
		fputs("</strong>", out);
	}
	fputs("</p>\n", out);
}

uint64_t html_files_of(const struct summary *summary, uint32_t marks)
{
	struct path_fold *folds;
	size_t count = paths_list(&summary->paths, marks, SIZE_MAX, &folds);

	free(folds);
	return count;
}

static void fact(FILE *out, const char *target, uint64_t count, const char *one, const char *many, bool alarm)
{
	fprintf(out, "<li%s><b>", alarm && count != 0 ? " class=\"alarm\"" : "");
	html_count(out, count, NULL, NULL);
	fprintf(out, "</b><a href=\"#%s\">%s</a></li>\n", target, count == 1 ? one : many);
}

static void facts(FILE *out, const struct summary *summary)
{
	uint64_t temporary = html_files_of(summary, PATH_TEMPORARY);
	uint64_t asked = html_files_of(summary, PATH_CHANGES) - html_files_of(summary, PATH_DONE), places = 0;
	bool refused = summary->denied == summary->enforced;

	for (uint32_t i = 0; i < table_count(&summary->places); i++)
		places += ((struct summary_place *)table_at(&summary->places, i))->op != OP_RESOLVE;
	fputs("<ul class=\"facts\">\n", out);
	fact(out, "violations", summary->denied, refused ? "call denied" : "call against the policy",
	     refused ? "calls denied" : "calls against the policy", true);
	fact(out, "processes", summary->processes.count + summary->processes.folded, "process", "processes", false);
	fact(out, "written", html_files_of(summary, PATH_LASTING), "file changed", "files changed", false);
	if (temporary != 0)
		fact(out, "written", temporary, "temporary file", "temporary files", false);
	if (asked != 0)
		fact(out, "written", asked, "file asked to be changed", "files asked to be changed", false);
	fact(out, "destinations", places, "network destination", "network destinations", false);
	fact(out, "uncovered", table_count(&summary->gaps), "program not covered", "programs not covered", true);
	fact(out, "calls", summary->allowed + summary->denied, "call in all", "calls in all", false);
	fputs("</ul>\n", out);
}

static void header(FILE *out, const struct summary *summary)
{
	static const char links[] = "<nav aria-label=\"Parts of the report\"><ul>"
				    "<li><a href=\"#violations\">Against the policy</a></li>"
				    "<li><a href=\"#timeline\">Timeline</a></li>"
				    "<li><a href=\"#processes\">Processes</a></li>"
				    "<li><a href=\"#written\">Files written</a></li>"
				    "<li><a href=\"#read\">Files read</a></li>"
				    "<li><a href=\"#destinations\">Destinations</a></li>"
				    "<li><a href=\"#failed\">Failed</a></li>"
				    "<li><a href=\"#uncovered\">Not covered</a></li>"
				    "<li><a href=\"#calls\">Calls</a></li></ul></nav>\n";

	fputs("<header>\n<h1>What this session did</h1>\n", out);
	for (uint32_t i = 0; i < table_count(&summary->sessions) && i < 20; i++)
		session_line(out, table_at(&summary->sessions, i));
	fputs("</header>\n", out);
	fputs(links, out);
}

static void footer(FILE *out, const struct format_input *input)
{
	fputs("<footer>\n<p>Made by bridle from", out);
	for (size_t i = 0; i < input->source_count; i++) {
		const struct format_source *source = &input->sources[i];

		fputs(i ? ", <code>" : " <code>", out);
		visible_html(out, source->name);
		fputs("</code> (", out);
		html_count(out, source->good, "line", "lines");
		if (source->skipped != 0) {
			fputs("; ", out);
			html_count(out, source->skipped, "could not be used", "could not be used");
		}
		fputs(")", out);
	}
	fputs(".", out);
	if (input->summary->unkept != 0) {
		fputs(" Beyond what a page keeps: ", out);
		html_count(out, input->summary->unkept, "detail", "details");
		fputs(", counted in the totals.", out);
	}
	fputs(" A process&#39;s time runs from its first call to its last or its children&#39;s. "
	      "Control characters are shown as \\x1b, \\n or \\u{202e}.</p>\n</footer>\n",
	      out);
}

void format_html(FILE *out, const struct format_input *input)
{
	const struct summary *summary = input->summary;
	char nonce[33];

	make_nonce(nonce);
	head(out, nonce);
	header(out, summary);
	fputs("<main id=\"main\">\n", out);
	facts(out, summary);
	html_violations(out, summary);
	html_timeline(out, summary);
	html_tree(out, summary);
	html_files(out, summary);
	html_places(out, summary);
	html_failures(out, summary);
	html_gaps(out, summary);
	html_calls(out, summary);
	fputs("</main>\n", out);
	footer(out, input);
	fprintf(out, "<script nonce=\"%s\">\n%s</script>\n</body>\n</html>\n", nonce, html_script);
}
