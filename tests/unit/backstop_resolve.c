/* SPDX-License-Identifier: MIT */
/* Where paths lead for a caller. In the tables "@" is a folder of the test's own; the caller is the test itself. */
#include "backstop/resolve.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy_image.h"

static const char *const made[] = {"d/e/f", "d/e", "d", "in", "out", "loop", "dangling", "up", "self", "spelled"};

static void clear(void)
{
	(void)!chdir(test_folder());
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		if (unlink(made[i]) < 0)
			rmdir(made[i]);
	(void)!chdir("/");
}

static void lay_out(void)
{
	int descriptor;

	cr_assert_eq(chdir(test_folder()), 0);
	cr_assert_eq(mkdir("d", 0700), 0);
	cr_assert_eq(mkdir("d/e", 0700), 0);
	descriptor = open("d/e/f", O_WRONLY | O_CREAT, 0600);
	cr_assert_geq(descriptor, 0);
	close(descriptor);
	cr_assert_eq(symlink("d/e/f", "in"), 0);
	cr_assert_eq(symlink("/etc/passwd", "out"), 0);
	cr_assert_eq(symlink("loop", "loop"), 0);
	cr_assert_eq(symlink("d/not/yet", "dangling"), 0);
	cr_assert_eq(symlink("d/e/..", "up"), 0);
	cr_assert_eq(symlink("/proc/self", "self"), 0);
	cr_assert_eq(symlink("/proc/self/root/etc", "spelled"), 0);
}

TestSuite(backstop_resolve, .init = lay_out, .fini = clear);

static struct resolved resolve(int dirfd, const char *text, bool follow, bool home)
{
	struct resolve_caller caller = {.home = home, .tid = getpid()};
	struct resolved found;
	char *path = test_rooted(text);

	resolve_caller_path(&caller, dirfd, path, follow, false, &found);
	free(path);
	resolve_close(&found);
	return found;
}

struct row {
	const char *path;
	bool follow;
	enum resolve_state state;
	const char *leads;
};

static const struct row rows[] = {
	{"@/d/e/f", true, RESOLVE_FOUND, "@/d/e/f"},
	{"@//d/./e/../e/f", true, RESOLVE_FOUND, "@/d/e/f"},
	{"@/d/", true, RESOLVE_FOUND, "@/d"},
	{"/", true, RESOLVE_FOUND, "/"},
	{"/../..", true, RESOLVE_FOUND, "/"},
	{"@/in", true, RESOLVE_FOUND, "@/d/e/f"},
	{"@/in", false, RESOLVE_FOUND, "@/in"},
	{"@/out", true, RESOLVE_FOUND, "/etc/passwd"},
	{"@/out", false, RESOLVE_FOUND, "@/out"},
	{"@/up/e/f", true, RESOLVE_FOUND, "@/d/e/f"},
	{"@/up/../in", true, RESOLVE_FOUND, "@/d/e/f"},
	{"@/d/e/new", true, RESOLVE_MISSING, "@/d/e/new"},
	{"@/d/none/deep", true, RESOLVE_MISSING, "@/d/none/deep"},
	{"@/dangling", true, RESOLVE_MISSING, "@/d/not/yet"},
	{"@/dangling", false, RESOLVE_FOUND, "@/dangling"},
	{"@/up/none", true, RESOLVE_MISSING, "@/d/none"},
	{"@/none/../d", true, RESOLVE_FAILS, NULL},
	{"@/loop", true, RESOLVE_FAILS, NULL},
	{"@/loop", false, RESOLVE_FOUND, "@/loop"},
	{"@/d/e/f/g", true, RESOLVE_FAILS, NULL},
	{"/proc/self/root/etc/passwd", true, RESOLVE_FOUND, "/etc/passwd"},
	{"/proc/thread-self/root/etc/passwd", true, RESOLVE_FOUND, "/etc/passwd"},
	{"@/spelled/passwd", true, RESOLVE_FOUND, "/etc/passwd"},
	{"@/self/maps", true, RESOLVE_FOUND, "/proc/self/maps"},
	{"/proc/self/maps", true, RESOLVE_FOUND, "/proc/self/maps"},
	{"/proc/self/root", false, RESOLVE_FOUND, "/proc/self/root"},
	{"/proc/self/cwd/in", true, RESOLVE_FOUND, "@/d/e/f"},
	{"/proc/mounts", true, RESOLVE_FOUND, "/proc/self/mounts"},
	{"/proc/self/../self/../version", true, RESOLVE_FOUND, "/proc/version"},
};

static void try_rows(bool home)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct resolved found = resolve(RESOLVE_HERE, rows[i].path, rows[i].follow, home);
		char *leads = rows[i].leads ? test_rooted(rows[i].leads) : NULL;

		cr_expect_eq(found.state, rows[i].state, "%s: state %d", rows[i].path, found.state);
		if (leads)
			cr_expect_str_eq(found.path, leads, "%s leads to %s", rows[i].path, found.path);
		cr_expect_eq(found.length, strlen(found.path), "%s", rows[i].path);
		free(leads);
	}
}

Test(backstop_resolve, absolute)
{
	try_rows(false);
}

Test(backstop_resolve, at_home)
{
	try_rows(true);
}

static void expect(struct resolved found, const char *text)
{
	char *path = test_rooted(text);

	cr_expect_str_eq(found.path, path, "wanted %s, got %s", path, found.path);
	free(path);
}

