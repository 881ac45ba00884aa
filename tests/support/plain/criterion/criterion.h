/* SPDX-License-Identifier: MIT */
/*
 * Criterion's name for what a few unit tests use of it, where Criterion itself is not built: another machine's programs in an
 * emulator. Tests run one after the other in one process; an assertion that fails ends the program, an expectation that
 * fails is counted.
 */
#ifndef BRIDLE_TESTS_PLAIN_CRITERION_H
#define BRIDLE_TESTS_PLAIN_CRITERION_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plain_options {
	void (*init)(void), (*fini)(void);
};

/* tests/support/plain/main.c: keeps a test, and a suite's options for its tests; counts a failure. */
void plain_add(const char *suite, const char *name, void (*body)(void));
void plain_suite(const char *suite, struct plain_options options);
void plain_fail(const char *file, int line, const char *what, const char *format, ...) __attribute__((format(printf, 4, 5)));

#define Test(suite, name)                                                   \
	static void suite##_##name(void);                                   \
	static void __attribute__((constructor)) suite##_##name##_add(void) \
	{                                                                   \
		plain_add(#suite, #name, suite##_##name);                   \
	}                                                                   \
	static void suite##_##name(void)

#define TestSuite(suite, ...)                                             \
	static void __attribute__((constructor)) suite##_options(void)    \
	{                                                                 \
		plain_suite(#suite, (struct plain_options){__VA_ARGS__}); \
	}                                                                 \
	_Static_assert(1, "takes the semicolon")

#define plain_check(good, what, ...) ((good) ? (void)0 : plain_fail(__FILE__, __LINE__, what, " " __VA_ARGS__))
#define plain_must(good, what, ...) ((good) ? (void)0 : (plain_fail(__FILE__, __LINE__, what, " " __VA_ARGS__), exit(1)))

#define cr_expect(good, ...) plain_check(good, #good, __VA_ARGS__)
#define cr_expect_not(bad, ...) plain_check(!(bad), "not " #bad, __VA_ARGS__)
#define cr_expect_eq(a, b, ...) plain_check((a) == (b), #a " == " #b, __VA_ARGS__)
#define cr_expect_neq(a, b, ...) plain_check((a) != (b), #a " != " #b, __VA_ARGS__)
#define cr_expect_lt(a, b, ...) plain_check((a) < (b), #a " < " #b, __VA_ARGS__)
#define cr_expect_leq(a, b, ...) plain_check((a) <= (b), #a " <= " #b, __VA_ARGS__)
#define cr_expect_not_null(a, ...) plain_check(a, #a, __VA_ARGS__)
#define cr_expect_null(a, ...) plain_check(!(a), "no " #a, __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...) plain_check(!strcmp(a, b), #a " is " #b, __VA_ARGS__)
#define cr_expect_str_neq(a, b, ...) plain_check(strcmp(a, b), #a " is not " #b, __VA_ARGS__)
#define cr_expect_arr_eq(a, b, size, ...) plain_check(!memcmp(a, b, size), #a " is " #b, __VA_ARGS__)
#define cr_assert(good, ...) plain_must(good, #good, __VA_ARGS__)
#define cr_assert_not(bad, ...) plain_must(!(bad), "not " #bad, __VA_ARGS__)
#define cr_assert_eq(a, b, ...) plain_must((a) == (b), #a " == " #b, __VA_ARGS__)
#define cr_assert_leq(a, b, ...) plain_must((a) <= (b), #a " <= " #b, __VA_ARGS__)
#define cr_assert_neq(a, b, ...) plain_must((a) != (b), #a " != " #b, __VA_ARGS__)
#define cr_assert_gt(a, b, ...) plain_must((a) > (b), #a " > " #b, __VA_ARGS__)
#define cr_assert_null(a, ...) plain_must(!(a), "no " #a, __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...) plain_must(!strcmp(a, b), #a " is " #b, __VA_ARGS__)
#define cr_assert_not_null(a, ...) plain_must(a, #a, __VA_ARGS__)
#define cr_assert_fail(...) plain_must(false, "reached", __VA_ARGS__)

#endif
