/* SPDX-License-Identifier: MIT */
/* The summary of a session, in each form, from reports of a good and of a hostile kind. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/diff.h"
#include "report/lines.h"
#include "report_case.h"

#define SCHEMA "examples/report.schema.json"

static void text(FILE *out, const void *input)
{
	format_text(out, input);
}

static void html(FILE *out, const void *input)
{
	format_html(out, input);
}

static void json(FILE *out, const void *input)
{
	cr_assert(format_json(out, input));
}

static void sarif(FILE *out, const void *input)
{
	cr_assert(format_sarif(out, input));
}

static void difference(FILE *out, const void *diff)
{
	diff_text(out, diff);
}

static char *written(test_writer *writer, const struct summary *summary, const char *source)
{
	struct format_source sources[] = {{source, 12, 10, 2}};
	struct format_input input = {summary, sources, 1};

	return test_written(writer, &input);
}

static json_t *loaded(test_writer *writer, const struct summary *summary, const char *source)
{
	char *document = written(writer, summary, source);
	json_error_t error;
	json_t *value = json_loads(document, 0, &error);

	cr_assert_not_null(value, "%s at %d", error.text, error.position);
	free(document);
	return value;
}

static void expect_part(const char *whole, const char *part)
{
	cr_expect_not_null(strstr(whole, part), "\"%s\" is missing", part);
}

Test(report_formats, text_says_what_was_done)
{
	struct summary *summary = test_summary_file("session.jsonl");
	char *page = written(text, summary, "x");

	expect_part(page, "mode audit, profile tool, root /p");
	expect_part(page, "    /bin/sh -c 'gcc -c a.c && ./t.py'");
	expect_part(page, "        git commit -m 'it'\\''s <b>done</b>'");
	expect_part(page, "  removed   /p/.git/index.lock\n");
	expect_part(page, "  created   /p/.git/objects/ab\n");
	expect_part(page, "  written   /p/a.o\n");
	expect_part(page, "  /usr/lib/python3.11/  30 files, 30 times\n");
	expect_part(page, "  connect  example.org (93.184.216.34) port 443  1 time, 1 against the policy\n");
	expect_part(page, "  path.jail  2 times\n    2     open64 ../etc/passwd  by python3.11  (let through)\n");
	expect_part(page, "  1     coverage.static  /p/tool\n");
	expect_part(page, "Note: 2 lines of x could not be used.");
	free(page);
	summary_free(summary);
}

Test(report_formats, text_of_nothing)
{
	struct summary *summary = test_summary((const char *const[]){NULL});
	char *page = written(text, summary, "x");

	expect_part(page, "No report lines.\n");
	free(page);
	summary_free(summary);
}

Test(report_formats, json_keeps_to_its_schema)
{
	static const char *const files[] = {"session.jsonl", "hostile.jsonl"};

	for (size_t i = 0; i < 2; i++) {
		struct summary *summary = test_summary_file(files[i]);
		json_t *document = loaded(json, summary, "a\xff"
							 "b");

		test_schema(SCHEMA, document);
		json_decref(document);
		summary_free(summary);
	}
}

Test(report_formats, json_counts)
{
	struct summary *summary = test_summary_file("session.jsonl");
	json_t *document = loaded(json, summary, "x"), *calls = json_object_get(document, "calls");
	json_t *rules = json_object_get(document, "violations_by_rule");

	cr_expect_eq(json_integer_value(json_object_get(calls, "denied")), 4);
	cr_expect_eq(json_integer_value(json_object_get(calls, "enforced")), 0);
	cr_expect_eq(json_integer_value(json_object_get(rules, "path.jail")), 2);
	cr_expect_eq(json_array_size(json_object_get(document, "processes")), 6);
	cr_expect_eq(json_array_size(json_object_get(document, "files_written")), 4);
	cr_expect_eq(json_array_size(json_object_get(document, "violations")), 3);
	cr_expect_eq(json_array_size(json_object_get(document, "coverage_gaps")), 1);
	json_decref(document);
	summary_free(summary);
}

Test(report_formats, many_files_are_folded_and_what_was_for_a_while_comes_last)
{
	struct summary *summary = summary_new();
	char path[64], *page;

	cr_assert_not_null(summary);
	for (int i = 0; i < 60; i++) {
		snprintf(path, sizeof(path), "/t/for/a/while/%d", i);
		paths_add(&summary->paths, path, PATH_CREATED);
		paths_add(&summary->paths, path, PATH_REMOVED);
	}
	paths_add(&summary->paths, "/t/stays", PATH_CREATED);
	summary->lines = 1;
	summary_finish(summary);
	page = written(text, summary, "x");
	expect_part(page, "\nFiles written\n  created   /t/stays\n  temporary /t/for/a/while/  60 files\n\n");
	free(page);
	summary_free(summary);
}

#define CALL(via, call, path, more)                                                                                  \
	"{\"ts\":1,\"session\":\"s\",\"pid\":2,\"ppid\":1,\"exe\":\"/b\",\"via\":\"" via "\",\"call\":\"" call "\"," \
	"\"op\":\"write\",\"path\":\"" path "\",\"verdict\":\"allow\"" more "}"

/* Of what the backstop lets through nobody knows how it ended. */
Test(report_formats, nothing_is_claimed_of_calls_without_an_end)
{
	struct summary *summary = test_summary((const char *const[]){
		CALL("backstop", "unlink", "/t/gone", ""), CALL("backstop", "mkdir", "/t/made", ""),
		CALL("backstop", "openat", "/t/made", ""), CALL("shim", "open", "/t/both", ",\"change\":\"create\""),
		CALL("backstop", "unlink", "/t/both", ""),
		CALL("backstop", "openat", "/t/denied", ",\"rule\":\"path.jail\""), NULL});
	char *page = written(text, summary, "x");
	json_t *document = loaded(json, summary, "x"), *files = json_object_get(document, "files_written"), *row;
	size_t i;

	expect_part(page, "  asked     /t/gone  (to remove)\n");
	expect_part(page, "  asked     /t/made  (to write, create)\n");
	expect_part(page, "  created   /t/both  (asked to remove)\n");
	expect_part(page, "How 5 calls of programs like these ended is not known");
	free(page);
	test_schema(SCHEMA, document);
	cr_expect_eq(json_integer_value(json_object_get(json_object_get(document, "calls"), "end_unknown")), 5);
	json_array_foreach(files, i, row)
	{
		bool both = strcmp(json_string_value(json_object_get(row, "path")), "/t/both") == 0;

		cr_expect_eq(json_is_true(json_object_get(row, "created")), both);
		cr_expect_not(json_is_true(json_object_get(row, "removed")) || json_is_true(json_object_get(row, "written")));
		cr_expect_geq(json_array_size(json_object_get(row, "asked")), 1);
	}
	json_decref(document);
	page = written(html, summary, "x");
	expect_part(page, "<code>/t/made</code></td><td><span class=\"soft\">asked to create write</span>");
	expect_part(page, "<b>1</b><a href=\"#written\">file changed</a>");
	expect_part(page, "<b>3</b><a href=\"#written\">files asked to be changed</a>");
	free(page);
	summary_free(summary);
}

