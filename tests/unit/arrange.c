/* SPDX-License-Identifier: MIT */
/* What the policy's group `start` makes of a command. */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "policy_image.h"
#include "run/arrange.h"

#define POLICY                                                                       \
	"extends = \"tool\"; start: { directory = \"private\"; stdin = \"empty\";\n" \
	"insert = ( { name = \"py*\"; arguments = [ \"-I\", \"-S\" ]; },\n"          \
	"           { name = \"pypy\"; arguments = []; } ); };"

struct arrange_case {
	const char *words[6];
	const char *wanted[8]; /* "@" stands for the folder that the command was given in */
};

static const struct arrange_case cases[] = {
	{{"echo", "x"}, {"echo", "x"}},
	{{"python3", "x.py", "a"}, {"python3", "-I", "-S", "x.py", "a"}},
	{{"/usr/bin/python3"}, {"/usr/bin/python3", "-I", "-S"}},
	{{"env", "A=1", "python3", "x.py"}, {"env", "A=1", "python3", "-I", "-S", "x.py"}},
	{{"pypy", "x.py"}, {"pypy", "x.py"}}, /* the last entry that fits */
	{{"cat", "test.cfg", "-n", "/etc"}, {"cat", "@/test.cfg", "-n", "/etc"}},
	{{"cat", "not-there"}, {"cat", "not-there"}},
	{{"test.cfg", "test.cfg"}, {"test.cfg", "@/test.cfg"}}, /* argv[0] is a name, not a file */
};

Test(arrange, words)
{
	struct failure failure = {""};
	struct policy *policy = test_policy(POLICY, &failure);
	struct image *image = test_image(POLICY, NULL);
	char program[PATH_MAX];

	cr_assert(policy, "%s", failure.text);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct arrangement arrangement = {0};
		size_t count = 0;

		cr_assert_eq(chdir(test_folder()), 0);
		strcpy(program, "./test.cfg");
		cr_assert(arrange(policy, image, (char *const *)(uintptr_t)cases[i].words, program, "/tmp", &arrangement,
				  &failure),
			  "%s", failure.text);
		for (; cases[i].wanted[count]; count++) {
			const char *wanted = cases[i].wanted[count];
			char text[PATH_MAX];

			snprintf(text, sizeof(text), "%s%s", wanted[0] == '@' ? test_folder() : "",
				 wanted + (wanted[0] == '@'));
			cr_assert(arrangement.argv[count], "case %zu ends before %s", i, text);
			cr_expect_str_eq(arrangement.argv[count], text, "case %zu", i);
		}
		cr_expect_null(arrangement.argv[count], "case %zu", i);
		cr_expect(arrangement.empty_stdin && arrangement.moved);
		snprintf(program + PATH_MAX / 2, PATH_MAX / 2, "%s/./test.cfg", test_folder());
		cr_expect_str_eq(program, program + PATH_MAX / 2);
		cr_expect_str_eq(getcwd(program, sizeof(program)), "/tmp");
		arrangement_free(&arrangement);
	}
	free(image);
	policy_free(policy);
}

Test(arrange, nothing_asked)
{
	struct failure failure = {""};
	struct policy *policy = test_policy("extends = \"none\";", &failure);
	struct image *image = test_image("extends = \"none\";", NULL);
	struct arrangement arrangement = {0};
	char python[] = "python3", file[] = "test.cfg", *words[] = {python, file, NULL}, program[PATH_MAX] = "python3";

	cr_assert_eq(chdir(test_folder()), 0);
	cr_assert(arrange(policy, image, words, program, "/tmp", &arrangement, &failure));
	cr_expect_str_eq(arrangement.argv[1], "test.cfg");
	cr_expect_null(arrangement.argv[2]);
	cr_expect(!arrangement.empty_stdin && !arrangement.moved);
	cr_expect_str_eq(program, "python3");
	arrangement_free(&arrangement);
	free(image);
	policy_free(policy);
}
