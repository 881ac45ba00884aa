/* SPDX-License-Identifier: MIT */
/* check_glob: shell patterns over one name. */
#include "check/glob.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

Test(check_glob, table)
{
	static const struct {
		const char *pattern, *text;
		bool fits;
	} rows[] = {
		{"", "", true},
		{"", "a", false},
		{"a", "", false},
		{"abc", "abc", true},
		{"abc", "abcd", false},
		{"*", "", true},
		{"*", "anything", true},
		{"*.pem", "a.pem", true},
		{"*.pem", ".pem", true},
		{"*.pem", "a.pem.x", false},
		{"a*b*c", "aXbYc", true},
		{"a*b*c", "aXcYb", false},
		{"a**c", "abc", true},
		{"?", "a", true},
		{"?", "", false},
		{"??", "a", false},
		{"[abc]", "b", true},
		{"[abc]", "d", false},
		{"[!abc]", "d", true},
		{"[^abc]", "a", false},
		{"[a-c]x", "bx", true},
		{"[a-c]x", "dx", false},
		{"[]a]", "]", true},
		{"[!]]", "a", true},
		{"[a-]", "-", true},
		{"[\\]]", "]", true},
		{"\\*", "*", true},
		{"\\*", "a", false},
		{"mkfs.*", "mkfs.ext4", true},
		{"mkfs.*", "mkfs", false},
		{"*a", "ba", true},
		{"*aab", "aaab", true},
		{"*[0-9]", "x7", true},
		{"*[0-9]", "7x", false},
		{"[", "[", true},
		{"a[", "a[", true},
		{"\xc3*", "\xc3\xa4", true},
		{"[\x80-\xff]", "\xa4", true},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_expect_eq(check_glob(rows[i].pattern, rows[i].text, strlen(rows[i].text)), rows[i].fits,
			     "\"%s\" over \"%s\"", rows[i].pattern, rows[i].text);
}

Test(check_glob, whole_patterns)
{
	static const char *const whole[] = {"", "a", "*", "[a]", "[]]", "\\[", "a\\\\", "[!]a]"};
	static const char *const broken[] = {"[", "[a", "[]", "[!]", "a\\", "x[a-"};

	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++)
		cr_expect(check_glob_is_whole(whole[i]), "%s", whole[i]);
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++)
		cr_expect_not(check_glob_is_whole(broken[i]), "%s", broken[i]);
}

/* The processor time of so many stars over ten times as many bytes that nearly fit: the least of a few tries. */
static double hostile_seconds(size_t stars)
{
	char *pattern = malloc(2 * stars + 1), *text = malloc(10 * stars + 1);
	double least = 1e9;

	for (size_t i = 0; i < stars; i++)
		memcpy(pattern + 2 * i, "*a", 3);
	memset(text, 'a', 10 * stars);
	text[10 * stars - 1] = 'b';
	for (int i = 0; i < 5; i++) {
		clock_t begin = clock();
		double spent;

		cr_expect_not(check_glob(pattern, text, 10 * stars));
		spent = (double)(clock() - begin) / CLOCKS_PER_SEC;
		least = spent < least ? spent : least;
	}
	free(pattern);
	free(text);
	return least;
}

/* Four times the pattern over four times the text: 16 times the time, and not 64 or endlessly more. */
Test(check_glob, hostile_patterns_take_no_exponential_time, .timeout = 300)
{
	double part = hostile_seconds(500), whole = hostile_seconds(2000);

	cr_expect(whole < 0.05 || whole < 32 * part, "%.4f s, and %.4f s for four times as much", part, whole);
}
