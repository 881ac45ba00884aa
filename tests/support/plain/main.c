/* SPDX-License-Identifier: MIT */
/* Runs the tests that were kept (criterion/criterion.h beside this) and says how many failed. */
#include <criterion/criterion.h>
#include <stdarg.h>

#define TESTS_MAX 256
#define SUITES_MAX 16

struct test {
	const char *suite, *name;
	void (*body)(void);
};

struct suite {
	const char *name;
	struct plain_options options;
};

static struct test tests[TESTS_MAX];
static struct suite suites[SUITES_MAX];
static size_t test_count, suite_count;
static unsigned failures;

void plain_add(const char *suite, const char *name, void (*body)(void))
{
	if (test_count == TESTS_MAX)
		abort();
	tests[test_count++] = (struct test){suite, name, body};
}

void plain_suite(const char *suite, struct plain_options options)
{
	if (suite_count == SUITES_MAX)
		abort();
	suites[suite_count++] = (struct suite){suite, options};
}

void plain_fail(const char *file, int line, const char *what, const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "%s:%d: %s", file, line, what);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	failures++;
}

static struct plain_options options_of(const struct test *test)
{
	for (size_t i = 0; i < suite_count; i++)
		if (!strcmp(suites[i].name, test->suite))
			return suites[i].options;
	return (struct plain_options){0};
}

int main(void)
{
	for (size_t i = 0; i < test_count; i++) {
		struct plain_options options = options_of(&tests[i]);
		unsigned before = failures;

		if (options.init)
			options.init();
		tests[i].body();
		if (options.fini)
			options.fini();
		if (failures != before)
			fprintf(stderr, "failed: %s::%s\n", tests[i].suite, tests[i].name);
	}
	printf("%zu tests, %u expectations failed\n", test_count, failures);
	return failures || !test_count;
}
