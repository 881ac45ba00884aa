/* SPDX-License-Identifier: MIT */
/* bridle doctor: what it finds, and that it does not claim what is not so. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backstop/backstop.h"
#include "session_of.h"

/* One run with up to four arguments; its answer as JSON. */
static json_t *ask(int *ret_status, const char *one, const char *two, const char *three)
{
	char *bridle = session_built("bridle");
	const char *argv[] = {bridle, "doctor", "--json", one, two, three, NULL};
	struct session_of session = session_start(argv, NULL);
	json_t *answer = json_loads(session.output, 0, NULL);

	*ret_status = session.status;
	cr_expect(answer || session.status == 125, "%s%s", session.output, session.errors);
	session_free(&session);
	free(bridle);
	return answer;
}

static const json_t *canary(const json_t *answer, const char *name)
{
	const json_t *list = json_object_get(answer, "canaries");

	for (size_t i = 0; i < json_array_size(list); i++)
		if (!strcmp(session_field(json_array_get(list, i), "name"), name))
			return json_array_get(list, i);
	return NULL;
}

/* Skips what needs a backstop where there is none; the canaries are copies of bridle, which a sanitizer keeps from preloads. */
static void need_backstop(void)
{
#ifdef __SANITIZE_ADDRESS__
	cr_skip_test("built with a sanitizer");
#endif
	if (backstop_obstacle())
		cr_skip_test("%s", backstop_obstacle());
}

Test(doctor, catches_every_canary)
{
	json_t *answer;
	int status;

	need_backstop();
	answer = ask(&status, NULL, NULL, NULL);
	cr_assert_not_null(answer);
	cr_expect_eq(status, 0);
	cr_expect(json_is_true(json_object_get(answer, "well")));
	cr_expect_str_eq(session_field(answer, "backstop"), "on");
	cr_expect_eq(json_array_size(json_object_get(answer, "canaries")), 7);
	for (size_t i = 0; i < json_array_size(json_object_get(answer, "canaries")); i++) {
		const json_t *each = json_array_get(json_object_get(answer, "canaries"), i);
		const char *outcome = session_field(each, "outcome");

		cr_expect(!strcmp(outcome, "caught") || !strcmp(outcome, "not tried"), "%s: %s, %s",
			  session_field(each, "name"), outcome, session_field(each, "detail"));
	}
	cr_expect_not_null(strstr(session_field(canary(answer, "static"), "detail"), "backstop"));
	cr_expect_not_null(strstr(session_field(canary(answer, "dynamic"), "detail"), "shim"));
	json_decref(answer);
}

/* Without a backstop a static program escapes: that is said, and no promise is broken. */
Test(doctor, says_what_is_not_caught)
{
	json_t *answer;
	int status;

	need_backstop();
	answer = ask(&status, "--set=coverage.backstop=off", NULL, NULL);
	cr_assert_not_null(answer);
	cr_expect_eq(status, 0);
	cr_expect_eq(strncmp(session_field(answer, "backstop"), "off", 3), 0);
	cr_expect_str_eq(session_field(canary(answer, "dynamic"), "outcome"), "caught");
	cr_expect_str_eq(session_field(canary(answer, "static"), "outcome"), "not caught");
	cr_expect_str_eq(session_field(canary(answer, "raw"), "outcome"), "not caught");
	cr_expect(json_is_false(json_object_get(canary(answer, "static"), "promised")));
	json_decref(answer);
}

/* The machine lets it try and refuses when it comes to it: what was promised is not caught, and doctor says so. */
Test(doctor, a_broken_promise)
{
	char *bridle = session_built("bridle"), *wrapper = session_built("backstop/older");
	const char *argv[] = {wrapper, "forbidden", bridle, "doctor", "--json", NULL};
	struct session_of session;
	json_t *answer;

	need_backstop();
	session = session_start(argv, NULL);
	answer = json_loads(session.output, 0, NULL);
	cr_assert_not_null(answer, "%s%s", session.output, session.errors);
	cr_expect_eq(session.status, 1);
	cr_expect(json_is_false(json_object_get(answer, "well")));
	cr_expect_str_eq(session_field(canary(answer, "dynamic"), "outcome"), "caught");
	cr_expect_str_eq(session_field(canary(answer, "static"), "outcome"), "not caught");
	cr_expect(json_is_true(json_object_get(canary(answer, "static"), "promised")));
	json_decref(answer);
	session_free(&session);
	free(bridle);
	free(wrapper);
}

