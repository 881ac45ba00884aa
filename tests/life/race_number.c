/* SPDX-License-Identifier: MIT */
/*
 * The directory that a relative path starts from, swapped for another one while files are opened: behind a descriptor's number
 * by a thread, in each of many ways, by a process that shares the descriptors and by a signal handler, and as the working
 * directory by a thread. The same words lead outside from one of the two: nothing is ever opened there. argv[1]: tries, in all.
 */
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "life.h"

#define WORDS "../../out/f" /* inside from dir/deep, outside from dir */
#define MADE "../../out/made"
#define MADE_FOLDER "../../out/folder"
#define STACK 65536
#define ANY (-1) /* what the number is by then */

static volatile bool over;
static volatile int number; /* that is swapped; where it is free in between, another file may take it, and the next one is */
static int deep, flat;

static void *swap_number(void *unused)
{
	while (!over)
		must(dup2(flat, number) == number && dup2(deep, number) == number);
	return unused;
}

static void *swap_by_dup3(void *unused)
{
	while (!over)
		must(dup3(flat, number, O_CLOEXEC) == number && dup3(deep, number, 0) == number);
	return unused;
}

static void *swap_by_fcntl(void *unused)
{
	for (int turn = 0; !over; turn++) {
		close(number);
		number = fcntl(turn % 2 ? deep : flat, F_DUPFD, number);
		must(number >= 0);
	}
	return unused;
}

static void *swap_by_open(void *unused)
{
	for (int turn = 0; !over; turn++) {
		must(syscall(SYS_close, number) == 0);
		number = open(turn % 2 ? "dir/deep" : "dir", O_RDONLY | O_DIRECTORY);
		must(number >= 0);
	}
	return unused;
}

static void *swap_by_range(void *unused)
{
	for (int turn = 0; !over; turn++) {
		must(syscall(SYS_close_range, number, number, 0) == 0);
		number = dup(turn % 2 ? deep : flat);
		must(number >= 0);
	}
	return unused;
}

static void *swap_by_opendir(void *unused)
{
	DIR *folder = fdopendir(number);

	for (int turn = 0; !over; turn++) {
		must(folder && closedir(folder) == 0);
		folder = opendir(turn % 2 ? "dir/deep" : "dir");
		must(folder);
		number = dirfd(folder);
	}
	number = dup(deep);
	must(closedir(folder) == 0);
	return unused;
}

static void *swap_by_freopen(void *unused)
{
	FILE *stream = fdopen(number, "r");

	for (int turn = 0; !over; turn++) {
		stream = freopen(turn % 2 ? "dir/deep" : "dir", "r", stream);
		must(stream);
		number = fileno(stream);
	}
	number = dup(deep);
	must(fclose(stream) == 0);
	return unused;
}

static void *(*const swaps[])(void *unused) = {swap_by_dup3, swap_by_fcntl, swap_by_open,
					       swap_by_range, swap_by_opendir, swap_by_freopen};

#define SWAPS (int)(sizeof(swaps) / sizeof(*swaps))

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

/* What is neither of the two may be behind the number for a moment: nothing, or the file that was opened. */
static bool is_answer(int error)
{
	return error == EACCES || error == ENOENT || error == EBADF || error == ENOTDIR;
}

static void try_open(int dirfd, int flags)
{
	char text[8];
	int fd = openat(dirfd, WORDS, flags);

	if (fd < 0) {
		must(is_answer(errno));
		return;
	}
	must(read(fd, text, sizeof(text)) > 0 && text[0] == 't');
	close(fd);
}

/* One that is made outside would be seen at the end. */
static void try_make(int dirfd)
{
	int fd = openat(dirfd, MADE, O_WRONLY | O_CREAT, 0600);

	must(fd >= 0 || is_answer(errno));
	if (fd >= 0)
		close(fd);
}

/* So would what these change: the folder, or the file. */
static void try_names(int dirfd)
{
	must(mkdirat(dirfd, MADE_FOLDER, 0700) == 0 || errno == EEXIST || is_answer(errno));
	must(unlinkat(dirfd, MADE_FOLDER, AT_REMOVEDIR) == 0 || is_answer(errno));
	must(fchmodat(dirfd, WORDS, 0600, 0) == 0 || is_answer(errno));
}

static void try_all(int dirfd, int tries)
{
	for (int i = 0; i < tries; i++) {
		try_open(dirfd == ANY ? number : dirfd, O_RDONLY);
		try_open(dirfd == ANY ? number : dirfd, O_RDWR);
		try_make(dirfd == ANY ? number : dirfd);
		if (i % 4 == 0)
			try_names(dirfd == ANY ? number : dirfd);
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

static void swap_once(int signal)
{
	static volatile int turn;

	(void)signal;
	must(dup2(turn++ % 2 ? deep : flat, number) == number);
}

/* In a process that is alone: what was made is not undone there, so nothing is made. */
static void beside_signals(int tries)
{
	pid_t parent = getpid(), pid;

	must(signal(SIGUSR1, swap_once) != SIG_ERR);
	pid = fork();
	while (pid == 0 && getppid() == parent)
		kill(parent, SIGUSR1);
	if (pid == 0)
		_exit(0);
	must(pid > 0);
	for (int i = 0; i < tries; i++) {
		try_open(number, O_RDONLY);
		try_open(number, O_RDWR);
	}
	must(kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid && signal(SIGUSR1, SIG_IGN) != SIG_ERR);
}

#define SELDOM 20                           /* a signal meets an open between judging and opening */
#define USES (3 * (3 + SWAPS) + 2 * SELDOM) /* of tries */

int main(int argc, char **argv)
{
	int tries = (argc > 1 ? atoi(argv[1]) : 900) / USES, top = open(".", O_RDONLY | O_DIRECTORY);
	struct stat before, after, file, file_after;

	must(top >= 0 && stat("../out", &before) == 0 && stat(OUTSIDE, &file) == 0);
	make_inside();
	beside_process(tries);
	beside_signals(SELDOM * tries);
	beside_thread(swap_number, ANY, tries);
	for (int i = 0; i < SWAPS; i++)
		beside_thread(swaps[i], ANY, tries);
	must(fchdir(deep) == 0);
	beside_thread(swap_feet, AT_FDCWD, tries);
	must(fchdir(top) == 0 && stat("../out", &after) == 0 && stat(OUTSIDE, &file_after) == 0);
	must(file_after.st_ctim.tv_sec == file.st_ctim.tv_sec && file_after.st_ctim.tv_nsec == file.st_ctim.tv_nsec);
	must(after.st_mtim.tv_sec == before.st_mtim.tv_sec && after.st_mtim.tv_nsec == before.st_mtim.tv_nsec);
	return 0;
}
