/* SPDX-License-Identifier: MIT */
/* What the live view of a trace shows of which event. */
#include "report/live.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report_case.h"

struct view {
	const char *const *lines;
	struct live_filter filter;
	bool terminal, colour;
	size_t columns;
};

static void show(FILE *out, const void *data)
{
	static struct event event;
	const struct view *view = data;
	struct summary *summary = summary_new();
	struct live live;
	char text[4096];

	live_open(&live, out, summary, &view->filter, view->terminal, view->colour);
	live.columns = view->columns;
	for (const char *const *line = view->lines; *line != NULL; line++) {
		snprintf(text, sizeof(text), "{\"v\":1,%s", *line + 1);
		cr_assert_eq(event_parse(&event, text, strlen(text)), EVENT_GOOD, "%s", text);
		live_take(&live, &event, summary_take(summary, &event));
	}
	live_flush(&live);
	summary_free(summary);
}

static void expect(const struct view *view, const char *wanted)
{
	char *text = test_written(show, view);

	cr_expect_str_eq(text, wanted);
	free(text);
}

#define CALL(pid, ppid, exe, op, path, verdict)                                                                    \
	"{\"pid\":" #pid ",\"ppid\":" #ppid ",\"exe\":\"" exe "\",\"via\":\"shim\",\"call\":\"open\",\"op\":\"" op \
	"\",\"path\":\"" path "\",\"verdict\":\"" verdict "\"}"

static const char *const session[] = {
	CALL(2, 1, "/bin/sh", "read", "/p/s", "allow"),
	"{\"op\":\"session\",\"via\":\"launcher\",\"verdict\":\"allow\"}",
	"{\"pid\":3,\"ppid\":2,\"exe\":\"/bin/sh\",\"via\":\"shim\",\"call\":\"execve\",\"op\":\"exec\",\"path\":\"/bin/cc\","
	"\"argv\":[\"cc\",\"a b\"],\"verdict\":\"allow\"}",
	CALL(3, 2, "/bin/cc", "read", "/lib/a", "allow"),
	CALL(3, 2, "/bin/cc", "read", "/lib/b", "allow"),
	CALL(3, 2, "/bin/cc", "read", "/lib/c/d", "allow"),
	CALL(3, 2, "/bin/cc", "write", "/p/a\\u001b[2Jo", "allow"),
	"{\"pid\":3,\"ppid\":2,\"exe\":\"/bin/cc\",\"call\":\"unlinkat\",\"op\":\"write\","
	"\"path\":\"o\",\"verdict\":\"allow\"}",
	"{\"pid\":3,\"ppid\":2,\"exe\":\"/bin/cc\",\"op\":\"read\",\"path\":\"x\",\"target\":\"/etc/x\",\"verdict\":\"deny\","
	"\"rule\":\"path.jail\",\"enforced\":false}",
	"{\"pid\":3,\"ppid\":2,\"exe\":\"/bin/cc\",\"op\":\"connect\",\"host\":\"h\",\"addr\":\"1.2.3.4\",\"port\":5,"
	"\"verdict\":\"deny\",\"rule\":\"network.connect\"}",
	NULL};

Test(report_live, plain_lines_are_whole_records)
{
	const struct view view = {.lines = session};

	expect(&view, "2 sh read /p/s\n"
		      "3 sh exec cc 'a b'\n"
		      "3 cc read /lib/ (2 times)\n"
		      "3 cc read /lib/c/d\n"
		      "3 cc write /p/a\\x1b[2Jo\n"
		      "3 cc write o (unlinkat)\n"
		      "3 cc read /etc/x  would be denied: path.jail\n"
		      "3 cc connect h (1.2.3.4) port 5  denied: network.connect\n");
}

Test(report_live, a_terminal_gets_indentation)
{
	const struct view view = {.lines = session, .terminal = true, .filter = {.only = LIVE_EXEC | LIVE_WRITE}};

	expect(&view, "  sh exec cc 'a b'\n"
		      "  cc write /p/a\\x1b[2Jo\n"
		      "  cc write o (unlinkat)\n");
}

Test(report_live, a_narrow_terminal_gets_one_row_a_call)
{
	static const char *const lines[] = {
		"{\"op\":\"session\",\"via\":\"launcher\",\"verdict\":\"allow\",\"root\":\"/p\"}",
		CALL(2, 1, "/usr/bin/x86_64-linux-gnu-gcc-12", "write", "/p/deep/folder/with/a/very/long/name/of/file.txt",
		     "allow"),
		"{\"pid\":2,\"ppid\":1,\"exe\":\"/bin/sh\",\"via\":\"shim\",\"call\":\"execve\",\"op\":\"exec\","
		"\"path\":\"/usr/bin/gcc\",\"target\":\"/usr/bin/x86_64-linux-gnu-gcc-12\","
		"\"argv\":[\"/usr/bin/gcc\",\"-c\",\"a.c\",\"-o\",\"a-rather-long-name-of-an-object-file.o\"],"
		"\"verdict\":\"allow\"}",
		"{\"pid\":2,\"ppid\":1,\"exe\":\"/usr/bin/x86_64-linux-gnu-gcc-12\",\"via\":\"shim\",\"op\":\"write\","
		"\"path\":\"../../etc/a/long/way/to/passwd\",\"target\":\"/etc/a/long/way/to/the/end/of/it/passwd\","
		"\"verdict\":\"deny\",\"rule\":\"path.jail\"}",
		NULL,
	};

	expect(&(struct view){.lines = lines, .terminal = true, .columns = 60},
	       "x86_64-linux-gnu-... write ...h/a/very/long/name/of/file.txt\n"
	       "sh exec /usr/bin/gcc -c a.c -o a-rather-long-name-of-an-o...\n"
	       "gcc write .../way/to/the/end/of/it/passwd  denied: path.jail\n");
	expect(&(struct view){.lines = lines + 3, .terminal = true, .columns = 200},
	       "x86_64-linux-gnu-... write /etc/a/long/way/to/the/end/of/it/passwd  denied: path.jail\n");
}

