/* SPDX-License-Identifier: MIT */
/* Real programs that a preload cannot enter, or that shut themselves in, under the built bridle. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backstop_world.h"

TestSuite(backstop_programs, .init = backstop_world_open, .fini = backstop_world_close, .timeout = 300);

/* A Go program makes its calls itself: the same answers inside, and outside nothing but refusals, each told. */
Test(backstop_programs, go)
{
	static const char program[] = "backstop/day-go";
	struct session_of bare, guarded;
	char *before, *after, *line, *rest;
	size_t doors = 0;

	if (!world_has(program))
		cr_skip_test("no go");
	world_prepare(world_in(world_inside, "bare"));
	world_prepare(world_in(world_inside, "guarded"));
	bare = world_natively(program, NULL, world_in(world_inside, "bare"));
	setenv("FOLDER", world_in(world_inside, "guarded"), 1);
	guarded = world_run(OPEN_NETWORK, program, NULL);
	cr_expect_str_eq(guarded.output, bare.output, "%s%s", guarded.output, guarded.errors);
	cr_expect_eq(session_count(&guarded, "verdict", "deny"), 0);
	session_free(&bare);
	session_free(&guarded);
	world_prepare(world_outside);
	before = world_picture(world_outside);
	guarded = world_run(SHUT_NETWORK, program, NULL);
	after = world_picture(world_outside);
	cr_expect_str_eq(after, before, "something was changed");
	for (line = strtok_r(guarded.output, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest), doors++)
		cr_expect_not_null(strstr(line, " 13"), "%s", line);
	cr_expect_eq(doors, 10);
	cr_expect_geq(session_count(&guarded, "verdict", "deny"), doors);
	cr_expect_eq(session_count(&guarded, "via", "shim"), 0);
	cr_expect_geq(session_count(&guarded, "rule", "coverage.static"), 1);
	session_free(&guarded);
	free(before);
	free(after);
}

/* A static busybox, where there is one: its shell and applets make the calls that real static tools make. */
Test(backstop_programs, busybox)
{
	static const char *const box = "/usr/bin/busybox";
	const char *argv[] = {box, "sh", world_in(world_inside, "script"), NULL};
	char policy[1024], *before, *after;
	struct session_of session;
	FILE *script;

	if (access(box, X_OK))
		cr_skip_test("no busybox");
	world_prepare(world_outside);
	world_prepare(world_in(world_inside, "box"));
	script = fopen(world_in(world_inside, "script"), "we");
	cr_assert_not_null(script);
	fprintf(script,
		"cd %s/box\n"
		"for c in 'cat file' 'cp file copy' 'mv copy moved' 'ln -s moved l' 'rm moved l' \\\n"
		"  'mkdir -p a/b' 'touch a/b/c' 'chmod 600 file' 'tar cf t.tar a' 'rm -r a' 'tar xf t.tar' \\\n"
		"  'find . -name c' 'sed -i s/t/u/ file' 'ls -l'; do\n"
		"  busybox $c > /dev/null 2>&1 || echo \"inside: $c\"\n"
		"done\n"
		"cd %s\n"
		"for c in 'cat file' 'cp file copy' 'mv victim1 moved' 'ln -s file l' 'rm victim2' 'mkdir d' 'touch new' \\\n"
		"  'touch file' 'chmod 600 file' 'rm -r folder1' \\\n"
		"  'sed -i s/t/u/ file' 'dd if=file' 'truncate -s 0 file' 'rmdir folder1'; do\n"
		"  busybox $c > /dev/null 2>&1 && echo \"outside: $c\"\n"
		"done\n"
		"echo done\n",
		world_inside, world_outside);
	fclose(script);
	snprintf(policy, sizeof(policy),
		 "extends = \"none\"; root = \"%s\"; coverage: { uncovered = \"allow\"; };\n"
		 "paths: { write = [ \".\", \"/dev/null\" ]; read = [ \"/usr\", \"/bin\", \"/lib\" ]; tmp = \"shared\"; };\n"
		 "environment: { inherit = [ \"*\" ]; };\n",
		 world_inside);
	before = world_picture(world_outside);
	session = session_run(world_inside, policy, argv);
	after = world_picture(world_outside);
	cr_expect_str_eq(session.output, "done\n", "%s%s", session.output, session.errors);
	cr_expect_str_eq(after, before, "something was changed");
	cr_expect_geq(session_count(&session, "verdict", "deny"), 14);
	cr_expect_eq(session_count(&session, "via", "shim"), 0);
	session_free(&session);
	free(before);
	free(after);
}

