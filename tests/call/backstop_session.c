/* SPDX-License-Identifier: MIT */
/*
 * What a session says and does with its backstop, and what becomes of it without the launcher or inside another session.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backstop_world.h"

TestSuite(backstop_session, .init = backstop_world_open, .fini = backstop_world_close, .timeout = 300);

Test(backstop_session, audit_refuses_nothing)
{
	struct session_of session;
	const json_t *line;

	world_prepare(world_outside);
	session = world_run("mode = \"audit\";\n", "backstop/plain-static", NULL);
	line = session_line(&session, "verdict", "deny");
	cr_assert_not_null(line, "%s", session.errors);
	cr_expect(json_is_false(json_object_get(line, "enforced")));
	cr_expect_str_eq(session.output, "opened\n");
	session_free(&session);
}

static const char *backstop_of(const struct session_of *session)
{
	const json_t *line = session_line(session, "event", "open");

	return line ? session_field(line, "backstop") : "";
}

Test(backstop_session, the_session_line_says_what_is_in_force)
{
	struct session_of with, without;

	world_prepare(world_outside);
	with = world_run("", "backstop/plain-static", NULL);
	cr_expect_str_eq(backstop_of(&with), "on");
	cr_expect_str_eq(with.output, "EACCES\n");
	session_free(&with);
	without = world_run("coverage: { backstop = \"off\"; };\n", "backstop/plain-static", NULL);
	cr_expect_eq(strncmp(backstop_of(&without), "off", 3), 0);
	cr_expect_str_eq(without.output, "opened\n");
	session_free(&without);
}

/* Who outlives a killed launcher gets ENOSYS from the kernel, and does not hang. */
Test(backstop_session, a_killed_launcher)
{
	static const char *const box = "/usr/bin/busybox";
	char *bridle = session_built("bridle"), line[1024];
	const char *argv[] = {"/bin/sh", "-c", line, NULL};
	struct session_of session;
	FILE *stream = fopen(world_in(world_inside, "script"), "we");

#ifdef __SANITIZE_ADDRESS__
	cr_skip_test("a launcher with a sanitizer starts slowly");
#endif
	if (access(box, X_OK))
		cr_skip_test("no busybox");
	/* a grandchild: what the launcher started itself dies with it */
	fputs("(echo $PPID; i=0; until [ -e gone ] || [ $i = 2000 ]; do sleep 0.05; i=$((i + 1)); done\n"
	      "echo $(: 2>&1 < script)) &\nwait\n",
	      stream);
	fclose(stream);
	snprintf(line, sizeof(line),
		 "cd %s && mkfifo pipe && { %s run -q --profile tool --root . -- %s sh script > pipe & } && exec 3< pipe && "
		 "read launcher <&3 && kill -KILL $! && wait $!; > gone; cat <&3",
		 world_inside, bridle, box);
	session = session_start(argv, NULL);
	cr_expect_not_null(strstr(session.output, "Function not implemented"), "%s%s", session.output, session.errors);
	session_free(&session);
	free(bridle);
}

/* A session inside a session: the kernel allows one supervisor, the outer one's, and it goes on watching. */
Test(backstop_session, nested)
{
	char *bridle = session_built("bridle"), *probe = session_built("backstop/plain-static");
	char *build = session_built(""), policy[4096];
	const char *argv[] = {bridle, "run", "-q", "--policy", world_in(world_inside, "inner.cfg"), "--report",
			      world_in(world_inside, "inner.jsonl"), "--", probe, NULL};
	struct session_of session;
	FILE *stream = fopen(world_in(world_inside, "inner.cfg"), "we");

#ifdef __SANITIZE_ADDRESS__
	cr_skip_test("a launcher with a sanitizer cannot run under another");
#endif
	world_prepare(world_outside);
	fprintf(stream, "extends = \"none\"; paths: { write = [ \"/\" ]; tmp = \"shared\"; };\n"
			"environment: { inherit = [ \"*\" ]; };\n");
	fclose(stream);
	snprintf(policy, sizeof(policy),
		 "extends = \"none\"; root = \"%s\";\n"
		 "paths: { write = [ \".\", \"/tmp\", \"/dev/null\" ]; tmp = \"shared\";\n"
		 "         read = [ \"/usr\", \"/lib\", \"/lib64\", \"/bin\", \"/etc/ld.so.cache\", \"/proc\", \"%s\" ]; };\n"
		 "environment: { inherit = [ \"*\" ]; };\n",
		 world_inside, build);
	session = session_run(world_inside, policy, argv);
	cr_expect_str_eq(session.output, "EACCES\n", "%s%s", session.output, session.errors);
	cr_expect_eq(session_count(&session, "path", world_in(world_outside, "file")), 1);
	session_free(&session);
	argv[2] = "--set=coverage.backstop=on";
	session = session_run(world_inside, policy, argv);
	cr_expect_eq(session.status, 125);
	cr_expect_not_null(strstr(session.errors, "backstop"), "%s", session.errors);
	session_free(&session);
	free(bridle);
	free(probe);
	free(build);
}
