/* SPDX-License-Identifier: MIT */
/* The report on its way through the launcher: lines, counts, targets that fail. */
#include "forward/forward.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "forward/readable.h"

#define LINE "{\"v\":1,\"session\":\"s\",\"op\":\"read\",\"verdict\":\"%s\",\"rule\":\"%s\",\"path\":\"/x\"}\n"

static void give(struct forward *forward, const char *verdict, const char *rule)
{
	char line[256];

	forward_line(forward, line, snprintf(line, sizeof(line), LINE, verdict, rule));
}

static unsigned taken;
static char last[REPORT_LINE_MAX + 1];

static void take(void *data, const char *line, size_t length)
{
	(void)data;
	taken++;
	memcpy(last, line, length);
	last[length] = '\0';
}

Test(reader, cuts_lines_at_any_place)
{
	static struct reader reader;
	int ends[2];

	taken = 0;
	cr_assert(!pipe2(ends, O_NONBLOCK));
	for (const char *byte = "one\ntwo\n\nthree"; *byte; byte++) {
		cr_assert_eq(write(ends[1], byte, 1), 1);
		reader_pump(&reader, ends[0], take, NULL);
	}
	cr_expect_eq(taken, 2);
	cr_expect_str_eq(last, "two\n");
	cr_expect_eq(reader.broken, 0);
	reader_finish(&reader);
	cr_expect_eq(reader.broken, 1, "a line without its end");
}

Test(reader, throws_away_what_is_too_long)
{
	static struct reader reader;
	static char much[3 * REPORT_LINE_MAX];
	int ends[2];

	taken = 0;
	memset(much, 'x', sizeof(much));
	much[sizeof(much) - 1] = '\n';
	cr_assert(!pipe2(ends, O_NONBLOCK));
	cr_assert_eq(write(ends[1], much, sizeof(much)), (ssize_t)sizeof(much));
	cr_assert_eq(write(ends[1], "good\n", 5), 5);
	while (reader_pump(&reader, ends[0], take, NULL))
		;
	cr_expect_eq(taken, 1);
	cr_expect_str_eq(last, "good\n");
	cr_expect_eq(reader.broken, 1);
}

Test(forward, counts_and_keeps_violations)
{
	static struct forward forward;
	struct failure failure;
	char words[200];

	cr_assert(forward_open(&forward, NULL, -1, &failure));
	forward.keep = true;
	for (int i = 0; i < 150; i++)
		give(&forward, "deny", "path.jail");
	give(&forward, "deny", "name.denylist");
	give(&forward, "allow", "path.jail");
	give(&forward, "deny", "new.rule");
	forward_line(&forward, "rubbish\n", 8);
	forward_line(&forward, "{}\n", 3);
	cr_expect_eq(forward.tally.denied, 152);
	cr_expect_eq(json_array_size(forward.kept), FORWARD_KEPT_MAX);
	cr_expect_eq(forward_lost(&forward), 2);
	tally_words(&forward.tally, words, sizeof(words));
	cr_expect_str_eq(words, "path.jail 150, other 1, name.denylist 1");
	forward_close(&forward);
}

Test(forward, appends_to_a_private_file)
{
	static struct forward forward;
	struct failure failure;
	char path[] = "/tmp/forward-test-XXXXXX", text[512];
	int file = mkstemp(path);

	cr_assert_eq(write(file, "old\n", 4), 4);
	cr_assert(forward_open(&forward, path, -1, &failure));
	give(&forward, "allow", "x");
	forward_close(&forward);
	text[pread(file, text, sizeof(text) - 1, 0)] = '\0';
	cr_expect(!strncmp(text, "old\n{", 5) && text[strlen(text) - 1] == '\n');
	unlink(path);
	close(file);
}

/* Lines in FILE and in FILE.1, FILE.2, ...; removes them. */
static int count_lines(const char *path, int *ret_files)
{
	char name[64], text[4096];
	int lines = 0;

	for (*ret_files = 0;; ++*ret_files) {
		snprintf(name, sizeof(name), *ret_files ? "%s.%d" : "%s", path, *ret_files);
		FILE *file = fopen(name, "re");

		if (!file)
			return lines;
		while (fgets(text, sizeof(text), file)) {
			cr_expect(text[0] == '{' && text[strlen(text) - 1] == '\n', "a whole line: %s", text);
			lines++;
		}
		fclose(file);
		unlink(name);
	}
}

Test(forward, rotation_loses_no_line)
{
	char path[] = "/tmp/forward-test-XXXXXX";
	int files, status;

	close(mkstemp(path));
	for (int child = 0; child < 3; child++) {
		if (fork())
			continue;
		static struct forward forward;
		struct failure failure;

		if (!forward_open(&forward, path, -1, &failure))
			_exit(1);
		forward.file.rotation.limit = 20000;
		for (int i = 0; i < 500; i++) {
			give(&forward, "allow", "path.jail");
			if (i % 7 == 0)
				forward_flush(&forward);
		}
		forward_close(&forward);
		_exit(forward.file.lost != 0);
	}
	while (wait(&status) > 0)
		cr_expect_eq(status, 0);
	cr_expect_eq(count_lines(path, &files), 1500);
	cr_expect_gt(files, 3);
}

Test(forward, counts_what_a_target_does_not_take)
{
	static struct forward forward;
	struct failure failure;

	cr_assert(forward_open(&forward, "/dev/full", -1, &failure));
	give(&forward, "deny", "path.jail");
	give(&forward, "deny", "path.jail");
	cr_expect_eq(forward_lost(&forward), 2);
	cr_expect_eq(forward.tally.denied, 2);
	forward_close(&forward);
	cr_expect_not(forward_open(&forward, "/not/there", -1, &failure));
	cr_expect(strstr(failure.text, "/not/there"));
	cr_expect_not(forward_open(&forward, NULL, 987, &failure));
}

Test(readable, shows_no_control_characters)
{
	json_t *line = json_pack("{s:s,s:s,s:s,s:s,s:s}", "op", "read", "verdict", "deny", "rule", "path.jail", "path",
				 "/x\033[2J", "exe", "/usr/bin/cat");
	char text[200];

	readable_violation(line, text, sizeof(text));
	cr_expect_str_eq(text, "cat: read denied: /x?[2J (rule path.jail)");
	json_decref(line);
}