/* No byte that acts, and no markup but our own. */
static void expect_inert(const char *page)
{
	for (const char *at = page; *at != '\0'; at++)
		cr_assert((unsigned char)*at >= 0x20 || *at == '\n');
	cr_expect_null(strstr(page, "\xe2\x80\xae"));
}

Test(report_formats, hostile_reports_are_inert)
{
	struct summary *summary = test_summary_file("hostile.jsonl");
	const char *source = "<b>\x1b[2J";
	char *page = written(text, summary, source);

	expect_inert(page);
	expect_part(page, "\\x1b]0;owned\\x07");
	free(page);
	page = written(html, summary, source);
	expect_inert(page);
	cr_expect_null(strstr(page, "<script>"));
	cr_expect_null(strstr(page, "<img"));
	cr_expect_null(strstr(page, "<b>\\x1b"));
	cr_expect_null(strstr(page, "\"onmouseover"));
	expect_part(page, "&lt;script&gt;document.title=&#39;owned&#39;&lt;/script&gt;");
	free(page);
	summary_free(summary);
}

Test(report_formats, html_loads_nothing)
{
	struct summary *summary = test_summary_file("session.jsonl");
	char *page = written(html, summary, "x");

	cr_expect_null(strstr(page, "http://"));
	cr_expect_null(strstr(page, "https://"));
	cr_expect_null(strstr(page, " src="));
	cr_expect_null(strstr(page, "url("));
	expect_part(page, "default-src 'none'");
	free(page);
	summary_free(summary);
}

