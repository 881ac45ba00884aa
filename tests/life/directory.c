/* SPDX-License-Identifier: MIT */
/* The working directory, however it moves: relative paths are judged from where the process really stands. */
#include <fts.h>
#include <ftw.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "life.h"

static int seen;

static int visit(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	if (kind == FTW_F && strcmp(path + where->base, "inner") == 0) {
		must(is_opened("inner")); /* libc stands in dir now */
		seen++;
	}
	return 0;
}

static void test_moves(void)
{
	int top = open(".", O_RDONLY | O_DIRECTORY);

	must(is_opened("f"));
	must(chdir("dir") == 0 && is_opened("inner") && is_opened("../f"));
	must(!is_opened("f") && errno == ENOENT);
	must(is_refused("../../out/f"));
	must(fchdir(top) == 0 && is_opened("f"));
	must(syscall(SYS_chdir, "dir") == 0 && is_opened("inner"));
	must(rename("../dir", "../moved") == 0 && is_opened("inner"));
	must(is_opened("../moved/inner"));
	must(rename("../moved", "../dir") == 0 && fchdir(top) == 0);
	close(top);
}

/* As for the kernel, a file has nothing above it. */
static void test_up_from_file(void)
{
	must(unlink("f/../f") == -1 && errno == ENOTDIR);
	must(chmod("f/..", 0700) == -1 && errno == ENOTDIR);
	must(mkdir("f/../new", 0700) == -1 && errno == ENOTDIR);
	must(rename("f/../f", "g") == -1 && errno == ENOTDIR);
	must(symlink("f", "to-file") == 0 && symlink("dir", "to-dir") == 0);
	must(chmod("to-file/../f", 0600) == -1 && errno == ENOTDIR);
	must(chmod("to-dir/../f", 0600) == 0);
	must(unlink("to-file") == 0 && unlink("to-dir") == 0 && is_opened("f"));
}

static int move_out(void *unused)
{
	(void)unused;
	_exit(chdir("../out") == 0 ? 0 : 1);
}

int __clone(int (*fn)(void *), void *stack, int flags, void *data, ...);

static pid_t share_by_number(int (*fn)(void *), void *stack, int flags, void *data, ...)
{
	pid_t pid = (pid_t)syscall(SYS_clone, flags, 0, 0, 0, 0);

	(void)stack;
	return pid ? pid : fn(data);
}

/* Forked children that share our working directory, and no memory with us. Each way in a process that knows no other. */
static void test_shared(void)
{
	static pid_t (*const ways[])(int (*)(void *), void *, int, void *, ...) = {clone, __clone, share_by_number};
	char *stack = malloc(65536);
	int top = open(".", O_RDONLY | O_DIRECTORY);

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		pid_t pid = fork();

		if (pid) {
			must(ended_well(pid));
			continue;
		}
		must(stack && top >= 0 && is_opened("f"));
		pid = ways[i](move_out, stack + 65536, CLONE_FS | SIGCHLD, NULL);
		must(ended_well(pid));
		must(is_refused("f") && fchdir(top) == 0 && is_opened("f"));
		_exit(0);
	}
	close(top);
	free(stack);
}

static void test_children(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(chdir("dir") == 0 && is_opened("inner") && is_opened("../f") ? 0 : 1);
	must(ended_well(pid));
	must(is_opened("f") && !is_opened("inner"));
}

static void test_removed(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		must(mkdir("gone", 0700) == 0 && chdir("gone") == 0 && rmdir("../gone") == 0);
		must(open("f", O_RDONLY) == -1 && errno == ENOENT);
		must(open("new", O_RDWR | O_CREAT, 0600) == -1 && errno == ENOENT);
		must(mkdir("new", 0700) == -1 && errno == ENOENT);
		must(is_opened("."));
		must(is_opened("/etc/hostname") || errno == ENOENT);
		must(chdir("/usr") == 0 && is_opened("bin/env"));
		_exit(0);
	}
	must(ended_well(pid));
}

