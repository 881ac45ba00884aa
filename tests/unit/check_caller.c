/* SPDX-License-Identifier: MIT */
/* What is made of the process that starts a program: its names, and whether it speaks for somebody else. */
#include "check/caller.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "policy_image.h"

static struct image *image;

static void compile(void)
{
	size_t size;

	image = test_image("extends = \"tool\";", &size);
}

static void release(void)
{
	free(image);
}

TestSuite(check_caller, .init = compile, .fini = release);

/* A caller whose /proc/PID/cmdline reads so, blanks for NULs and "_" for a blank. */
static struct caller *caller_of(const char *program, const char *line)
{
	struct caller *caller = calloc(1, sizeof(*caller));
	size_t length = strlen(line) + 1;

	cr_assert_leq(length, CALLER_LINE - 1);
	caller_name(caller->program, program);
	for (size_t i = 0; i < length; i++)
		caller->line[i] = line[i] == ' ' ? '\0' : line[i] == '_' ? ' '
									 : line[i];
	caller_words(caller, image, length);
	return caller;
}

Test(check_caller, scripts)
{
	static const struct {
		const char *line, *script;
	} rows[] = {
		{"python3 /x/pytest -q", "pytest"},
		{"python3 -u -B -I /x/pytest -q", "pytest"},
		{"/usr/bin/python3.11 -W ignore -X dev /x/pytest", "pytest"},
		{"python3 -m pytest -q", "pytest"},
		{"python3 -Im pytest", "pytest"},
		{"python3 -c print(1) pytest", ""},
		{"python3", ""},
		{"sh -eu ./configure --x", "configure"},
		{"sh -c make pytest", ""},
		{"bash -o pipefail build.sh", "build.sh"},
		{"node --max-old-space-size=4096 /x/npm install", "npm"},
		{"node -r ./hook.js /x/npm", "npm"},
		{"node -e 1 npm", ""},
		{"perl -w -I lib /x/prove", "prove"},
		{"nobody-knows -x /x/run", "run"},
		{"npm_test", "npm"},
		{"npm_run_build  ", "npm"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct caller *caller = caller_of("/bin/x", rows[i].line);

		cr_expect_str_eq(caller->script, rows[i].script, "%s: %s", rows[i].line, caller->script);
		free(caller);
	}
}

Test(check_caller, long_lines_are_cut)
{
	struct caller *caller = calloc(1, sizeof(*caller));

	memset(caller->line, 'x', CALLER_LINE - 1);
	caller_words(caller, image, CALLER_LINE - 1);
	cr_expect(caller->cut);
	cr_expect_eq(caller->argc, 1);
	free(caller);
	caller = caller_of("/bin/x", "a b c d e f g h i j k l m n o p q r s t u v w x y z");
	cr_expect(caller->cut);
	cr_expect_eq(caller->argc, CALLER_WORDS);
	free(caller);
	caller = calloc(1, sizeof(*caller));
	caller_words(caller, image, 0);
	cr_expect_eq(caller->argc, 0);
	cr_expect_str_eq(caller->script, "");
	free(caller);
}

static bool speaks(const char *line, char *const *argv, size_t argc)
{
	struct caller *caller = caller_of("/bin/x", line);
	struct command command = {.program = argv[0], .argv = argv, .argc = argc};
	bool speaks = caller_speaks_for_parent(image, caller, &command);

	free(caller);
	return speaks;
}

Test(check_caller, who_speaks_for_its_parent)
{
	char name[] = "python3.12", option[] = "-c", code[] = "print(1)", *const argv[] = {name, option, code, NULL};

	cr_expect(speaks("sh -c x;y", argv, 3), "it was given the code itself");
	cr_expect(speaks("bash /x/shims/python3 -c print(1)", argv, 3), "it passes on what it was given");
	cr_expect_not(speaks("bash /x/mine", argv, 3));
	cr_expect_not(speaks("bash /x/mine -c print(2)", argv, 3));
	cr_expect_not(speaks("bash /x/mine -c print(1) more", argv, 3));
}

Test(check_caller, names)
{
	struct caller *caller = caller_of("/usr/bin/node", "node /x/npm install");
	struct command command = {.program = "sh"};

	caller_name(caller->executed, "/usr/local/bin/npx");
	cr_assert(caller_introduce(caller, 0, &command));
	cr_expect_str_eq(command.caller, "node");
	cr_expect_str_eq(command.caller_script, "npm");
	cr_assert(caller_introduce(caller, 1, &command));
	cr_expect_str_eq(command.caller_script, "npx");
	cr_expect_not(caller_introduce(caller, 2, &command));
	free(caller);
}

Test(check_caller, what_depends_on_it)
{
	struct decision inside = DECISION_DENY(RULE_ARGV_INLINE), shape = DECISION_DENY(RULE_ARGV_SHAPE);
	struct decision name = DECISION_DENY(RULE_NAME_DENYLIST), allowed = DECISION_ALLOW;

	cr_expect(caller_matters(&inside));
	cr_expect(caller_matters(&shape));
	cr_expect_not(caller_matters(&name));
	cr_expect_not(caller_matters(&allowed));
}