/* What code-scanning tools need of a result: a known rule, a message, a location, a level. */
static void check_result(const json_t *run, const json_t *result)
{
	json_t *rules = json_object_get(json_object_get(json_object_get(run, "tool"), "driver"), "rules");
	json_t *rule = json_array_get(rules, (size_t)json_integer_value(json_object_get(result, "ruleIndex")));
	json_t *location = json_array_get(json_object_get(result, "locations"), 0);
	json_t *file = json_object_get(json_object_get(location, "physicalLocation"), "artifactLocation");
	const char *uri = json_string_value(json_object_get(file, "uri"));
	const char *level = json_string_value(json_object_get(result, "level"));

	cr_assert(uri != NULL && level != NULL);
	cr_expect(json_equal(json_object_get(rule, "id"), json_object_get(result, "ruleId")));
	cr_expect(json_is_string(json_object_get(json_object_get(result, "message"), "text")));
	cr_expect(strcmp(level, "error") == 0 || strcmp(level, "warning") == 0 || strcmp(level, "note") == 0);
	cr_expect_eq(strspn(uri, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~%!$&'()*+,;=:@/"),
		     strlen(uri), "%s", uri);
}

Test(report_formats, sarif_holds_what_tools_need)
{
	static const char *const files[] = {"session.jsonl", "hostile.jsonl"};
	static const size_t counts[] = {4, 2};

	for (size_t i = 0; i < 2; i++) {
		struct summary *summary = test_summary_file(files[i]);
		json_t *document = loaded(sarif, summary, "x"), *result;
		json_t *run = json_array_get(json_object_get(document, "runs"), 0);
		size_t at;

		cr_expect_str_eq(json_string_value(json_object_get(document, "version")), "2.1.0");
		cr_expect_eq(json_array_size(json_object_get(run, "results")), counts[i]);
		json_array_foreach(json_object_get(run, "results"), at, result)
			check_result(run, result);
		json_decref(document);
		summary_free(summary);
	}
}

Test(report_formats, diff_shows_what_is_new)
{
	static const char *const before[] = {
		"{\"op\":\"read\",\"path\":\"/lib/a\",\"verdict\":\"allow\"}",
		"{\"op\":\"write\",\"path\":\"/p/a\",\"verdict\":\"allow\"}",
		"{\"op\":\"exec\",\"path\":\"/bin/sh\",\"verdict\":\"allow\"}",
		"{\"op\":\"connect\",\"host\":\"h\",\"addr\":\"1.1.1.1\",\"port\":1,\"verdict\":\"allow\"}",
		NULL};
	static const char *const after[] = {
		"{\"op\":\"read\",\"path\":\"/lib/b\",\"verdict\":\"allow\"}",
		"{\"op\":\"read\",\"path\":\"/etc/x/b\",\"verdict\":\"allow\"}",
		"{\"op\":\"read\",\"path\":\"/etc/x/c\",\"verdict\":\"allow\"}",
		"{\"op\":\"write\",\"path\":\"/p/b\",\"verdict\":\"allow\"}",
		"{\"op\":\"exec\",\"path\":\"/bin/sh\",\"verdict\":\"allow\"}",
		"{\"op\":\"exec\",\"path\":\"/bin/\\u001bcc\",\"verdict\":\"allow\"}",
		"{\"op\":\"connect\",\"host\":\"h\",\"addr\":\"2.2.2.2\",\"port\":1,\"verdict\":\"allow\"}",
		"{\"op\":\"connect\",\"host\":\"i\",\"addr\":\"2.2.2.2\",\"port\":1,\"verdict\":\"allow\"}",
		"{\"op\":\"read\",\"path\":\"/s\",\"verdict\":\"deny\",\"rule\":\"path.deny\"}",
		NULL};
	struct summary *old = test_summary(before), *new = test_summary(after);
	struct diff diff;

	cr_assert(diff_open(&diff, old, new));
	cr_expect_not(diff_is_empty(&diff));
	char *lines = test_written(difference, &diff);

	cr_expect_str_eq(lines, "+ program  /bin/\\x1bcc\n"
				"+ changed  /p/b\n"
				"+ read     /etc/x/b\n"
				"+ read     /etc/x/c\n"
				"+ connect  i (2.2.2.2) port 1\n"
				"+ denied   path.deny  /s\n");
	free(lines);
	diff_close(&diff);
	cr_assert(diff_open(&diff, new, old));
	cr_expect_eq(diff.changed_count, 1, "the other way round /p/a is new");
	diff_close(&diff);
	summary_free(old);
	old = test_summary(after);
	summary_free(new);
	new = test_summary(after);
	cr_assert(diff_open(&diff, old, new));
	cr_expect(diff_is_empty(&diff));
	diff_close(&diff);
	summary_free(old);
	summary_free(new);
}

struct seen {
	uint64_t events, warnings, lines[16];
};

static void count_event(void *context, const struct event *event)
{
	(void)event;
	((struct seen *)context)->events++;
}

static void note_warning(void *context, const char *name, uint64_t line, const char *words)
{
	struct seen *seen = context;

	(void)name;
	(void)words;
	if (seen->warnings < 16)
		seen->lines[seen->warnings] = line;
	seen->warnings++;
}

Test(report_formats, bad_lines_are_named_by_number)
{
	static const uint64_t wanted[] = {2, 3, 4, 6, 11};
	int file = open(REPORT_CASES "hostile.jsonl", O_RDONLY | O_CLOEXEC);
	struct lines_result result;
	struct failure failure;
	struct seen seen = {0};

	cr_assert(lines_read(file, "x", count_event, note_warning, &seen, &result, &failure));
	close(file);
	cr_expect(result.lines == 11 && result.good == 5 && result.skipped == 5);
	cr_expect_eq(seen.events, 5);
	cr_assert_eq(seen.warnings, 5);
	cr_expect_eq(memcmp(seen.lines, wanted, sizeof(wanted)), 0);
}

Test(report_formats, a_line_without_end_is_skipped)
{
	static const char good[] = "{\"v\":1,\"op\":\"read\"}\n";
	int ends[2];
	struct lines_result result;
	struct failure failure;
	struct seen seen = {0};
	char block[4096];

	memset(block, 'x', sizeof(block));
	cr_assert_eq(pipe2(ends, O_CLOEXEC), 0);
	if (fork() == 0) {
		for (int i = 0; i < 100; i++)
			if (write(ends[1], block, sizeof(block)) < 0)
				_exit(1);
		_exit(write(ends[1], "\n", 1) < 0 || write(ends[1], good, sizeof(good) - 1) < 0);
	}
	close(ends[1]);
	cr_assert(lines_read(ends[0], "x", count_event, note_warning, &seen, &result, &failure));
	close(ends[0]);
	cr_expect_eq(seen.events, 1);
	cr_expect_eq(seen.warnings, 1);
	cr_expect_eq(seen.lines[0], 1);
	cr_expect_eq(result.lines, 2);
}