static void try_relative(bool home)
{
	int folder = open("d", O_PATH | O_DIRECTORY), file = open("d/e/f", O_RDONLY);

	expect(resolve(RESOLVE_HERE, "d/e/f", true, home), "@/d/e/f");
	expect(resolve(RESOLVE_HERE, "in", true, home), "@/d/e/f");
	expect(resolve(folder, "e/f", true, home), "@/d/e/f");
	expect(resolve(folder, "../out", true, home), "/etc/passwd");
	expect(resolve(folder, "../in", true, home), "@/d/e/f");
	expect(resolve(RESOLVE_HERE, "out", true, home), "/etc/passwd");
	expect(resolve(RESOLVE_HERE, "self/maps", true, home), "/proc/self/maps");
	expect(resolve(RESOLVE_HERE, "spelled/passwd", true, home), "/etc/passwd");
	expect(resolve(folder, "", true, home), "@/d");
	expect(resolve(file, "", true, home), "@/d/e/f");
	cr_expect_eq(resolve(file, "x", true, home).error, ENOTDIR);
	cr_expect_eq(resolve(9999, "x", true, home).error, EBADF);
	cr_expect_eq(resolve(9999, "x", true, home).state, RESOLVE_FAILS);
	close(folder);
	close(file);
}

Test(backstop_resolve, relative)
{
	try_relative(false);
	try_relative(true);
}

static void try_own_descriptors(bool home)
{
	int file = open("d/e/f", O_RDONLY), pipes[2];
	char path[64];
	struct resolved found;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	found = resolve(RESOLVE_HERE, path, true, home);
	cr_expect(found.own_descriptor);
	cr_expect_eq(found.own_flags & O_ACCMODE, O_RDONLY);
	expect(found, "@/d/e/f");
	snprintf(path, sizeof(path), "/dev/fd/%d", file);
	cr_expect(resolve(RESOLVE_HERE, path, true, home).own_descriptor);
	cr_expect_not(resolve(RESOLVE_HERE, "/proc/self/exe", true, home).own_descriptor);
	cr_assert_eq(pipe(pipes), 0);
	snprintf(path, sizeof(path), "/dev/fd/%d", pipes[0]);
	found = resolve(RESOLVE_HERE, path, true, home);
	cr_expect(found.own_descriptor);
	cr_expect_eq(found.path[0], 'p', "a pipe has no path: %s", found.path);
}

Test(backstop_resolve, own_descriptors)
{
	try_own_descriptors(false);
	try_own_descriptors(true);
}

static void try_removed_folder(bool home)
{
	char before[4096];

	cr_assert_not_null(getcwd(before, sizeof(before)));
	cr_assert_eq(mkdir("gone", 0700), 0);
	cr_assert_eq(chdir("gone"), 0);
	cr_assert_eq(rmdir("../gone"), 0);
	cr_expect_eq(resolve(RESOLVE_HERE, "x", true, home).state, RESOLVE_MISSING);
	expect(resolve(RESOLVE_HERE, ".", true, home), "@/gone");
	expect(resolve(RESOLVE_HERE, "/etc/passwd", true, home), "/etc/passwd");
	cr_assert_eq(chdir(before), 0);
}

Test(backstop_resolve, a_removed_folder)
{
	try_removed_folder(false);
	try_removed_folder(true);
}

Test(backstop_resolve, a_caller_that_is_gone)
{
	struct resolve_caller caller = {.tid = 0x3fffffff};
	struct resolved found;

	resolve_caller_path(&caller, RESOLVE_HERE, "/etc/passwd", true, false, &found);
	cr_expect_eq(found.state, RESOLVE_FAILS);
	resolve_close(&found);
}

#define DEEP 20
#define LONG_NAME "a-name-that-takes-all-the-room-it-can-get-" /* four times in each name */

/* Below "@/": what the rules ask of something that lies too deep for a name of its own. */
static void expect_below(const char *text, enum resolve_state state, const char *ending, bool home)
{
	struct resolved found = resolve(RESOLVE_HERE, text, true, home);
	char *top = test_rooted("@/d/" LONG_NAME);
	size_t tail = strlen(ending);

	cr_expect_eq(found.state, state, "%s: state %d", text, found.state);
	cr_expect_eq(strncmp(found.path, top, strlen(top)), 0, "%s: %s", text, found.path);
	cr_assert_geq(found.length, tail, "%s: %s", text, found.path);
	cr_expect_str_eq(found.path + found.length - tail, ending, "%s: %s", text, found.path);
	free(top);
}

Test(backstop_resolve, deeper_than_a_path_may_be)
{
	static const char name[] = LONG_NAME LONG_NAME LONG_NAME LONG_NAME LONG_NAME LONG_NAME;

	cr_assert_eq(chdir("d"), 0);
	for (int i = 0; i < DEEP; i++) {
		cr_assert_eq(mkdir(name, 0700), 0);
		cr_assert_eq(chdir(name), 0);
	}
	cr_assert_eq(symlink(".", "here"), 0);
	close(open("f", O_WRONLY | O_CREAT, 0600));
	for (int home = 0; home < 2; home++) {
		expect_below("f", RESOLVE_FOUND, "/f", home);
		expect_below("here/f", RESOLVE_FOUND, "/f", home);
		expect_below("new", RESOLVE_MISSING, "/new", home);
		expect_below("here/none/deep", RESOLVE_MISSING, "/none/deep", home);
		expect_below(".", RESOLVE_FOUND, name, home);
		expect_below("..", RESOLVE_FOUND, name, home);
	}
	unlink("f");
	unlink("here");
	for (int i = 0; i < DEEP; i++) {
		cr_expect_eq(chdir(".."), 0);
		cr_expect_eq(rmdir(name), 0);
	}
}
