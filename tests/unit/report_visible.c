/* SPDX-License-Identifier: MIT */
/* Whatever stands in a report, a terminal and a browser get plain text. */
#include "report/visible.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "report/command_line.h"
#include "report_case.h"

static void put(FILE *out, const void *text)
{
	visible_put(out, text, 0);
}

static void put_ten(FILE *out, const void *text)
{
	visible_put(out, text, 10);
}

static void put_html(FILE *out, const void *text)
{
	visible_html(out, text);
}

static void expect(test_writer *writer, const char *text, const char *wanted)
{
	char *written = test_written(writer, text);

	cr_expect_str_eq(written, wanted);
	free(written);
}

Test(report_visible, shows_what_would_act)
{
	expect(put, "plain é€\xf0\x9f\x98\x80", "plain é€\xf0\x9f\x98\x80");
	expect(put, "\x1b[31m\a\n\t\r", "\\x1b[31m\\x07\\n\\t\\r");
	expect(put, "\x7f\xc2\x9b", "\\x7f\\u{9b}");
	expect(put, "a\xe2\x80\xae"
		    "b",
	       "a\\u{202e}b");
	expect(put, "\xff\xc3(", "\\xff\\xc3(");
}

Test(report_visible, cuts_to_columns)
{
	expect(put_ten, "0123456789", "0123456789");
	expect(put_ten, "0123456789a", "0123456...");
	expect(put_ten, "éééééééééééé", "ééééééé...");
	expect(put_ten, "01234\x1b\x1b\x1b", "01234...");
}

static void put_end(FILE *out, const void *text)
{
	visible_put_end(out, text, 10);
}

Test(report_visible, counts_columns_and_cuts_at_either_end)
{
	static const char *const ends[][2] = {
		{"/a/b", "/a/b"}, {"/long/path/of/file", "...of/file"}, {"/x/\u65e5\u672c\u8a9e.txt", "...\u8a9e.txt"}};

	cr_expect_eq(visible_width("\u65e5\u672c"), 4);
	cr_expect_eq(visible_width("e\u0301\xff"), 5);
	cr_expect_eq(visible_width("\U0001f600"), 2);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		char *text = test_written(put_end, ends[i][0]);

		cr_expect_str_eq(text, ends[i][1]);
		free(text);
	}
}

Test(report_visible, makes_html_inert)
{
	expect(put_html, "<a href=\"x\" b='y'>&", "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;");
	expect(put_html, "\x1b<", "\\x1b&lt;");
}

Test(report_visible, lets_no_control_byte_through)
{
	char text[256];

	for (int byte = 1; byte < 256; byte++)
		text[byte - 1] = (char)byte;
	text[255] = '\0';
	char *written = test_written(put, text);

	for (const char *at = written; *at != '\0'; at++)
		cr_expect((unsigned char)*at >= 0x20 && (unsigned char)*at < 0x7f);
	free(written);
}

static void expect_line(const char *const *argv, size_t argc, size_t size, const char *wanted)
{
	char line[512];

	cr_assert_leq(size, sizeof(line));
	cr_expect_eq(command_line(argv, argc, line, size), strlen(wanted));
	cr_expect_str_eq(line, wanted);
}

Test(report_visible, writes_command_lines_for_a_shell)
{
	expect_line((const char *const[]){"git", "commit", "-m", "it's done", ""}, 5, 512,
		    "git commit -m 'it'\\''s done' ''");
	expect_line((const char *const[]){"a=b", "$x", "~"}, 3, 512, "a=b '$x' '~'");
	expect_line(NULL, 0, 512, "");
	expect_line((const char *const[]){"0123456789"}, 1, 10, "012345...");
	expect_line((const char *const[]){"éééé"}, 1, 10, "'éé...");
}
