/* SPDX-License-Identifier: MIT */
/*
 * What a preload cannot see, under the built bridle: every guarded call made raw, by programs that are dynamic, static
 * and linked against musl, inside the rules (as without bridle) and outside (refused and told once).
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backstop/backstop.h"
#include "backstop/belt.h"
#include "session_of.h"

#define OPEN_NETWORK "network: { connect = \"allow\"; bind = \"allow\"; };\n"
#define SHUT_NETWORK "network: { connect = \"deny\"; };\n"

/* A folder for the session and one that its rules do not reach. */
static char inside[64], outside[64];

static const char *folder_in(const char *parent, const char *name)
{
	static char paths[4][128];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", parent, name);
	return path;
}

static void lay_out(void)
{
	if (backstop_obstacle())
		cr_skip_test("%s", backstop_obstacle());
	strcpy(inside, "/var/tmp/bridle-in-XXXXXX");
	strcpy(outside, "/var/tmp/bridle-out-XXXXXX");
	cr_assert_not_null(mkdtemp(inside));
	cr_assert_not_null(mkdtemp(outside));
	setenv("INSIDE", inside, 1);
	setenv("OUTSIDE", folder_in(outside, "file"), 1);
}

static void remove_tree(const char *folder)
{
	const char *argv[] = {"/bin/rm", "-rf", "--", folder, NULL};
	struct session_of removal;

	if (!folder[0])
		return;
	removal = session_start(argv, NULL);
	session_free(&removal);
}

static void clear(void)
{
	remove_tree(inside);
	remove_tree(outside);
}

TestSuite(backstop, .init = lay_out, .fini = clear, .timeout = 120);

/* The rules of these tests: the session's folder, what programs need to start, and the probes. */
static struct session_of run(const char *further, const char *program, const char *verb)
{
	char policy[8192], *build = session_built(""), *path = session_built(program);
	const char *argv[] = {path, verb, NULL};
	struct session_of session;

	snprintf(policy, sizeof(policy),
		 "extends = \"none\";\n"
		 "root = \"%s\";\n"
		 "paths: { write = [ \".\", \"/dev/null\" ]; tmp = \"shared\";\n"
		 "         read = [ \"/usr\", \"/lib\", \"/lib64\", \"/bin\", \"/etc/ld.so.cache\", \"/proc/self\",\n"
		 "                  \"/sys/kernel/mm/transparent_hugepage\", \"%s\" ]; };\n"
		 "environment: { inherit = [ \"*\" ]; };\n"
		 "%s%s",
		 inside, build, strstr(further, "coverage") ? "" : "coverage: { uncovered = \"allow\"; };\n", further);
	session = session_run(inside, policy, argv);
	free(build);
	free(path);
	return session;
}

static void prepare(const char *folder)
{
	char *doors = session_built("backstop/doors");
	const char *argv[] = {doors, "prepare", NULL};
	struct session_of session;

	setenv("FOLDER", folder, 1);
	session = session_start(argv, NULL);

	cr_assert_eq(session.status, 0);
	session_free(&session);
	free(doors);
}

/* What the same program answers without bridle. */
static struct session_of natively(const char *program, const char *verb, const char *folder)
{
	char *path = session_built(program);
	const char *argv[] = {path, verb, NULL};
	struct session_of session;

	setenv("FOLDER", folder, 1);
	session = session_start(argv, NULL);
	free(path);
	return session;
}

/* Everything in a folder that a call could have changed. */
static char *picture(const char *folder)
{
	const char *argv[] = {"/usr/bin/find", folder, "-printf", "%P %y %s %m %u %g %n %l %T@\n", NULL};
	struct session_of session = session_start(argv, NULL);
	char *text = strdup(session.output);

	session_free(&session);
	return text;
}

static bool is_built(const char *program)
{
	char *path = session_built(program);
	bool there = !access(path, X_OK);

	free(path);
	return there;
}

