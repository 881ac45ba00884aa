/* SPDX-License-Identifier: MIT */
/*
 * Folders that get another name, by libc ("libc"), by syscall() ("syscall") and by nobody's code ("raw"), in $INSIDE, which
 * was filled before ("prepare"). Prints "NAME RESULT", RESULT being ok or the errno's name; of what would mount something
 * only whether it is refused (EACCES) or not (passes).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "raw.h"

#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE 2
#endif

enum way {
	LIBC,
	SYSCALL,
	KERNEL,
};

static enum way way;

static long kernel(long number, long a, long b, long c, long d, long e)
{
	long result;

	if (way == SYSCALL)
		return syscall(number, a, b, c, d, e) < 0 ? -errno : 0;
	result = raw_call(number, a, b, c, d, e, 0);
	return result < 0 ? result : 0;
}

static long move(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
	if (way == LIBC && !flags && from_dir == AT_FDCWD && to_dir == AT_FDCWD)
		return rename(from, to) < 0 ? -errno : 0;
	if (way == LIBC)
		return renameat2(from_dir, from, to_dir, to, flags) < 0 ? -errno : 0;
	return kernel(SYS_renameat2, from_dir, (long)from, to_dir, (long)to, flags);
}

static void say(const char *name, const char *what, long result)
{
	printf("%s%s %s\n", name, what, result < 0 ? strerrorname_np((int)-result) : "ok");
}

/* There and back, so that the next one finds all where it was. */
static void moved(const char *name, const char *from, const char *to)
{
	long result = move(AT_FDCWD, from, AT_FDCWD, to, 0);

	say(name, "", result);
	if (!result)
		say(name, "_back", move(AT_FDCWD, to, AT_FDCWD, from, 0));
}

static void exchanged(const char *name, const char *one, const char *other)
{
	long result = move(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);

	say(name, "", result);
	if (!result)
		say(name, "_back", move(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE));
}

static void asked(const char *name, long result)
{
	printf("%s %s\n", name, result == -EACCES ? "EACCES" : "passes");
}

/* Where there is nothing to mount it on, so nothing comes of it. */
static void bound(const char *name, const char *from, unsigned long flags)
{
	if (way == LIBC)
		asked(name, mount(from, "nowhere", NULL, flags, NULL) < 0 ? -errno : 0);
	else
		asked(name, kernel(SYS_mount, (long)from, (long)"nowhere", 0, (long)flags, 0));
}

static void tree_opened(const char *name, const char *path)
{
	asked(name, way == LIBC ? (open_tree(AT_FDCWD, path, 0) < 0 ? -errno : 0)
				: kernel(SYS_open_tree, AT_FDCWD, (long)path, 0, 0, 0));
}

static void tree_moved(const char *name, const char *from)
{
	asked(name, way == LIBC ? (move_mount(AT_FDCWD, from, AT_FDCWD, "nowhere", 0) < 0 ? -errno : 0)
				: kernel(SYS_move_mount, AT_FDCWD, (long)from, AT_FDCWD, (long)"nowhere", 0));
}

static void root_changed(const char *name, const char *path)
{
	pid_t child;
	int status = 0;

	fflush(stdout);
	child = fork();
	if (child == 0)
		_exit((way == LIBC ? (chroot(path) < 0 ? -errno : 0) : kernel(SYS_chroot, (long)path, 0, 0, 0, 0)) == -EACCES);
	waitpid(child, &status, 0);
	asked(name, status ? -EACCES : 0);
}

static void prepare(void)
{
	static const char *const folders[] = {"d", "d/sub", "free", "free/deep", "other", "up", "up/a", "up/a/b", "up/a/b/keys",
					      "repo", "repo/.git", "repo/.git/hooks", "repo/bare", "loop", "loop/x", "loop/x/y",
					      "look", "look/shown", "gone", "gone/ro", "real", "real/in", "real/in/private"};

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		mkdir(folders[i], 0755);
	close(open("plain", O_WRONLY | O_CREAT, 0644));
	close(open("free/.env", O_WRONLY | O_CREAT, 0644));
	symlink("d", "link");
	symlink("up/a", "short");
	symlink("real/in", "alias");
}

static void renames(void)
{
	int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), below = open("free/deep", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char path[4096];

	moved("folder", "d", "e");
	moved("slash", "d/", "e/");
	moved("dots", "free/../d", "free/deep/../e");
	moved("into", "d", "free/e");
	moved("file", "plain", "plain2");
	moved("bystander", "free", "freed");
	moved("link", "link", "link2");
	moved("several_above", "up", "up2");
	moved("through_link", "short/b", "b2");
	moved("the_rule_itself", "real/in/private", "real/q");
	moved("by_name", "repo", "repo2");
	moved("by_pattern", "repo/.git", "repo/git");
	moved("same_name", "repo/.git", "other/.git");
	moved("planted", "repo/bare", "other/.git");
	moved("inside_loop", "loop/x", "loop/z");
	moved("out_of_loop", "loop/x", "free/z");
	moved("read_only_below", "gone", "gone2");
	moved("listed_below", "look", "look2");
	moved("by_linked_rule", "real/in", "real/out");
	exchanged("exchange_first", "d", "free");
	exchanged("exchange_second", "free", "d");
	exchanged("exchange_file", "plain", "d");
	exchanged("exchange_free", "free", "plain");
	say("descriptor", "", move(here, "d", below, "e", 0));
	moved("absolute", getcwd(path, sizeof(path) - 8) ? strcat(path, "/d") : "", "e");
	if (chdir("free/deep") == 0) {
		moved("relative", "../../d", "../e");
		if (chdir("../..") < 0)
			_exit(3);
	}
	close(here);
	close(below);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	way = !strcmp(argv[1], "libc") ? LIBC : !strcmp(argv[1], "syscall") ? SYSCALL
									    : KERNEL;
	if (chdir(getenv("INSIDE")) < 0)
		return 3;
	if (!strcmp(argv[1], "prepare")) {
		prepare();
		return 0;
	}
	renames();
	bound("bind", "d", MS_BIND);
	bound("bind_free", "free", MS_BIND);
	bound("bind_again", "d", MS_BIND | MS_REMOUNT);
	bound("mount_moved", "up", MS_MOVE);
	tree_opened("open_tree", "d");
	tree_opened("open_tree_free", "free");
	tree_moved("move_mount", "d");
	tree_moved("move_mount_read_only", "gone/ro");
	tree_moved("move_mount_free", "free");
	root_changed("chroot", "d");
	root_changed("chroot_free", "free");
	return 0;
}
