/* SPDX-License-Identifier: MIT */
/* Metacharacters in argv: any, operators, off; and what the tables know to be data. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "check/structure.h"
#include "policy_image.h"

struct row {
	const char *argv[6];
	int any, operators; /* the element that is refused; -1: none */
};

static const struct row rows[] = {
	{{"echo", "a;b"}, 1, -1},
	{{"echo", "a|b"}, 1, -1},
	{{"echo", "a&b"}, 1, -1},
	{{"echo", "a>b"}, 1, -1},
	{{"echo", "a<b"}, 1, -1},
	{{"echo", "`id`"}, 1, -1},
	{{"echo", "x", "$(id)"}, 2, -1},
	{{"echo", "$HOME", "(a)", "*"}, -1, -1},
	{{"ls", ";", "x"}, 1, 1},
	{{"ls", "&&", "x"}, 1, 1},
	{{"ls", "|", "x"}, 1, 1},
	{{"ls", "2>&1"}, 1, 1},
	{{"ls", "->"}, 1, 1},
	{{"ls;x", "y"}, 0, 0},
	{{"find", ".", "-exec", "wc", "{}", ";"}, -1, -1},
	{{"find", "(", "-name", "a;b", ")"}, -1, -1},
	{{"git", "commit", "-m", "fix; a > b"}, -1, -1},
	{{"grep", "a|b", "f;g"}, 2, -1},
	{{"sed", "s/;/,/", "f"}, -1, -1},
	{{"jq", ".a | .b", "f"}, -1, -1},
	{{"env", "A=1;2", "echo", "x;y"}, 3, -1},
	{{"cut", "-d;", "-f1", "f"}, -1, -1},
};

static void expect(const char *metachars, bool any)
{
	char text[128];
	struct image *image;

	snprintf(text, sizeof(text), "extends = \"tool\"; structure: { metachars = \"%s\"; };", metachars);
	image = test_image(text, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t argc = 0;
		int wanted = any ? rows[i].any : rows[i].operators;
		struct decision decision;

		while (argc < 6 && rows[i].argv[argc])
			argc++;
		decision = check_structure(image, (char *const *)rows[i].argv, argc);
		cr_expect_eq(decision.denied, wanted >= 0, "%s: row %zu", metachars, i);
		if (wanted >= 0)
			cr_expect(decision.element == wanted && decision.rule == RULE_STRUCTURE_METACHAR,
				  "%s: row %zu, element %d",
				  metachars, i, decision.element);
	}
	free(image);
}

Test(check_structure, any)
{
	expect("any", true);
}

Test(check_structure, operators)
{
	expect("operators", false);
}

Test(check_structure, off)
{
	struct image *image = test_image("extends = \"tool\"; structure: { metachars = \"off\"; };", NULL);
	static const char *const words[] = {"ls", ";", NULL};
	char *const *argv = (char *const *)words;

	cr_expect_not(check_structure(image, argv, 2).denied);
	cr_expect(check_structure(image, argv, 0).denied, "an empty argv is malformed all the same");
	free(image);
}