static void allowed(const char *program)
{
	struct session_of bare, guarded;

	if (!is_built(program))
		cr_skip_test("%s is not built here", program);
	prepare(folder_in(inside, "bare"));
	prepare(folder_in(inside, "guarded"));
	bare = natively(program, "sweep", folder_in(inside, "bare"));
	setenv("FOLDER", folder_in(inside, "guarded"), 1);
	guarded = run(OPEN_NETWORK, program, "sweep");
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

	if (!is_built(program))
		cr_skip_test("%s is not built here", program);
	prepare(outside);
	before = picture(outside);
	session = run(SHUT_NETWORK, program, "sweep");
	after = picture(outside);
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
	const char *file = folder_in(outside, "file");
	struct session_of covered, bare;
	const json_t *one, *other;

	prepare(outside);
	covered = run("", "backstop/plain", NULL);
	bare = run("", "backstop/plain-static", NULL);
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

/* A Go program makes its calls itself: the same answers inside, and outside nothing but refusals, each told. */
Test(backstop, go)
{
	static const char program[] = "backstop/day-go";
	struct session_of bare, guarded;
	char *before, *after, *line, *rest;
	size_t doors = 0;

	if (!is_built(program))
		cr_skip_test("no go");
	prepare(folder_in(inside, "bare"));
	prepare(folder_in(inside, "guarded"));
	bare = natively(program, NULL, folder_in(inside, "bare"));
	setenv("FOLDER", folder_in(inside, "guarded"), 1);
	guarded = run(OPEN_NETWORK, program, NULL);
	cr_expect_str_eq(guarded.output, bare.output, "%s%s", guarded.output, guarded.errors);
	cr_expect_eq(session_count(&guarded, "verdict", "deny"), 0);
	session_free(&bare);
	session_free(&guarded);
	prepare(outside);
	before = picture(outside);
	guarded = run(SHUT_NETWORK, program, NULL);
	after = picture(outside);
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

/* How many calls of `lane TIMES` stopped in the supervisor. */
static long long stopped(const char *times)
{
	struct session_of session = run(OPEN_NETWORK, "backstop/lane", times);
	long long count = -1;

	cr_expect_str_eq(session.output, "0 wrong\n", "%s", session.errors);
	cr_expect_eq(session_count(&session, "verdict", "deny"), 0);
	for (size_t i = 0; i < json_array_size(session.report); i++) {
		const json_t *value = json_object_get(json_array_get(session.report, i), "stopped");

		count = value ? json_integer_value(value) : count;
	}
	session_free(&session);
	return count;
}

/* What the shim has judged passes in the kernel: only the loader and libc's own insides stop, however long a program works. */
Test(backstop, covered_programs_do_not_stop)
{
	long long once = stopped("1"), often = stopped("50");

	cr_expect_gt(once, 0);
	cr_expect_eq(often, once, "once %lld, often %lld", once, often);
}

/* A static busybox, where there is one: its shell and applets make the calls that real static tools make. */
Test(backstop, busybox)
{
	static const char *const box = "/usr/bin/busybox";
	const char *argv[] = {box, "sh", folder_in(inside, "script"), NULL};
	char policy[1024], *before, *after;
	struct session_of session;
	FILE *script;

	if (access(box, X_OK))
		cr_skip_test("no busybox");
	prepare(outside);
	prepare(folder_in(inside, "box"));
	script = fopen(folder_in(inside, "script"), "we");
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
		inside, outside);
	fclose(script);
	snprintf(policy, sizeof(policy),
		 "extends = \"none\"; root = \"%s\"; coverage: { uncovered = \"allow\"; };\n"
		 "paths: { write = [ \".\", \"/dev/null\" ]; read = [ \"/usr\", \"/bin\", \"/lib\" ]; tmp = \"shared\"; };\n"
		 "environment: { inherit = [ \"*\" ]; };\n",
		 inside);
	before = picture(outside);
	session = session_run(inside, policy, argv);
	after = picture(outside);
	cr_expect_str_eq(session.output, "done\n", "%s%s", session.output, session.errors);
	cr_expect_str_eq(after, before, "something was changed");
	cr_expect_geq(session_count(&session, "verdict", "deny"), 14);
	cr_expect_eq(session_count(&session, "via", "shim"), 0);
	session_free(&session);
	free(before);
	free(after);
}

/* What `make` says through a static shell is as trusted as through a dynamic one; what the shell says by itself is not. */
Test(backstop, callers_of_a_static_shell)
{
	static const char *const box = "/usr/bin/busybox";
	static const char policy[] = "extends = \"tool\"; coverage: { uncovered = \"allow\"; };\n";
	const char *by_make[] = {"make", "-s", "-f", folder_in(inside, "makefile"), NULL};
	const char *by_itself[] = {box, "sh", folder_in(inside, "script"), NULL};
	struct session_of session;
	FILE *stream;

	if (access(box, X_OK) || access("/usr/bin/make", X_OK) || access("/usr/bin/perl", X_OK))
		cr_skip_test("no busybox, make or perl");
	stream = fopen(folder_in(inside, "makefile"), "we");
	fprintf(stream, "SHELL = %s\n.SHELLFLAGS = sh -c\nall:\n\t@: ; perl -e 'print \"said\\n\"'\n", box);
	fclose(stream);
	stream = fopen(folder_in(inside, "script"), "we");
	fputs("perl -e 'print \"said\\n\"'\n", stream);
	fclose(stream);
	session = session_run(inside, policy, by_make);
	cr_expect_str_eq(session.output, "said\n", "%s", session.errors);
	cr_expect_eq(session_count(&session, "verdict", "deny"), 0);
	session_free(&session);
	session = session_run(inside, policy, by_itself);
	cr_expect_str_eq(session.output, "", "%s", session.output);
	cr_expect_eq(session_count(&session, "rule", "argv.inline"), 1);
	cr_expect_eq(session_count(&session, "via", "backstop"), session_count(&session, "verdict", "deny") + 1);
	session_free(&session);
}

/* Odd callers: what each line must say. Kernels and containers may refuse a root or a namespace of one's own. */
static void corners(const char *program)
{
	static const char *const wanted =
		"memory_crossing EACCES\nmemory_last_bytes EACCES\nmemory_unterminated EFAULT\nmemory_null EFAULT\n"
		"memory_kernel EFAULT\nmemory_too_long ENAMETOOLONG\nmemory_empty ENOENT\nmemory_argv EFAULT\n"
		"path_relative EACCES\npath_proc_root EACCES\npath_proc_twice EACCES\n"
		"path_proc_cwd EACCES\npath_proc_descriptor EACCES\n"
		"path_dots EACCES\npath_symlink EACCES\npath_symlink_to_magic EACCES\npath_loop ok\npath_inside ok\n"
		"path_own_descriptor ok\npath_dev_fd ok\npath_bad_dirfd ok\npath_file_as_folder ok\npath_missing ENOENT\n"
		"deleted_create ENOENT\ndeleted_read ENOENT\ndeleted_outside EACCES\ndeleted_self ok\n"
		"chroot_inside ok\nchroot_create ok\nchroot_missing ENOENT\nchroot_escape EACCES\n"
		"namespace_outside EACCES\nnamespace_inside ok\nio_uring ENOSYS\n"
		"filter_installed ok\nfilter_works ok\nfilter_outside EACCES\nfilter_inside ok\n"
		"stuck_inside ok\nstuck_outside EACCES\n"
		"i386_open EACCES\ni386_openat EACCES\ni386_unlink EACCES\ni386_chmod EACCES\ni386_creat_inside ok\n"
		"i386_unlink_inside ok\ni386_socketcall EACCES\ni386_connect EACCES\nx32_open EACCES\n";
	struct session_of session;
	char *before, *after, *line, *rest;

	prepare(outside);
	before = picture(outside);
	session = run(SHUT_NETWORK, program, "all");
	after = picture(outside);
	cr_expect_str_eq(after, before, "something was changed");
	cr_expect_gt(strlen(session.output), 600, "%s%s", session.output, session.errors);
	for (line = strtok_r(session.output, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		bool may_lack = !strncmp(line, "chroot ", 7) || !strncmp(line, "namespace ", 10) ||
				!strncmp(line, "stuck ", 6);

		cr_expect(may_lack || strstr(wanted, line), "%s", line);
	}
	session_free(&session);
	free(before);
	free(after);
}

Test(backstop, odd_callers_dynamic)
{
	corners("backstop/corners");
}

Test(backstop, odd_callers_static)
{
	corners("backstop/corners-static");
}

Test(backstop, a_crowd)
{
	struct session_of session;

	prepare(outside);
	session = run("", "backstop/crowd-static", NULL);
	cr_expect_str_eq(session.output,
			 "thousand 2000 tried, 0 wrong\nended 100\ninterrupted 4000 tried, 0 wrong\n");
	cr_expect_eq(session.status, 0, "%s", session.errors);
	session_free(&session);
}

Test(backstop, the_launcher_is_out_of_reach)
{
	struct session_of session = run("", "backstop/intrude-static", NULL);

	cr_expect_str_eq(session.output, "write_parent EPERM\nfd_of_parent EPERM\nseize_parent EPERM\n"
					 "write_child ok\nfd_of_child ok\nseize_child ok\n");
	cr_expect_eq(session_count(&session, "rule", "integrity.guard"), 3);
	session_free(&session);
}

Test(backstop, audit_refuses_nothing)
{
	struct session_of session;
	const json_t *line;

	prepare(outside);
	session = run("mode = \"audit\";\n", "backstop/plain-static", NULL);
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

Test(backstop, the_session_line_says_what_is_in_force)
{
	struct session_of with, without;

	prepare(outside);
	with = run("", "backstop/plain-static", NULL);
	cr_expect_str_eq(backstop_of(&with), "on");
	cr_expect_str_eq(with.output, "EACCES\n");
	session_free(&with);
	without = run("coverage: { backstop = \"off\"; };\n", "backstop/plain-static", NULL);
	cr_expect_eq(strncmp(backstop_of(&without), "off", 3), 0);
	cr_expect_str_eq(without.output, "opened\n");
	session_free(&without);
}

/* The kernel's floor alone: a static program that nobody watches writes inside, and not outside. */
Test(backstop, landlock_holds_the_write_trees)
{
	static const char belt[] = "coverage: { backstop = \"off\"; landlock = \"on\"; };\n";
	static const char *const inside_only[] = {"openat_create", "mkdirat", "truncate", "unlinkat", "renameat2"};
	char verb[32];

	if (!belt_abi())
		cr_skip_test("no Landlock");
	for (size_t i = 0; i < sizeof(inside_only) / sizeof(inside_only[0]); i++) {
		struct session_of session;
		char *before, *after;

		snprintf(verb, sizeof(verb), "%s ok\n", inside_only[i]);
		prepare(folder_in(inside, "belt"));
		session = run(belt, "backstop/doors-static", inside_only[i]);
		cr_expect_str_eq(session.output, verb, "%s", session.errors);
		session_free(&session);
		prepare(outside);
		before = picture(outside);
		session = run(belt, "backstop/doors-static", inside_only[i]);
		after = picture(outside);
		cr_expect_str_eq(after, before, "%s", inside_only[i]);
		cr_expect_null(strstr(session.output, " ok"), "%s", session.output);
		cr_expect_eq(session_count(&session, "verdict", "deny"), 0);
		cr_expect_eq(strncmp(session_field(session_line(&session, "event", "open"), "landlock"), "on", 2), 0);
		session_free(&session);
		free(before);
		free(after);
		remove_tree(folder_in(inside, "belt"));
	}
}

/* The ports of its network rules: no connection but to what is allowed. */
Test(backstop, landlock_holds_the_ports)
{
	static const char belt[] = "coverage: { backstop = \"off\"; landlock = \"on\"; };\n";
	static const char *const rules[] = {"network: { connect = \"deny\"; };\n",
					    "network: { connect = \"deny\"; allow = [ \"192.0.2.1:9\" ]; };\n"};

	if (belt_abi() < 4)
		cr_skip_test("no Landlock, or none that knows ports");
	setenv("FOLDER", inside, 1);
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		struct session_of session;
		char policy[512];

		snprintf(policy, sizeof(policy), "%s%s", belt, rules[i]);
		session = run(policy, "backstop/doors-static", "connect");
		cr_expect_str_eq(session.output, i ? "connect ok\n" : "connect EACCES\n", "%s", session.errors);
		cr_expect_eq(session_count(&session, "verdict", "deny"), 0);
		session_free(&session);
	}
}

/* A program that shuts system calls off for itself goes on working. */
Test(backstop, file)
{
	const char *argv[] = {"/usr/bin/file", "-b", "--mime-type", folder_in(inside, "text"), NULL};
	struct session_of session;
	FILE *stream;

	if (access(argv[0], X_OK))
		cr_skip_test("no file");
	stream = fopen(folder_in(inside, "text"), "we");
	fputs("some words\n", stream);
	fclose(stream);
	session = session_run(inside, "extends = \"tool\";\n", argv);
	cr_expect_str_eq(session.output, "text/plain\n", "%s", session.errors);
	cr_expect_eq(session_count(&session, "verdict", "deny"), 0);
	session_free(&session);
}

/* Who outlives a killed launcher gets ENOSYS from the kernel, and does not hang. */
Test(backstop, a_killed_launcher)
{
	static const char *const box = "/usr/bin/busybox";
	char *bridle = session_built("bridle"), line[1024];
	const char *argv[] = {"/bin/sh", "-c", line, NULL};
	struct session_of session;
	FILE *stream = fopen(folder_in(inside, "script"), "we");

#ifdef __SANITIZE_ADDRESS__
	cr_skip_test("a launcher with a sanitizer starts slowly");
#endif
	if (access(box, X_OK))
		cr_skip_test("no busybox");
	/* a grandchild: what the launcher started itself dies with it */
	fputs("(echo $PPID; i=0; until [ -e gone ] || [ $i = 200 ]; do sleep 0.05; i=$((i + 1)); done\n"
	      "echo $(: 2>&1 < script)) &\nwait\n",
	      stream);
	fclose(stream);
	snprintf(line, sizeof(line),
		 "cd %s && mkfifo pipe && { %s run -q --profile tool --root . -- %s sh script > pipe & } && exec 3< pipe && "
		 "read launcher <&3 && kill -KILL $! && wait $!; > gone; cat <&3",
		 inside, bridle, box);
	session = session_start(argv, NULL);
	cr_expect_not_null(strstr(session.output, "Function not implemented"), "%s%s", session.output, session.errors);
	session_free(&session);
	free(bridle);
}

/* A session inside a session: the kernel allows one supervisor, the outer one's, and it goes on watching. */
Test(backstop, nested)
{
	char *bridle = session_built("bridle"), *probe = session_built("backstop/plain-static");
	char *build = session_built(""), policy[4096];
	const char *argv[] = {bridle, "run", "-q", "--policy", folder_in(inside, "inner.cfg"), "--report",
			      folder_in(inside, "inner.jsonl"), "--", probe, NULL};
	struct session_of session;
	FILE *stream = fopen(folder_in(inside, "inner.cfg"), "we");

#ifdef __SANITIZE_ADDRESS__
	cr_skip_test("a launcher with a sanitizer cannot run under another");
#endif
	prepare(outside);
	fprintf(stream, "extends = \"none\"; paths: { write = [ \"/\" ]; tmp = \"shared\"; };\n"
			"environment: { inherit = [ \"*\" ]; };\n");
	fclose(stream);
	snprintf(policy, sizeof(policy),
		 "extends = \"none\"; root = \"%s\";\n"
		 "paths: { write = [ \".\", \"/tmp\", \"/dev/null\" ]; tmp = \"shared\";\n"
		 "         read = [ \"/usr\", \"/lib\", \"/lib64\", \"/bin\", \"/etc/ld.so.cache\", \"/proc\", \"%s\" ]; };\n"
		 "environment: { inherit = [ \"*\" ]; };\n",
		 inside, build);
	session = session_run(inside, policy, argv);
	cr_expect_str_eq(session.output, "EACCES\n", "%s%s", session.output, session.errors);
	cr_expect_eq(session_count(&session, "path", folder_in(outside, "file")), 1);
	session_free(&session);
	argv[2] = "--set=coverage.backstop=on";
	session = session_run(inside, policy, argv);
	cr_expect_eq(session.status, 125);
	cr_expect_not_null(strstr(session.errors, "backstop"), "%s", session.errors);
	session_free(&session);
	free(bridle);
	free(probe);
	free(build);
}
