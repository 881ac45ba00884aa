/* SPDX-License-Identifier: MIT */
/* The shell-line reader at its bounds: depth, words, length, NUL bytes, and time that grows with the length only. */
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "shell/shell.h"

/* `count` copies of open, middle, and `count` copies of close. */
static char *repeat(const char *open, const char *middle, const char *close, size_t count)
{
	char *text = malloc(count * (strlen(open) + strlen(close)) + strlen(middle) + 1), *end = text;

	for (size_t i = 0; i < count; i++)
		end = stpcpy(end, open);
	end = stpcpy(end, middle);
	for (size_t i = 0; i < count; i++)
		end = stpcpy(end, close);
	return text;
}

static struct shell_line *read_repeated(const char *open, const char *middle, const char *close, size_t count)
{
	char *text = repeat(open, middle, close, count);
	struct shell_line *line = shell_read(text, strlen(text), SHELL_BASH);

	free(text);
	return line;
}

static const char *const nests[][3] = {
	{"$(", "rm x", ")"},
	{"( ", "rm x", ")"},
	{"{ ", "rm x", "; }"},
	{"\"$(", "rm x", ")\""},
	{"<(", "rm x", ")"},
	{"if a; then ", "rm x", "; fi"},
	{"${x:-", "$(rm x)", "}"},
	{"$((", "1", "))"},
	{"f() { ", "rm x", "; }"},
	{"$[", "1", "]"},
	{"a=(", "b", ")"},
	{"while a; do ", "b", "; done"},
	{"coproc ", "rm x", ""},
	{"eval ", "rm x", ""},
	{"case x in a) ", "rm x", ";; esac"},
	{"f() ", "{ a; }", ""},
	{"function f ", "{ a; }", ""},
	{"$((a) (", "b", "))"},
	{"${x[", "1", "]}"},
	{"[[ a && $(", "b", ") ]]"},
	{"`", "b", ""},
};

Test(shell, what_is_nested_too_deeply_is_an_error)
{
	for (size_t i = 0; i < sizeof(nests) / sizeof(*nests); i++) {
		struct shell_line *line = read_repeated(nests[i][0], nests[i][1], nests[i][2], 5001);

		cr_expect(line->error, "5001 times %s is read without an error", nests[i][0]);
		shell_free(line);
	}
}

Test(shell, sixty_levels_are_read)
{
	struct shell_line *line = read_repeated("$(", "rm x", ")", 60);

	cr_expect_null(line->error);
	cr_assert_eq(line->count, 61);
	cr_expect_str_eq(line->commands[0].words[0].text, "rm");
	cr_expect_eq(line->commands[0].depth, 60);
	shell_free(line);
}

Test(shell, too_many_words_are_an_error)
{
	struct shell_line *line = read_repeated("", "", " a", 65535);

	cr_expect_null(line->error);
	cr_assert_eq(line->count, 1);
	cr_expect_eq(line->commands[0].word_count, 65535);
	shell_free(line);
	line = read_repeated("", "", " a", 65537);
	cr_assert_not_null(line->error);
	cr_expect_str_eq(line->error, "too many words");
	shell_free(line);
}

Test(shell, a_nul_byte_is_an_error_with_its_position)
{
	struct shell_line *line = shell_read("ls a\0; rm x", 11, SHELL_POSIX);

	cr_assert_not_null(line->error);
	cr_expect_eq(line->error_position, 4);
	shell_free(line);
}

Test(shell, bytes_that_are_not_utf8_pass)
{
	struct shell_line *line = shell_read("ls \xff\xc3 '\x80'", 9, SHELL_BASH);

	cr_assert_null(line->error);
	cr_assert_eq(line->count, 1);
	cr_expect_str_eq(line->commands[0].words[1].text, "\xff\xc3");
	cr_expect_str_eq(line->commands[0].words[2].text, "\x80");
	shell_free(line);
}

Test(shell, an_empty_line_holds_nothing)
{
	struct shell_line *line = shell_read(NULL, 0, SHELL_BASH);

	cr_expect_null(line->error);
	cr_expect_eq(line->count, 0);
	shell_free(line);
	shell_free(NULL);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The processor time that a line of so many bytes takes: the least of a few tries, as others on the machine lengthen it. */
static double least_seconds(const char *const *piece, size_t bytes)
{
	size_t count = bytes / (strlen(piece[0]) + strlen(piece[2]));
	double least = 1e9;

	for (int i = 0; i < 3; i++) {
		double started = seconds();

		shell_free(read_repeated(piece[0], piece[1], piece[2], count));
		started = seconds() - started;
		least = started < least ? started : least;
	}
	return least;
}

#define TIMES 8
#define GROWTH_MAX 24 /* between 8, which is linear, and 64, which is quadratic */
#define SHORT 0.05    /* seconds: what is over so soon cannot be told from noise, and nobody waits for it */

/* From 16 KiB to a MiB in two steps: what grows too fast is not waited for. */
static void expect_linear(const char *const *piece)
{
	double before = least_seconds(piece, 1 << 14), now;

	for (size_t bytes = (1 << 14) * TIMES; bytes <= 1 << 20; bytes *= TIMES, before = now) {
		now = least_seconds(piece, bytes);
		cr_assert(now < SHORT || now < GROWTH_MAX * before, "%zu bytes of %s%s: %.3f s, %d times less: %.4f s",
			  bytes, piece[0], piece[2], now, TIMES, before);
	}
}

/* Each line is up to a MiB of what once took a reader long. How fast the machine is does not count, only how it grows. */
Test(shell, time_grows_with_the_length_only)
{
	static const char *const pieces[][3] = {
		{"", "", "x"},
		{"'", "", "'"},
		{"\"", "", "\""},
		{"", "", ";a"},
		{"$((", "", "1))"},
		{"$((a) (", "", "))"},
		{"`a", "", "`"},
		{"", "'", "b\n"},
		{"", "a <<E", "\nx"},
		{"{a", "", ""},
		{"", "", "f(){ a;};"},
		{"", "", "alias a=b;"},
		{"", "", "f<<<x;"},
		{"", "", "eval 'a';"},
		{"a[", "", ""},
		{"", "", "\\\n"},
		{"", "", "((a) b) ;"},
		{"", "eval '", "a;"},
		{"", "", "a|"},
		{"", "", "1"},
		{"${x", "", "}"},
		{"[[ ", "", "]] "},
		{"", "", "if a;then b;fi;"},
		{"", "", "#"},
		{"{a,b}", "", ""},
		{"", "", "{a,b} "},
		{"{", "", "{a,"},
		{"{,", "", "}"},
	};

	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++)
		expect_linear(pieces[i]);
}
