/* SPDX-License-Identifier: MIT */
/* Patterns over values. */
#include <criterion/criterion.h>

#include "check/pattern.h"

static const struct row {
	const char *pattern, *text;
	bool fits, tame;
} rows[] = {
	{"", "", true, true},
	{"", "a", false, false},
	{"abc", "ABC", true, true},
	{"a*", "abc", true, true},
	{"*c", "abc", true, true},
	{"a*b*c", "aXbYbZc", true, true},
	{"a?c", "abc", true, true},
	{"a?c", "ac", false, false},
	{"[a-c]x", "Bx", true, true},
	{"[!a-c]x", "bx", false, false},
	{"[]a]", "]", true, true},
	{"a\\*", "a*", true, true},
	{"a\\*", "ab", false, false},
	{"#", "12345", true, true},
	{"#", "", false, false},
	{"x(#, #)", "x(1, 22)", true, true},
	{"x(#)", "x(1;y)", false, false},
	{"#5", "125", false, false},
	{"*#", "a1b22", true, true},
	{"less *", "less -R", true, true},
	{"less*", "less; id", true, false},
	{"less*", "less|id", true, false},
	{"a?b", "a;b", true, false},
	{"a;*", "a;b", true, true},
	{"*", "$(x)", true, false},
	{"*", "a\nb", true, false},
	{"[", "[", true, true},
};

Test(check_pattern, fits)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct span text = span_of(rows[i].text);

		cr_expect_eq(check_pattern(rows[i].pattern, text, false), rows[i].fits, "%s on %s", rows[i].pattern,
			     rows[i].text);
		cr_expect_eq(check_pattern(rows[i].pattern, text, true), rows[i].tame, "%s on %s, tame", rows[i].pattern,
			     rows[i].text);
	}
}

Test(check_pattern, ends_soon)
{
	char text[4096];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = 'a';
	cr_expect_not(check_pattern("*a*a*a*a*a*a*a*a*a*b", (struct span){text, sizeof(text)}, false));
}
