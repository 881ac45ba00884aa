/* SPDX-License-Identifier: MIT */
/*
 * What a preload cannot see, under the built bridle: every guarded call made raw, by programs that are dynamic, static
 * and linked against musl, inside the rules (as without bridle) and outside (refused and told once).
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "backstop_world.h"

TestSuite(backstop, .init = backstop_world_open, .fini = backstop_world_close, .timeout = 300);

static void allowed(const char *program)
{
	struct session_of bare, guarded;

	if (!world_has(program))
		cr_skip_test("%s is not built here", program);
	world_prepare(world_in(world_inside, "bare"));
	world_prepare(world_in(world_inside, "guarded"));
	bare = world_natively(program, "sweep", world_in(world_inside, "bare"));
	setenv("FOLDER", world_in(world_inside, "guarded"), 1);
	guarded = world_run(OPEN_NETWORK, program, "sweep");
	cr_expect_eq(guarded.status, 0, "%s", guarded.errors);
	cr_expect_str_eq(guarded.output, bare.output, "without bridle:\n%s\nwith:\n%s", bare.output, guarded.output);
	cr_expect_eq(session_count(&guarded, "verdict", "deny"), 0);
	session_free(&bare);
	session_free(&guarded);
}

static void refused(const char *program, const char *coverage)
{
	struct session_of session;
	size_t doors = 0;
	char *before, *after, *line, *rest;

	if (!world_has(program))
		cr_skip_test("%s is not built here", program);
	world_prepare(world_outside);
	before = world_picture(world_outside);
	session = world_run(SHUT_NETWORK, program, "sweep");
	after = world_picture(world_outside);
	cr_expect_str_eq(after, before, "something was changed");
	for (line = strtok_r(session.output, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest), doors++)
		cr_expect_not_null(strstr(line, " EACCES"), "%s", line);
	cr_expect_gt(doors, 30);
	/* one line for each */
	cr_expect_eq(session_count(&session, "verdict", "deny"), doors);
	cr_expect_eq(session_count(&session, "via", "shim"), 0);
	cr_expect_geq(session_count(&session, "rule", coverage), 1);
	session_free(&session);
	free(before);
	free(after);
}

Test(backstop, raw_calls_inside)
{
	allowed("backstop/doors");
}

Test(backstop, static_calls_inside)
{
	allowed("backstop/doors-static");
}

Test(backstop, musl_calls_inside)
{
	allowed("backstop/doors-musl");
}

Test(backstop, raw_calls_outside)
{
	refused("backstop/doors", "coverage.raw");
}

Test(backstop, static_calls_outside)
{
	refused("backstop/doors-static", "coverage.static");
}

Test(backstop, musl_calls_outside)
{
	refused("backstop/doors-musl", "coverage.static");
}

/* The same rule and the same words, whoever caught it; the call is the system call's name. */
Test(backstop, lines_read_alike)
{
	const char *file = world_in(world_outside, "file");
	struct session_of covered, bare;
	const json_t *one, *other;

	world_prepare(world_outside);
	covered = world_run("", "backstop/plain", NULL);
	bare = world_run("", "backstop/plain-static", NULL);
	one = session_line(&covered, "verdict", "deny");
	other = session_line(&bare, "verdict", "deny");
	cr_assert(one && other);
	cr_expect_str_eq(session_field(one, "via"), "shim");
	cr_expect_str_eq(session_field(other, "via"), "backstop");
	cr_expect_str_eq(session_field(other, "call"), "openat");
	cr_expect_str_eq(session_field(other, "rule"), session_field(one, "rule"));
	cr_expect_str_eq(session_field(other, "reason"), session_field(one, "reason"));
	cr_expect_str_eq(session_field(other, "path"), file);
	cr_expect_str_eq(session_field(other, "errno"), "EACCES");
	cr_expect_str_eq(covered.output, bare.output);
	cr_expect_eq(session_count(&covered, "verdict", "deny"), 1);
	cr_expect_eq(session_count(&bare, "verdict", "deny"), 1);
	session_free(&covered);
	session_free(&bare);
}

