/* SPDX-License-Identifier: MIT */
/* Sessions on kernels that lack something: a filter around bridle answers as an older kernel would. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backstop_world.h"

#define ALLOW "uncovered = \"allow\"; "

TestSuite(backstop_kernels, .init = backstop_world_open, .fini = backstop_world_close, .timeout = 300);

/* `bridle run` of a static probe, where a feature is missing; the policy's words on coverage. */
static struct session_of older(const char *feature, const char *coverage, const char *program)
{
	char *build = session_built(""), *bridle = session_built("bridle"), *wrapper = session_built("backstop/older");
	char *probe = session_built(program), *report = strdup(world_in(world_inside, "report.jsonl"));
	char *policy = strdup(world_in(world_inside, "bridle.cfg"));
	const char *argv[] = {wrapper, feature, bridle, "run", "-q", "-C", world_inside, "--policy",
			      policy, "--report", report, "--", probe, NULL};
	struct session_of session;
	FILE *stream = fopen(policy, "we");

#ifdef __SANITIZE_ADDRESS__
	cr_skip_test("built with a sanitizer");
#endif
	cr_assert_not_null(stream);
	fprintf(stream,
		"extends = \"none\"; root = \"%s\"; coverage: { %s };\n"
		"paths: { write = [ \".\", \"/dev/null\" ]; tmp = \"shared\";\n"
		"         read = [ \"/usr\", \"/lib\", \"/lib64\", \"/etc/ld.so.cache\", \"%s\" ]; };\n"
		"environment: { inherit = [ \"*\" ]; };\n",
		world_inside, coverage, build);
	fclose(stream);
	remove(report);
	world_prepare(world_outside);
	session = session_start(argv, report);
	free(build);
	free(bridle);
	free(wrapper);
	free(probe);
	free(report);
	free(policy);
	return session;
}

/* As it was in the end. */
static const char *closing(const struct session_of *session, const char *key)
{
	const json_t *line = session_line(session, "event", "close");

	return line ? session_field(line, key) : "";
}

/* What only makes it faster or safer is done without. */
Test(backstop_kernels, works_without_what_is_newer)
{
	static const char both[] = ALLOW "backstop = \"on\"; landlock = \"on\";";
	static const char *const features[] = {"killable", "sync", "pidfd_getfd", "landlock"};

	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
		struct session_of session = older(features[i], both, "backstop/plain-static");

		cr_expect_str_eq(session.output, "EACCES\n", "%s: %s%s", features[i], session.output, session.errors);
		cr_expect_eq(session.status, 0);
		cr_expect_str_eq(closing(&session, "backstop"), "on", "%s", features[i]);
		cr_expect_eq(session_count(&session, "verdict", "deny"), 1);
		if (!strcmp(features[i], "landlock"))
			cr_expect_str_eq(session_field(session_line(&session, "event", "open"), "landlock"),
					 "off: this kernel has no Landlock");
		session_free(&session);
	}
}

/* Without what it is made of there is none: said in the session line, and refused where the policy insists. */
Test(backstop_kernels, says_what_it_lacks)
{
	static const struct {
		const char *feature, *words;
	} rows[] = {
		{"openat2", "off: this kernel has no openat2 (Linux 5.6)"},
		{"seccomp", "off: this kernel has no seccomp notification (Linux 5.5)"},
		{"notification", "off: this kernel has no seccomp notification (Linux 5.5)"},
		{"forbidden", "off: not permitted to install a seccomp filter"},
		{"listener", "off: Invalid argument"},
		{"busy", "off: a supervisor is already above this one (a session inside a session, a container runtime)"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct session_of session = older(rows[i].feature, ALLOW, "backstop/plain-static");

		cr_expect_str_eq(session.output, "opened\n", "%s: %s%s", rows[i].feature, session.output, session.errors);
		cr_expect_str_eq(closing(&session, "backstop"), rows[i].words, "%s", rows[i].feature);
		session_free(&session);
		session = older(rows[i].feature, ALLOW, "backstop/plain");
		cr_expect_str_eq(session.output, "EACCES\n", "%s: %s%s", rows[i].feature, session.output, session.errors);
		cr_expect_eq(session_count(&session, "via", "shim"), 1, "%s", rows[i].feature);
		session_free(&session);
		session = older(rows[i].feature, ALLOW "backstop = \"on\";", "backstop/plain-static");
		cr_expect_eq(session.status, 125, "%s", rows[i].feature);
		cr_expect_str_eq(session.output, "");
		cr_expect_not_null(strstr(session.errors, rows[i].words + strlen("off: ")), "%s", session.errors);
		session_free(&session);
	}
}

/* What only the backstop would have covered does not start when it turns out that there is none. */
Test(backstop_kernels, insists_where_nothing_else_covers)
{
	struct session_of session = older("forbidden", "uncovered = \"deny\";", "backstop/plain-static");

	cr_expect_eq(session.status, 125);
	cr_expect_str_eq(session.output, "");
	cr_expect_not_null(strstr(session.errors, "not permitted"), "%s", session.errors);
	session_free(&session);
	session = older("notification", "uncovered = \"deny\";", "backstop/plain-static");
	cr_expect_eq(session.status, 126);
	cr_expect_eq(session_count(&session, "rule", "coverage.static"), 1);
	session_free(&session);
}