Test(report_live, filters_narrow)
{
	struct view view = {.lines = session, .filter = {.only = LIVE_DENIED}};

	expect(&view, "3 cc read /etc/x  would be denied: path.jail\n"
		      "3 cc connect h (1.2.3.4) port 5  denied: network.connect\n");
	view.filter = (struct live_filter){.program = "s*"};
	expect(&view, "2 sh read /p/s\n3 sh exec cc 'a b'\n");
	view.filter = (struct live_filter){.program = "/bin/c?", .only = LIVE_CONNECT};
	expect(&view, "3 cc connect h (1.2.3.4) port 5  denied: network.connect\n");
	view.filter = (struct live_filter){.path = "/lib/*"};
	expect(&view, "3 cc read /lib/ (2 times)\n3 cc read /lib/c/d\n");
	view.filter = (struct live_filter){.path = "/etc/*"};
	expect(&view, "3 cc read /etc/x  would be denied: path.jail\n");
}

Test(report_live, colour_is_asked_for)
{
	const char *const lines[] = {session[2], NULL};
	const struct view view = {.lines = lines, .colour = true};

	expect(&view, "3 \x1b[2msh\x1b[0m exec \x1b[1mcc 'a b'\x1b[0m\n");
	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	cr_expect_not(live_wants_colour(-1), "no terminal, no colour");
}

Test(report_live, words_of_only)
{
	struct failure failure = {{0}};
	unsigned only = 0;

	cr_expect(live_filter_only("exec,write,connect,denied", &only, &failure));
	cr_expect_eq(only, LIVE_EXEC | LIVE_WRITE | LIVE_CONNECT | LIVE_DENIED);
	cr_expect_not(live_filter_only("exec,fly", &only, &failure));
	cr_expect_not_null(strstr(failure.text, "\"fly\""));
	cr_expect_not(live_filter_only("", &only, &failure));
}

/* clang-format off */
#define ENDED(call, op, subject, rest) \
	"{\"pid\":3,\"ppid\":2,\"exe\":\"/bin/cc\",\"via\":\"shim\",\"call\":\"" call "\",\"op\":\"" op "\"," \
	subject "," rest "}"
/* clang-format on */

Test(report_live, reads_close_to_each_other_are_one_line)
{
	static const char *const lines[] = {
		CALL(3, 2, "/bin/cc", "read", "/usr/lib/x/a/one", "allow"),
		CALL(3, 2, "/bin/cc", "read", "/usr/lib/x/b/two", "allow"),
		CALL(3, 2, "/bin/cc", "load", "/usr/lib/x/three", "allow"),
		CALL(3, 2, "/bin/cc", "read", "/usr/lib/xy/four", "allow"),
		CALL(3, 2, "/bin/cc", "read", "/usr/five", "allow"),
		CALL(3, 2, "/bin/cc", "read", "six", "allow"),
		CALL(3, 2, "/bin/cc", "read", "seven", "allow"),
		NULL,
	};

	expect(&(struct view){.lines = lines}, "3 cc read /usr/lib/x/ (3 times)\n"
					       "3 cc read /usr/lib/xy/four\n"
					       "3 cc read /usr/five\n"
					       "3 cc read / (2 times)\n");
}

Test(report_live, failures_are_said)
{
	static const char *const lines[] = {
		CALL(3, 2, "/bin/cc", "read", "/inc/a", "allow"),
		ENDED("open", "read", "\"path\":\"/inc/b\"", "\"verdict\":\"allow\",\"errno\":\"ENOENT\""),
		ENDED("open", "read", "\"path\":\"/inc/c\"", "\"verdict\":\"allow\",\"errno\":\"EACCES\""),
		ENDED("unlink", "write", "\"path\":\"o\"",
		      "\"verdict\":\"deny\",\"rule\":\"path.jail\",\"enforced\":false"),
		ENDED("unlink", "write", "\"path\":\"o\"", "\"verdict\":\"allow\",\"outcome\":true"),
		ENDED("connect", "connect", "\"addr\":\"127.0.0.1\",\"port\":9",
		      "\"verdict\":\"allow\",\"errno\":\"ECONNREFUSED\",\"outcome\":true"),
		NULL,
	};

	expect(&(struct view){.lines = lines}, "3 cc read /inc/ (2 times, 1 not there)\n"
					       "3 cc read /inc/c  failed: EACCES\n"
					       "3 cc write o (unlink)  would be denied: path.jail\n"
					       "3 cc connect 127.0.0.1 port 9  failed: ECONNREFUSED\n");
}
