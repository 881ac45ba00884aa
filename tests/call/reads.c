/* SPDX-License-Identifier: MIT */
/*
 * What libc reads by itself, in real programs under the built-in profiles: passwords are refused by the library, with the
 * backstop and without; looking up users, groups, hosts and times is nobody's business.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session_of.h"

#define PYTHON "/usr/bin/python3"

static const char *const backstops[] = {"auto", "off"};
static char folder[64];

static void open_folder(void)
{
	strcpy(folder, "/var/tmp/bridle-reads-XXXXXX");
	cr_assert_not_null(mkdtemp(folder));
	unsetenv("HOSTALIASES");
	unsetenv("RESOLV_HOST_CONF");
}

static void close_folder(void)
{
	const char *argv[] = {"/bin/rm", "-rf", "--", folder, NULL};
	struct session_of removal = session_start(argv, NULL);

	session_free(&removal);
}

TestSuite(reads, .init = open_folder, .fini = close_folder, .timeout = 300);

/* In the folder; it may be given to a program by its name alone. */
static void write_file(const char *name, const char *text)
{
	int root = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd = openat(root, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	close(root);
}

/* The words of a command under a profile; further: settings beside. */
static struct session_of run(const char *profile, const char *backstop, const char *further, const char *const *argv)
{
	char policy[512];

	snprintf(policy, sizeof(policy), "extends = \"%s\"; coverage: { backstop = \"%s\"; };\n%s", profile, backstop, further);
	return session_run(folder, policy, argv);
}

/* One line, by the library, as for a program that opens the file itself; and nothing of the file. */
static void expect_refused(const struct session_of *session, const char *call, const char *path, const char *word)
{
	const json_t *line = session_line(session, "verdict", "deny");

	cr_expect_eq(session_count(session, "verdict", "deny"), 1, "%s: %zu lines", call,
		     session_count(session, "verdict", "deny"));
	cr_assert_not_null(line);
	cr_expect_str_eq(session_field(line, "rule"), "path.deny");
	cr_expect_str_eq(session_field(line, "via"), "shim");
	cr_expect_str_eq(session_field(line, "op"), "read");
	cr_expect_str_eq(session_field(line, "call"), call);
	cr_expect_str_eq(session_field(line, "path"), path);
	cr_expect_str_eq(session_field(line, "errno"), "EACCES");
	cr_expect_null(strstr(session->output, word), "%s", session->output);
	cr_expect_null(strstr(session->errors, word), "%s", session->errors);
}

static void refused(const char *const *argv, const char *call, const char *path)
{
	struct session_of session;

	if (geteuid() != 0)
		cr_skip_test("needs root, whom the kernel refuses nothing");
	for (size_t i = 0; i < 2; i++) {
		session = run("tool", backstops[i], "", argv);
		expect_refused(&session, call, path, "root:");
		session_free(&session);
	}
}

Test(reads, passwords_of_users_one_by_one)
{
	static const char *const argv[] = {"getent", "shadow", "root", NULL};

	refused(argv, "getspnam", "/etc/shadow");
}

Test(reads, passwords_of_all_users)
{
	static const char *const argv[] = {"getent", "shadow", NULL};

	refused(argv, "getspent", "/etc/shadow");
}

Test(reads, passwords_of_groups)
{
	static const char *const argv[] = {"getent", "gshadow", "root", NULL};

	refused(argv, "getsgnam", "/etc/gshadow");
}

Test(reads, passwords_in_python)
{
	static const char *const probe[] = {PYTHON, "-W", "ignore", "-c", "import spwd", NULL};
	static const char *const one[] = {PYTHON, "one.py", NULL}, *const all[] = {PYTHON, "all.py", NULL};
	struct session_of natively;

	if (access(PYTHON, X_OK) < 0)
		cr_skip_test("there is no %s", PYTHON);
	natively = session_start(probe, NULL);
	if (natively.status != 0)
		cr_skip_test("this Python has no spwd");
	session_free(&natively);
	write_file("one.py", "import spwd\nentry = spwd.getspnam('root')\nprint(entry.sp_namp + ':')\n");
	write_file("all.py", "import spwd\nfor entry in spwd.getspall():\n    print(entry.sp_namp + ':')\n");
	refused(one, "getspnam", "/etc/shadow");
	refused(all, "getspent", "/etc/shadow");
}

/* The variable makes libc show the lines of a file that it does not understand. */
static void shown(const char *const *argv, const char *call)
{
	char secret[96], deny[256];
	struct session_of session;

	write_file("secret", "the-secret word\n");
	snprintf(secret, sizeof(secret), "%s/secret", folder);
	snprintf(deny, sizeof(deny), "paths: { deny = [ \"%s\" ]; }; environment: { inherit = [ \"*\" ]; };\n", secret);
	setenv("RESOLV_HOST_CONF", secret, 1);
	for (size_t i = 0; i < 2; i++) {
		session = run("agent", backstops[i], deny, argv);
		expect_refused(&session, call, secret, "the-secret");
		session_free(&session);
		session = run("agent", backstops[i], "environment: { inherit = [ \"*\" ]; };\n", argv);
		cr_expect_eq(session_count(&session, "verdict", "deny"), 0);
		cr_expect_not_null(strstr(session.errors, "the-secret"), "libc shows it no more: %s", session.errors);
		session_free(&session);
	}
	unsetenv("RESOLV_HOST_CONF");
}

Test(reads, files_that_the_environment_names)
{
	static const char *const hosts[] = {"getent", "hosts", "127.0.0.1", NULL}, *const number[] = {"hostid", NULL};

	shown(hosts, "gethostbyaddr");
	shown(number, "gethostid");
}

/* As without bridle, and without a line. */
static void silent(const char *profile, const char *const *argv)
{
	struct session_of bare, guarded;
	const char *line[8] = {"/usr/bin/env", "-C", folder, "--"};

	for (size_t i = 0; argv[i]; i++)
		line[4 + i] = argv[i];
	bare = session_start(line, NULL);
	for (size_t i = 0; i < 2; i++) {
		guarded = run(profile, backstops[i], "environment: { inherit = [ \"TZ\" ]; };\n", argv);
		cr_expect_eq(guarded.status, bare.status, "%s %s: %d, %s", profile, argv[0], guarded.status, guarded.errors);
		cr_expect_str_eq(guarded.output, bare.output, "%s %s", profile, argv[0]);
		cr_expect_str_empty(guarded.errors);
		cr_expect_eq(session_count(&guarded, "verdict", "deny"), 0, "%s %s", profile, argv[0]);
		session_free(&guarded);
	}
	session_free(&bare);
}

Test(reads, names_are_looked_up_in_silence)
{
	static const char *const commands[][4] = {{"getent", "passwd", "root"},
						  {"getent", "group", "root"},
						  {"getent", "hosts", "localhost"},
						  {"getent", "services", "http"},
						  {"id", "root"},
						  {"ls", "-l", "/usr/bin/env"},
						  {"date", "-d", "@0"}};
	static const char *const profiles[] = {"tool", "agent", "code"};

	setenv("TZ", ":Europe/Paris", 1);
	for (size_t i = 0; i < sizeof(profiles) / sizeof(*profiles); i++)
		for (size_t j = 0; j < sizeof(commands) / sizeof(*commands); j++)
			silent(profiles[i], commands[j]);
	unsetenv("TZ");
}
