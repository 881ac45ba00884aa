/* SPDX-License-Identifier: MIT */
/* The environment that a child gets, whatever the program made of its own. */
#include "inherit.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHIM "/tmp/bridle-1/libbridle.so"
#define SESSION "/tmp/bridle-1"
#define OURS "LD_PRELOAD=" SHIM
#define WORDS 8

static const struct inherit inherit = {.preload = SHIM, .session = SESSION};

struct row {
	const char *given[WORDS];
	bool right;
	const char *wanted[WORDS];
};

static const struct row rows[] = {
	{{NULL}, false, {OURS, "BRIDLE_SESSION=" SESSION}},
	{{"A=1", "B=2"}, false, {"A=1", "B=2", OURS, "BRIDLE_SESSION=" SESSION}},
	{{OURS, "BRIDLE_SESSION=" SESSION, "A=1"}, true, {OURS, "BRIDLE_SESSION=" SESSION, "A=1"}},
	/* Other entries are kept behind ours, once. */
	{{"LD_PRELOAD=own.so", "A=1"}, false, {OURS ":own.so", "A=1", "BRIDLE_SESSION=" SESSION}},
	{{"LD_PRELOAD=a.so " SHIM ":b.so"}, false, {OURS ":a.so:b.so", "BRIDLE_SESSION=" SESSION}},
	{{OURS ":b.so", "BRIDLE_SESSION=" SESSION}, true, {OURS ":b.so", "BRIDLE_SESSION=" SESSION}},
	{{OURS " b.so", "BRIDLE_SESSION=" SESSION}, true, {OURS ":b.so", "BRIDLE_SESSION=" SESSION}},
	{{"LD_PRELOAD=", "BRIDLE_SESSION="}, false, {OURS, "BRIDLE_SESSION=" SESSION}},
	/* The shim's path must be a whole entry. */
	{{OURS "2", "BRIDLE_SESSION=" SESSION}, false, {OURS ":" SHIM "2", "BRIDLE_SESSION=" SESSION}},
	/* What an inner session appended stays; another's folder in our place does not. */
	{{OURS, "BRIDLE_SESSION=" SESSION ":/tmp/bridle-2"}, true, {OURS, "BRIDLE_SESSION=" SESSION ":/tmp/bridle-2"}},
	{{OURS, "BRIDLE_SESSION=/tmp/bridle-12"}, false, {OURS, "BRIDLE_SESSION=" SESSION}},
	{{OURS, "BRIDLE_SESSION=" SESSION "2"}, false, {OURS, "BRIDLE_SESSION=" SESSION}},
	/* A second value would win in some programs. */
	{{OURS, "LD_PRELOAD=x.so", "BRIDLE_SESSION=" SESSION}, false, {OURS, "BRIDLE_SESSION=" SESSION}},
	/* Names that only begin alike, and strings that are no assignment, are not ours. */
	{{"LD_PRELOAD_X=1", "BRIDLE_SESSIONS=2", "LD_PRELOAD", ""},
	 false,
	 {"LD_PRELOAD_X=1", "BRIDLE_SESSIONS=2", "LD_PRELOAD", "", OURS, "BRIDLE_SESSION=" SESSION}},
};

static size_t count(const char *const *words)
{
	size_t number = 0;

	while (number < WORDS && words[number])
		number++;
	return number;
}

static void expect_row(size_t number, const struct row *row)
{
	char *given[WORDS + 1] = {NULL}, *vector[WORDS + 4], *text;
	size_t size, wanted = count(row->wanted), got = 0;

	memcpy(given, row->given, sizeof(row->given));
	cr_expect_eq(inherit_is_right(&inherit, given), row->right, "row %zu: right", number);
	size = inherit_text_size(&inherit, given);
	text = malloc(size); /* to the byte: a sanitizer sees one too many */
	inherit_build(&inherit, given, vector, text);
	while (vector[got])
		got++;
	cr_assert_eq(got, wanted, "row %zu: %zu strings", number, got);
	for (size_t i = 0; i < wanted; i++)
		cr_expect_str_eq(vector[i], row->wanted[i], "row %zu, string %zu: %s", number, i, vector[i]);
	cr_expect_arr_eq(given, row->given, sizeof(row->given), "row %zu: the caller's vector was written", number);
	free(text);
}

Test(inherit, keeps_the_guardrail_and_everything_else)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		expect_row(i, &rows[i]);
}

Test(inherit, takes_no_environment_for_an_empty_one)
{
	char *vector[3], text[256];

	cr_assert_not(inherit_is_right(&inherit, NULL));
	cr_assert_leq(inherit_text_size(&inherit, NULL), sizeof(text));
	inherit_build(&inherit, NULL, vector, text);
	cr_assert_str_eq(vector[0], OURS);
	cr_assert_str_eq(vector[1], "BRIDLE_SESSION=" SESSION);
	cr_assert_null(vector[2]);
}

Test(inherit, does_not_change_what_it_made)
{
	char *given[] = {(char *)(size_t) "LD_PRELOAD=x.so", NULL}, *vector[4], text[256];

	inherit_build(&inherit, given, vector, text);
	cr_assert(inherit_is_right(&inherit, vector));
}
