/* SPDX-License-Identifier: MIT */
/* The tree of files: counting, folding, bounds. */
#include "report/paths.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct intern *names;
static struct paths paths;

static void setup(void)
{
	names = intern_new(64 << 20);
	cr_assert(names != NULL && paths_open(&paths, names));
}

static void teardown(void)
{
	paths_close(&paths);
	intern_free(names);
}

TestSuite(report_paths, .init = setup, .fini = teardown);

/* The folds as "/a 3, /b 1". */
static void expect_folds(uint32_t marks, size_t limit, const char *wanted)
{
	struct path_fold *folds;
	size_t count = paths_fold(&paths, marks, limit, &folds);
	char text[2 * INTERN_TEXT_MAX] = "", name[INTERN_TEXT_MAX];

	for (size_t i = 0; i < count; i++) {
		paths_name(&paths, folds[i].node, name, sizeof(name));
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s %d", i ? ", " : "", name,
			 (int)folds[i].files);
	}
	cr_expect_str_eq(text, wanted);
	free(folds);
}

Test(report_paths, counts_a_path_however_it_is_written)
{
	paths_add(&paths, "/a/b", PATH_READ);
	paths_add(&paths, "//a/./b/", PATH_READ);
	paths_add(&paths, "/a/c/../b", PATH_READ);
	paths_add(&paths, "/../../a/b", PATH_WRITTEN);
	cr_assert_neq(paths_find(&paths, "/a/b"), INDEX_NONE);
	cr_expect_eq(paths.nodes[paths_find(&paths, "/a/b")].reads, 3);
	cr_expect_eq(paths.nodes[paths_find(&paths, "/a/b")].writes, 1);
	cr_expect_eq(paths_find(&paths, "/a/bc"), INDEX_NONE);
	cr_expect_eq(paths_find(&paths, "/b"), INDEX_NONE);
}

Test(report_paths, folds_to_what_is_useful)
{
	char path[64];

	for (int i = 0; i < 50; i++) {
		snprintf(path, sizeof(path), "/usr/lib/python3/%d.py", i);
		paths_add(&paths, path, PATH_READ);
	}
	paths_add(&paths, "/p/src/a.c", PATH_READ);
	paths_add(&paths, "/p/src/b.c", PATH_READ);
	paths_add(&paths, "/p/out", PATH_WRITTEN);
	expect_folds(PATH_READ, 16, "/p/src/a.c 1, /p/src/b.c 1, /usr/lib/python3 50");
	expect_folds(PATH_READ, 2, "/p/src 2, /usr/lib/python3 50");
	expect_folds(PATH_CHANGES, 16, "/p/out 1");
	expect_folds(PATH_REMOVED, 16, "");
}

Test(report_paths, never_folds_to_everything)
{
	char path[64];

	for (int i = 0; i < 30; i++) {
		snprintf(path, sizeof(path), "/top%02d/file", i);
		paths_add(&paths, path, PATH_READ);
	}
	struct path_fold *folds;
	size_t count = paths_fold(&paths, PATH_READ, 4, &folds);

	cr_expect_eq(count, 30);
	for (size_t i = 0; i < count; i++)
		cr_expect_neq(folds[i].node, 0);
	free(folds);
}

Test(report_paths, shows_a_folder_that_was_itself_used)
{
	paths_add(&paths, "/d", PATH_READ);
	paths_add(&paths, "/d/x", PATH_READ);
	expect_folds(PATH_READ, 16, "/d 1, /d/x 1");
}

Test(report_paths, stays_bounded)
{
	char path[64];
	uint64_t calls = 0;

	for (int i = 0; i < 300000; i++) {
		snprintf(path, sizeof(path), "/f%d/d%d/x%d", i % 7, i % 1000, i);
		paths_add(&paths, path, PATH_READ);
	}
	cr_expect_leq(paths.count, PATHS_MAX + 1);
	for (uint32_t i = 0; i < paths.count; i++) {
		cr_expect_leq(paths.nodes[i].children, PATHS_CHILDREN_MAX);
		calls += paths.nodes[i].reads;
	}
	cr_expect_eq(calls, 300000, "no call is lost");
}

Test(report_paths, survives_paths_without_end)
{
	char path[8 * PATHS_DEPTH_MAX];

	for (size_t i = 0; i < sizeof(path); i++)
		path[i] = i % 2 ? 'x' : '/';
	path[sizeof(path) - 1] = '\0';
	paths_add(&paths, path, PATH_READ);
	cr_expect_leq(paths.count, PATHS_DEPTH_MAX + 1);
}

Test(report_paths, what_failed_is_taken_back)
{
	paths_add(&paths, "/a/b", PATH_REMOVED);
	paths_add(&paths, "/a/c", PATH_WRITTEN);
	paths_add(&paths, "/a/c", PATH_WRITTEN);
	paths_add(&paths, "/a/d", PATH_MISSING);
	paths_take_back(&paths, "/a/b", PATH_REMOVED);
	paths_take_back(&paths, "/a/c", PATH_WRITTEN);
	paths_take_back(&paths, "/never/seen", PATH_WRITTEN);
	expect_folds(PATH_CHANGES, 10, "/a/c 1");
	expect_folds(PATH_MISSING, 10, "/a/d 1");
	expect_folds(PATH_READ, 10, "");
}

Test(report_paths, the_last_change_says_whether_it_is_gone)
{
	const struct path_node *node;

	paths_add(&paths, "/a", PATH_CREATED);
	paths_add(&paths, "/a", PATH_REMOVED);
	node = &paths.nodes[paths_find(&paths, "/a")];
	cr_expect(node->marks & PATH_GONE);
	paths_add(&paths, "/a", PATH_READ);
	cr_expect(node->marks & PATH_GONE);
	paths_mark(&paths, "/a", PATH_CREATED);
	cr_expect_not(node->marks & PATH_GONE);
}