static void test_walks(void)
{
	char *roots[] = {(char *)(size_t) "dir", NULL};
	FTS *walk;
	FTSENT *entry;

	must(nftw("dir", visit, 4, FTW_CHDIR | FTW_PHYS) == 0 && seen == 1);
	must(is_opened("f"));
	walk = fts_open(roots, FTS_PHYSICAL, NULL);
	must(walk);
	while ((entry = fts_read(walk)))
		if (entry->fts_info == FTS_F)
			must(is_opened(entry->fts_accpath));
	fts_close(walk);
	must(is_opened("f"));
}

#define DEEP "a-folder-with-a-longer-name"

/* Deeper than any path may say: relative names still work, and from a descriptor too. */
static void test_deep(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		for (int i = 0; i < 200; i++)
			must(mkdir(DEEP, 0700) == 0 && chdir(DEEP) == 0);
		must(close(open("deep", O_RDWR | O_CREAT, 0600)) == 0);
		must(is_opened("deep") && is_opened("./deep"));
		int here = open(".", O_RDONLY | O_DIRECTORY);
		must(here >= 0 && close(openat(here, "deep", O_RDONLY)) == 0);
		must(is_refused("/root/x") || errno == ENOENT);
		must(rename("deep", "renamed") == 0 && unlinkat(here, "renamed", 0) == 0);
		for (int i = 0; i < 200; i++)
			must(chdir("..") == 0 && rmdir(DEEP) == 0);
		must(is_opened("f"));
		_exit(0);
	}
	must(ended_well(pid));
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	must(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0);
}

static bool holds(int dirfd, const char *path, const char *text)
{
	char found[32] = "";
	int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);

	must(fd >= 0 && read(fd, found, sizeof(found) - 1) >= 0 && close(fd) == 0);
	return strcmp(found, text) == 0;
}

static void make_tree(const char *text)
{
	must(mkdir("tree", 0700) == 0 && mkdir("tree/below", 0700) == 0);
	write_file("tree/below/file", text);
}

/* Another process moves the folder above away and puts a new one in its place: what we hold is the old one. */
static void move_and_replace(const char *from, const char *to)
{
	pid_t pid = fork();

	if (pid == 0) {
		must(rename(from, to) == 0);
		make_tree("new");
		_exit(0);
	}
	must(ended_well(pid));
}

static void test_moved_by_others(void)
{
	int top = open(".", O_RDONLY | O_DIRECTORY), below;

	make_tree("old");
	below = open("tree/below", O_RDONLY | O_DIRECTORY);
	must(below >= 0 && holds(below, "file", "old") && holds(below, "file", "old"));
	must(chdir("tree/below") == 0 && holds(AT_FDCWD, "file", "old"));
	pid_t pid = fork(); /* its own folder is the top one again */

	if (pid == 0) {
		must(fchdir(top) == 0);
		move_and_replace("tree", "away");
		_exit(0);
	}
	must(ended_well(pid));
	must(holds(below, "file", "old") && holds(AT_FDCWD, "file", "old"));
	must(openat(below, "missing", O_RDONLY) == -1 && errno == ENOENT);
	must(openat(below, "../../../out/f", O_RDONLY) == -1 && errno == EACCES);
	must(rename("../../away/below", "../../further") == 0);
	must(holds(below, "file", "old") && holds(AT_FDCWD, "file", "old"));
	must(fchdir(top) == 0 && holds(AT_FDCWD, "tree/below/file", "new"));
	must(dup2(open("tree/below", O_RDONLY | O_DIRECTORY), below) == below && holds(below, "file", "new"));
	must(system("rm -r tree away further") == 0);
	close(below);
	close(top);
}

int main(void)
{
	test_moves();
	test_moved_by_others();
	test_children();
	test_removed();
	test_deep();
	test_walks();
	test_up_from_file();
	test_shared();
	return 0;
}
