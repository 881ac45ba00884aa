/* SPDX-License-Identifier: MIT */
/*
 * The directory that a relative path starts from, swapped for another one while files are opened: behind a descriptor's number
 * by a thread and by a process that shares the descriptors, and as the working directory by a thread. The same words lead
 * outside from one of the two: nothing is ever opened there. argv[1]: tries, in all.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>

#include "life.h"

#define WORDS "../../out/f" /* inside from dir/deep, outside from dir */
#define MADE "../../out/made"
#define STACK 65536

static volatile bool over;
static int number, deep, flat;

static void *swap_number(void *unused)
{
	while (!over)
		must(dup2(flat, number) == number && dup2(deep, number) == number);
	return unused;
}

static void *swap_feet(void *unused)
{
	while (!over)
		must(fchdir(flat) == 0 && fchdir(deep) == 0);
	return unused;
}

static int swap_from_outside(void *unused)
{
	swap_number(unused);
	return 0;
}

static void make_inside(void)
{
	int fd;

	must(mkdir("out", 0700) == 0 && mkdir("dir/deep", 0700) == 0);
	fd = open("out/f", O_WRONLY | O_CREAT, 0600);
	must(fd >= 0 && write(fd, "text\n", 5) == 5 && close(fd) == 0);
	deep = open("dir/deep", O_RDONLY | O_DIRECTORY);
	flat = open("dir", O_RDONLY | O_DIRECTORY);
	number = dup(deep);
	must(deep >= 0 && flat >= 0 && number >= 0);
}

static void try_open(int dirfd, int flags)
{
	char text[8];
	int fd = openat(dirfd, WORDS, flags);

	if (fd < 0) {
		must(errno == EACCES || errno == ENOENT);
		return;
	}
	must(read(fd, text, sizeof(text)) > 0 && text[0] == 't');
	close(fd);
}

/* One that is made outside would be seen at the end. */
static void try_make(int dirfd)
{
	int fd = openat(dirfd, MADE, O_WRONLY | O_CREAT, 0600);

	must(fd >= 0 || errno == EACCES || errno == ENOENT);
	if (fd >= 0)
		close(fd);
}

static void try_all(int dirfd, int tries)
{
	for (int i = 0; i < tries; i++) {
		try_open(dirfd, O_RDONLY);
		try_open(dirfd, O_RDWR);
		try_make(dirfd);
	}
}

static void beside_thread(void *(*swap)(void *), int dirfd, int tries)
{
	pthread_t thread;

	over = false;
	must(pthread_create(&thread, NULL, swap, NULL) == 0);
	try_all(dirfd, tries);
	over = true;
	must(pthread_join(thread, NULL) == 0);
}

/* Who has shared its descriptors once is not alone any more: in a child, so that we are until there are threads. */
static void beside_process(int tries)
{
	static char stack[STACK] __attribute__((aligned(16)));
	pid_t child = fork(), pid;

	if (child) {
		must(ended_well(child));
		return;
	}

	try_all(number, 3); /* what is remembered before somebody shares the number */
	pid = clone(swap_from_outside, stack + STACK, CLONE_FILES | SIGCHLD, NULL);
	must(pid > 0);
	try_all(number, tries);
	must(kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid);
	_exit(0);
}

int main(int argc, char **argv)
{
	int tries = (argc > 1 ? atoi(argv[1]) : 900) / 9, top = open(".", O_RDONLY | O_DIRECTORY);
	struct stat before, after;

	must(top >= 0 && stat("../out", &before) == 0);
	make_inside();
	beside_process(tries);
	beside_thread(swap_number, number, tries);
	must(fchdir(deep) == 0);
	beside_thread(swap_feet, AT_FDCWD, tries);
	must(fchdir(top) == 0 && stat("../out", &after) == 0);
	must(after.st_mtim.tv_sec == before.st_mtim.tv_sec && after.st_mtim.tv_nsec == before.st_mtim.tv_nsec);
	return 0;
}