/* What `make` says through a static shell is as trusted as through a dynamic one; what the shell says by itself is not. */
Test(backstop_programs, callers_of_a_static_shell)
{
	static const char *const box = "/usr/bin/busybox";
	static const char policy[] = "extends = \"tool\"; coverage: { uncovered = \"allow\"; };\n";
	const char *by_make[] = {"make", "-s", "-f", world_in(world_inside, "makefile"), "all", NULL};
	const char *by_itself[] = {box, "sh", world_in(world_inside, "script"), NULL};
	struct session_of session;
	FILE *stream;

	if (access(box, X_OK) || access("/usr/bin/make", X_OK) || access("/usr/bin/perl", X_OK))
		cr_skip_test("no busybox, make or perl");
	stream = fopen(world_in(world_inside, "makefile"), "we");
	fprintf(stream,
		"SHELL = %s\n.SHELLFLAGS = sh -c\nall:\n\t@: ; perl -e 'print \"said\\n\"'\n"
		"clean:\n\t@mkdir -p out; /bin/rm -r out; test -d out || echo swept\n"
		"home:\n\t@mkdir -p out; /bin/rm -r out ..; test -d out && echo kept\n",
		box);
	fclose(stream);
	stream = fopen(world_in(world_inside, "script"), "we");
	fputs("perl -e 'print \"said\\n\"'\n", stream);
	fclose(stream);
	session = session_run(world_inside, policy, by_make);
	cr_expect_str_eq(session.output, "said\n", "%s", session.errors);
	cr_expect_eq(session_count(&session, "verdict", "deny"), 0);
	session_free(&session);
	by_make[4] = "clean";
	session = session_run(world_inside, policy, by_make);
	cr_expect_str_eq(session.output, "swept\n", "%s", session.errors);
	session_free(&session);
	by_make[4] = "home";
	session = session_run(world_inside, policy, by_make);
	cr_expect_str_eq(session.output, "kept\n", "%s", session.errors);
	cr_expect_eq(session_count(&session, "rule", "argv.shape"), 1);
	session_free(&session);
	session = session_run(world_inside, policy, by_itself);
	cr_expect_str_eq(session.output, "", "%s", session.output);
	cr_expect_eq(session_count(&session, "rule", "argv.inline"), 1);
	cr_expect_eq(session_count(&session, "via", "backstop"), session_count(&session, "verdict", "deny") + 1);
	session_free(&session);
}

/* A program that shuts system calls off for itself goes on working. */
Test(backstop_programs, file)
{
	const char *argv[] = {"/usr/bin/file", "-b", "--mime-type", world_in(world_inside, "text"), NULL};
	struct session_of session;
	FILE *stream;

	if (access(argv[0], X_OK))
		cr_skip_test("no file");
	stream = fopen(world_in(world_inside, "text"), "we");
	fputs("some words\n", stream);
	fclose(stream);
	session = session_run(world_inside, "extends = \"tool\";\n", argv);
	cr_expect_str_eq(session.output, "text/plain\n", "%s", session.errors);
	cr_expect_eq(session_count(&session, "verdict", "deny"), 0);
	session_free(&session);
}

/* plain-static, started by the launcher or from a shell, under a policy that refuses what cannot be covered. */
static struct session_of uncovered(const char *backstop, bool from_shell)
{
	char policy[4096], *build = session_built(""), *path = session_built("backstop/plain-static");
	const char *argv[] = {from_shell ? "/bin/sh" : path, "-c", "\"$0\"; echo $?", path, NULL};
	struct session_of session;

	world_prepare(world_outside);
	snprintf(policy, sizeof(policy),
		 "extends = \"none\"; root = \"%s\"; coverage: { uncovered = \"deny\"; backstop = \"%s\"; };\n"
		 "paths: { write = [ \".\", \"/dev/null\" ]; tmp = \"shared\";\n"
		 "         read = [ \"/usr\", \"/bin\", \"/lib\", \"/lib64\", \"/etc/ld.so.cache\", \"%s\" ]; };\n"
		 "argv: { inline = \"allow\"; }; structure: { metachars = \"off\"; }; environment: { inherit = [ \"*\" ]; };\n",
		 world_inside, backstop, build);
	if (!from_shell)
		argv[1] = NULL;
	session = session_run(world_inside, policy, argv);
	free(build);
	free(path);
	return session;
}

/* What the backstop covers is not refused as uncovered; what it would have covered is where it is off. */
Test(backstop_programs, uncovered)
{
	for (int from_shell = 0; from_shell < 2; from_shell++) {
		struct session_of session = uncovered("auto", from_shell);

		cr_expect_str_eq(session.output, from_shell ? "EACCES\n0\n" : "EACCES\n", "%s", session.errors);
		cr_expect_eq(session_count(&session, "verdict", "deny"), 1);
		cr_expect_eq(session_count(&session, "rule", "path.jail"), 1);
		session_free(&session);
		session = uncovered("off", from_shell);
		cr_expect_str_eq(session.output, from_shell ? "126\n" : "", "%s", session.errors);
		cr_expect_eq(session.status, from_shell ? 0 : 126);
		cr_expect_eq(session_count(&session, "verdict", "deny"), 1);
		cr_expect_eq(session_count(&session, "rule", "coverage.static"), 1);
		session_free(&session);
	}
}

/* An emulator makes the calls of the program and of the shim in it from code of its own: each is judged once. */
Test(backstop_programs, valgrind)
{
	const char *argv[] = {"/usr/bin/valgrind", "-q", "--log-file=/dev/null", NULL, NULL};
	char *probe = session_built("backstop/plain"), policy[2048], *build = session_built("");
	struct session_of session;

	if (access(argv[0], X_OK))
		cr_skip_test("no valgrind");
	argv[3] = probe;
	world_prepare(world_outside);
	snprintf(policy, sizeof(policy), "extends = \"code\"; root = \"%s\"; paths: { read = [ \"%s\" ]; };\n"
					 "environment: { inherit = [ \"OUTSIDE\" ]; };\n",
		 world_inside, build);
	session = session_run(world_inside, policy, argv);
	cr_expect_str_eq(session.output, "EACCES\n", "%s", session.errors);
	cr_expect_eq(session_count(&session, "verdict", "deny"), 1);
	cr_expect_str_eq(session_field(session_line(&session, "verdict", "deny"), "via"), "shim");
	session_free(&session);
	free(probe);
	free(build);
}