Test(doctor, audit_reports_and_does_not_refuse)
{
	json_t *answer;
	int status;

	need_backstop();
	answer = ask(&status, "--set=mode=audit", NULL, NULL);
	cr_assert_not_null(answer);
	cr_expect_eq(status, 0);
	cr_expect_str_eq(session_field(canary(answer, "static"), "outcome"), "reported");
	json_decref(answer);
}

/* What libc reads for itself: found in this libc, or judged because the policy wants it. */
Test(doctor, libc_is_trusted_or_judged)
{
	json_t *answer;
	int status;

	need_backstop();
	answer = ask(&status, NULL, NULL, NULL);
	cr_expect_str_eq(session_field(answer, "libc"), "trusted, from 2 places of its code");
	json_decref(answer);
	answer = ask(&status, "--set=coverage.libc=judged", NULL, NULL);
	cr_expect_eq(strncmp(session_field(answer, "libc"), "judged", 6), 0);
	json_decref(answer);
}

static void expect_cover(const char *program, const char *kind, const char *option, bool shim, bool backstop, int status)
{
	int got;
	json_t *answer = ask(&got, program, option, NULL);
	const json_t *cover = json_object_get(answer, "program");

	cr_assert_not_null(cover, "%s", program);
	cr_expect_eq(got, status, "%s", program);
	cr_expect_str_eq(session_field(cover, "kind"), kind);
	cr_expect_eq(json_is_true(json_object_get(cover, "shim")), shim, "%s", program);
	cr_expect_eq(json_is_true(json_object_get(cover, "backstop")), backstop, "%s", program);
	json_decref(answer);
}

Test(doctor, knows_how_a_program_is_covered)
{
	char *probe = session_built("backstop/plain-static");

	need_backstop();
	expect_cover("ls", "dynamic", NULL, true, true, 0);
	expect_cover("ls", "dynamic", "--set=coverage.backstop=off", true, false, 0);
	expect_cover(probe, "static", NULL, false, true, 0);
	expect_cover(probe, "static", "--set=coverage.backstop=off", false, false, 1);
	free(probe);
}

static bool lists(const json_t *list, const char *name)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (!strcmp(session_field(json_array_get(list, i), "name"), name))
			return true;
	return false;
}

Test(doctor, lists_symbols)
{
	int status;
	json_t *answer = ask(&status, "--symbols", NULL, NULL);

	cr_assert_not_null(answer);
	cr_expect(lists(answer, "open64") && lists(answer, "execve"));
	cr_expect_not(lists(answer, "stat"));
	json_decref(answer);
	answer = ask(&status, "--symbols", "/bin/ls", NULL);
	cr_assert_not_null(answer);
	cr_expect(lists(json_object_get(answer, "guarded"), "opendir"));
	cr_expect_not(lists(json_object_get(answer, "unguarded"), "opendir"));
	cr_expect(lists(json_object_get(answer, "unguarded"), "getcwd"));
	json_decref(answer);
}

Test(doctor, bad_input)
{
	static const char *const words[][2] = {
		{"--symbols", "/etc/passwd"},
		{"--symbols", "/nowhere"},
		{"no-such-program", NULL},
		{"--profile", "nonesuch"},
		{"one", "two"},
		{"--bogus", NULL},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		int status;
		json_t *answer = ask(&status, words[i][0], words[i][1], NULL);

		cr_expect_eq(status, 125, "%s: %d", words[i][0], status);
		json_decref(answer);
	}
}
