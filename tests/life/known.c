/* SPDX-License-Identifier: MIT */
/* Programs started again and again, through symlinks that lead elsewhere one day: each start is judged by where it leads. */
#include <spawn.h>
#include <sys/stat.h>

#include "life.h"

#define FEW 4 /* the first starts of a program are how it becomes known */
#define SYSTEM "/usr/bin/true"

static char *none[] = {NULL};

static int start(const char *path)
{
	char word[] = "x", *argv[] = {word, NULL};
	pid_t pid;
	int error = posix_spawn(&pid, path, NULL, NULL, argv, none);

	return error ? error : ended_well(pid) ? 0
					       : -1;
}

static void start_few(const char *path)
{
	for (int i = 0; i < FEW; i++)
		must(start(path) == 0);
}

static void lead(const char *link, const char *target)
{
	must((unlink(link) == 0 || errno == ENOENT) && symlink(target, link) == 0);
}

/* The file's own name is a link, to the system's program, to ours, and to the system's again. */
static void test_link(void)
{
	lead("tool", SYSTEM);
	start_few("tool");
	lead("tool", "forbidden");
	must(start("tool") == EACCES && start("./tool") == EACCES);
	lead("tool", "no-such-file");
	must(start("tool") == ENOENT);
	lead("tool", "tool");
	must(start("tool") == ELOOP);
	lead("tool", "dir");
	must(start("tool") == EACCES);
	lead("tool", SYSTEM);
	start_few("tool");
	must(rename("tool", "gone") == 0 && start("tool") == ENOENT);
	start_few("gone");
}

/* A folder's name is a link, and the file's is one too: the path has two. */
static void test_folder(void)
{
	must(mkdir("one", 0700) == 0 && mkdir("other", 0700) == 0);
	lead("one/true", SYSTEM);
	lead("other/true", "../forbidden");
	lead("way", "one");
	start_few("way/true");
	lead("way", "other");
	must(start("way/true") == EACCES);
	lead("way", "one");
	start_few("way/true");
	lead("one/true", "../forbidden");
	must(start("way/true") == EACCES);
	lead("one/true", SYSTEM);
	start_few("way/true");
	must(rename("one", "moved") == 0 && rename("other", "one") == 0);
	must(start("way/true") == EACCES && start("one/true") == EACCES);
	start_few("moved/true");
}

/* More of them than are remembered, and a text that is longer. */
static void test_many(void)
{
	char name[] = "a", before[] = "a";

	lead(name, SYSTEM);
	for (; *name < 'f'; *before = *name) {
		++*name;
		lead(name, before);
		start_few(name);
	}
	lead("b", "forbidden");
	must(start(name) == EACCES && start("c") == EACCES && start("a") == 0);
}

/* Where a path leads depends on where it begins. */
static void test_place(void)
{
	lead("dir/tool", "../forbidden");
	lead("tool", SYSTEM);
	start_few("./tool");
	must(chdir("dir") == 0 && start("./tool") == EACCES && chdir("..") == 0);
	start_few("./tool");
}

int main(void)
{
	test_link();
	test_folder();
	test_many();
	test_place();
	return 0;
}
