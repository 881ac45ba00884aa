/* SPDX-License-Identifier: MIT */
/* Scripts of stream editors and of patterns and actions: what runs a program or writes where it likes. */
#include <criterion/criterion.h>

#include "check/language.h"

struct row {
	const char *script;
	bool harms;
};

static void expect(enum image_role role, const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		cr_expect_eq(check_language(role, span_of(rows[i].script)), rows[i].harms, "%s", rows[i].script);
}

Test(check_language, edit)
{
	static const struct row rows[] = {
		{"", false},
		{"p", false},
		{"1,20p", false},
		{"$d", false},
		{"/a/,/b/p", false},
		{"/e/d", false},
		{"\\,e,d", false},
		{"s/a/b/", false},
		{"s/e/w/g", false},
		{"s|/e/|w|", false},
		{"s/[/e]/x/", false},
		{"s/a\\/e/b/g;p", false},
		{"y/abc/def/", false},
		{"1a\\text e", false},
		{"a e\np", false},
		{"i\\\ne\\\ne", false},
		{":e;be", false},
		{"# e", false},
		{"/x/{s/a/b/;p}", false},
		{"1!G;h;$!d", false},
		{"0~3d", false},
		{"2q5", false},
		{"s/a/b/w out.txt", false},
		{"w /dev/stdout", false},
		{"r header.txt", false},
		{"e", true},
		{"1e id", true},
		{"/x/e id", true},
		{"s/a/b/e", true},
		{"s/a/b/gep", true},
		{"s/a/b/;e", true},
		{"p\ne id", true},
		{"/x/{e id\n}", true},
		{"1,3!e id", true},
		{"/[/]/e x", true},
		{"s/a/b/w /etc/x", true},
		{"w ../x", true},
		{"w .git/hooks/x", true},
		{"w ~/x", true},
		{"r /etc/passwd", true},
		{"R /etc/passwd", true},
		{"W /x", true},
		{"s/a/b", true},
		{"s", true},
		{"/a", true},
		{"\\xaxe", true},
	};

	expect(IMAGE_ROLE_EDIT, rows, sizeof(rows) / sizeof(rows[0]));
}

Test(check_language, actions)
{
	static const struct row rows[] = {
		{"", false},
		{"{print $1}", false},
		{"NR==1;END{print NR}", false},
		{"$1 > 5", false},
		{"/a|b/", false},
		{"/system(\"x\")/", false},
		{"{print \"system(x) | sh\"}", false},
		{"# system(\"x\")\n{print}", false},
		{"{x = a / b; y = c / d}", false},
		{"a || b { print }", false},
		{"{print (a > b)}", false},
		{"{printf \"%s|%s\\n\", $1, $2}", false},
		{"{print > \"out.txt\"}", false},
		{"{print >> \"/dev/stderr\"}", false},
		{"{systematic(1)}", false},
		{"{getline line}", false},
		{"{if (x > y) z}", false},
		{"{system(\"id\")}", true},
		{"{system (\"id\")}", true},
		{"BEGIN{x=1; system(\"id\")}", true},
		{"{print | \"sh\"}", true},
		{"{print |& \"sh\"}", true},
		{"{\"id\" | getline x}", true},
		{"{print > \"/tmp/x\"}", true},
		{"{print >> \"../x\"}", true},
		{"{print > $1}", true},
		{"{print(\"a\") > \"/x\"}", true},
		{"{getline x < \"/etc/passwd\"}", true},
		{"@load \"x\"", true},
		{"{x = a / b; system(\"id\") / c}", true},
		{"/[/]/{system(\"id\")}", true},
		{"{print \"\\\"\" | \"sh\"}", true},
	};

	expect(IMAGE_ROLE_ACTIONS, rows, sizeof(rows) / sizeof(rows[0]));
}
