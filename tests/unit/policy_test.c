/* SPDX-License-Identifier: MIT */
/* bridle policy test: TAP for labelled commands, and what it says of files that hold none. */
#include "policy_test.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdlib.h>
#include <unistd.h>

#include "policy_image.h"

static int run(const char *cases, const char *profile)
{
	char *file = test_file("cases.jsonl", cases), *files[] = {file};
	struct policy_choice choice = {.profile = profile, .root = test_folder()};
	int status = policy_test(&choice, files, 1);

	unlink(file);
	free(file);
	fflush(stdout);
	return status;
}

Test(policy_test, all_as_expected, .init = cr_redirect_stdout)
{
	cr_expect_eq(run("{\"id\": \"a\", \"argv\": [\"echo\", \"x # y\"], \"expect\": \"allow\"}\n\n"
			 "{\"argv\": [\"sudo\", \"ls\"], \"expect\": \"deny\", \"rule\": \"name.denylist\"}\n"
			 "{\"id\": \"c\", \"argv\": [\"true; sudo ls\"], \"shell\": true, \"expect\": \"deny\"}\n",
			 "tool"),
		     0);
	cr_expect_stdout_eq_str("TAP version 13\n1..3\nok 1 - a: echo x ? y\nok 2 - case: sudo ls\n"
				"ok 3 - c: true; sudo ls\n# 3 of 3 as expected\n");
}

Test(policy_test, not_as_expected, .init = cr_redirect_stdout)
{
	cr_expect_eq(run("{\"id\": \"a\", \"argv\": [\"echo\"], \"expect\": \"deny\"}\n"
			 "{\"id\": \"b\", \"argv\": [\"true\"], \"expect\": \"deny\", \"debatable\": true}\n",
			 "tool"),
		     1);
	cr_expect_stdout_eq_str("TAP version 13\n1..2\nnot ok 1 - a: echo\n  ---\n  expected: deny\n  got: allow\n  ...\n"
				"not ok 2 - b: true # TODO debatable\n  ---\n  expected: deny\n  got: allow\n  ...\n"
				"# 1 of 2 as expected\n");
}

Test(policy_test, another_rule, .init = cr_redirect_stdout)
{
	cr_expect_eq(run("{\"argv\": [\"sudo\"], \"expect\": \"deny\", \"rule\": \"argv.shape\"}\n", "tool"), 1);
}

Test(policy_test, bad_files, .init = cr_redirect_stderr)
{
	static const char *const bad[] = {
		"{\"argv\": [\"x\"]\n",
		"[]\n",
		"{\"argv\": [], \"expect\": \"deny\"}\n",
		"{\"argv\": \"x\", \"expect\": \"deny\"}\n",
		"{\"argv\": [1], \"expect\": \"deny\"}\n",
		"{\"argv\": [\"x\"], \"expect\": \"maybe\"}\n",
		"{\"argv\": [\"x\"]}\n",
		"{\"argv\": [\"x\", \"y\"], \"shell\": true, \"expect\": \"deny\"}\n",
	};
	struct policy_choice choice = {.profile = "tool", .root = test_folder()};
	char missing[] = "/nonexistent/cases", *files[] = {missing};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_expect_eq(run(bad[i], "tool"), 2, "%s", bad[i]);
	cr_expect_eq(policy_test(&choice, files, 1), 2);
	cr_expect_eq(policy_test(&choice, NULL, 0), 2);
}