#define JUDGE_LIBC "coverage: { libc = \"judged\"; };\n"

#define LIBC_JUDGED "coverage: { uncovered = \"allow\"; libc = \"judged\"; };\n"

/* How many calls stopped in the supervisor, as the session's last line says; -1: it says nothing. */
static long long stopped_in(const struct session_of *session)
{
	long long count = -1;

	for (size_t i = 0; i < json_array_size(session->report); i++) {
		const json_t *value = json_object_get(json_array_get(session->report, i), "stopped");

		count = value ? json_integer_value(value) : count;
	}
	return count;
}

/* Those of `lane TIMES`. */
static long long stopped(const char *further, const char *times)
{
	struct session_of session = world_run(further, "backstop/lane", times);
	long long count = stopped_in(&session);

	cr_expect_str_eq(session.output, "0 wrong\n", "%s", session.errors);
	cr_expect_eq(session_count(&session, "verdict", "deny"), 0);
	session_free(&session);
	return count;
}

/* What the shim has judged passes in the kernel, and what libc reads for itself: nothing stops, however long it works. */
Test(backstop, covered_programs_do_not_stop)
{
	long long once = stopped(OPEN_NETWORK, "1"), often = stopped(OPEN_NETWORK, "50");

	cr_expect_eq(once, 0, "%lld", once);
	cr_expect_eq(often, once, "once %lld, often %lld", once, often);
}

/* Where libc is judged, the loader and libc's own insides stop, and nothing else. */
Test(backstop, libc_alone_stops_where_it_is_judged)
{
	long long once = stopped(OPEN_NETWORK LIBC_JUDGED, "1"), often = stopped(OPEN_NETWORK LIBC_JUDGED, "50");

	cr_expect_gt(once, 0, "%lld", once);
	cr_expect_eq(often, once, "once %lld, often %lld", once, often);
}

/* The same comes of it, trusted or judged; only judged it stops. */
Test(backstop, libc_reads_for_itself)
{
	struct session_of bare = world_natively("life/reader", "libc", world_inside);
	struct session_of trusted = world_run("", "life/reader", "libc");
	struct session_of judged = world_run(LIBC_JUDGED, "life/reader", "libc");

	cr_expect_str_eq(trusted.output, bare.output, "%s", trusted.errors);
	cr_expect_str_eq(judged.output, bare.output, "%s", judged.errors);
	cr_expect_not_null(strstr(bare.output, "library loaded\n"), "%s", bare.output);
	cr_expect_eq(session_count(&trusted, "verdict", "deny") + session_count(&judged, "verdict", "deny"), 0);
	cr_expect_eq(stopped_in(&trusted), 0, "%lld", stopped_in(&trusted));
	cr_expect_gt(stopped_in(&judged), 0, "%lld", stopped_in(&judged));
	session_free(&bare);
	session_free(&trusted);
	session_free(&judged);
}

/* Trusting libc trusts nobody else: plain reading behind its back is refused and told, in a program as in a library. */
static void caught(const char *way, const char *via)
{
	struct session_of session = world_run("", "life/reader", way);
	const json_t *line = session_line(&session, "verdict", "deny");

	cr_expect_str_eq(session.output, "EACCES\n", "%s: %s", way, session.output);
	cr_expect_eq(session_count(&session, "verdict", "deny"), 1, "%s", way);
	cr_expect_str_eq(session_field(line, "via"), via, "%s", way);
	cr_expect_str_eq(session_field(line, "path"), world_in(world_outside, "file"), "%s", way);
	session_free(&session);
}

Test(backstop, nobody_else_is_taken_for_libc)
{
	world_prepare(world_outside);
	caught("raw", "backstop");
	caught("syscall", "shim");
	caught("library", "backstop");
}
