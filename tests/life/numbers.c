/* SPDX-License-Identifier: MIT */
/*
 * Which directory a descriptor's number stands for, and where that one lies, changes in many ways: each open below it is
 * judged from where it is by then. WORDS lead to a file inside from dir/deep, and out of the root from dir.
 */
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "life.h"

#define WORDS "../../out/f"
#define UP_WORDS "../" WORDS
#define INODE_TRIES 20

static bool is_inside(int dirfd)
{
	int fd = openat(dirfd, WORDS, O_RDONLY | O_CLOEXEC);

	return fd >= 0 && close(fd) == 0;
}

static bool is_outside(int dirfd)
{
	return openat(dirfd, WORDS, O_RDONLY | O_CLOEXEC) == -1 && errno == EACCES;
}

static int directory(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	must(fd >= 0);
	return fd;
}

/* Directories that were changed just now are not remembered. */
static void settle(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
}

/* Twice: what is remembered, and asked of it. */
static int remembered(const char *path)
{
	int fd = directory(path);

	must(is_inside(fd) && is_inside(fd));
	return fd;
}

static void test_numbers(void)
{
	int fd = remembered("dir/deep"), flat;

	must(close(fd) == 0 && directory("dir") == fd && is_outside(fd));
	must(close(fd) == 0 && directory("dir/deep") == fd && is_inside(fd));
	flat = directory("dir");
	must(dup2(flat, fd) == fd && is_outside(fd));
	must(close(fd) == 0 && remembered("dir/deep") == fd);
	must(dup3(flat, fd, O_CLOEXEC) == fd && is_outside(fd));
	must(close(fd) == 0 && remembered("dir/deep") == fd);
	must(syscall(SYS_dup3, flat, fd, O_CLOEXEC) == fd && is_outside(fd));
	must(close(fd) == 0 && remembered("dir/deep") == fd);
	must(syscall(SYS_close, fd) == 0 && fcntl(flat, F_DUPFD, fd) == fd && is_outside(fd));
	must(close(fd) == 0 && !is_inside(fd) && errno == EBADF);
	fd = open("f", O_RDONLY | O_CLOEXEC);
	must(fd >= 0 && openat(fd, "x", O_RDONLY) == -1 && errno == ENOTDIR);
	close(fd);
	close(flat);
}

/* By another guarded process. */
static void rename_elsewhere(const char *from, const char *to)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(rename(from, to) == 0 ? 0 : 1);
	must(ended_well(pid));
}

static void test_renames(void)
{
	int fd = remembered("dir/deep");

	must(rename("dir/deep", "deep") == 0 && is_outside(fd));
	must(rename("deep", "dir/deep") == 0 && is_inside(fd) && is_inside(fd));
	rename_elsewhere("dir/deep", "deep");
	must(is_outside(fd));
	rename_elsewhere("deep", "dir/deep");
	must(is_inside(fd));
	close(fd);
}

/* A folder above it, which is no change of the directory itself. */
static void test_renames_above(bool settled)
{
	int fd;

	must(mkdir("dir/above", 0700) == 0 && mkdir("dir/above/low", 0700) == 0);
	if (settled)
		settle();
	fd = directory("dir/above/low");
	for (int i = 0; i < 2; i++) {
		must(openat(fd, UP_WORDS, O_RDONLY) >= 0 && openat(fd, UP_WORDS, O_RDONLY) >= 0);
		if (i)
			rename_elsewhere("dir/above", "above");
		else
			must(rename("dir/above", "above") == 0);
		must(openat(fd, UP_WORDS, O_RDONLY) == -1 && errno == EACCES);
		must(rename("above", "dir/above") == 0);
	}
	must(close(fd) == 0 && rmdir("dir/above/low") == 0 && rmdir("dir/above") == 0);
}

/* One that lies elsewhere takes the inode of a directory that was removed. settled: the first was made a while ago. */
static void test_inodes(bool settled)
{
	for (int i = 0; i < INODE_TRIES; i++) {
		must(mkdir("dir/other", 0700) == 0);
		if (settled && i == 0)
			settle();
		int fd = remembered("dir/other");
		must(close(fd) == 0 && rmdir("dir/other") == 0 && mkdir("other", 0700) == 0);
		fd = directory("other");
		must(is_outside(fd) && close(fd) == 0 && rmdir("other") == 0);
	}
}

static void test_children(void)
{
	int fd = remembered("dir/deep"), flat = directory("dir");
	pid_t pid = fork();

	if (pid == 0)
		_exit(dup2(flat, fd) == fd && is_outside(fd) ? 0 : 1);
	must(ended_well(pid) && is_inside(fd));
	pid = vfork();
	if (pid == 0)
		_exit(dup2(flat, fd) == fd && openat(fd, WORDS, O_RDONLY) == -1 && errno == EACCES ? 0 : 1);
	must(ended_well(pid) && is_inside(fd));
	close(fd);
	close(flat);
}

static void *replace(void *numbers)
{
	const int *number = numbers;

	must(is_inside(number[0]) && dup2(number[1], number[0]) == number[0]);
	return numbers;
}

static void test_thread(void)
{
	int fd = remembered("dir/deep"), numbers[2] = {fd, directory("dir")};
	pthread_t thread;

	must(pthread_create(&thread, NULL, replace, numbers) == 0 && pthread_join(thread, NULL) == 0);
	must(is_outside(fd));
	must(close(fd) == 0 && remembered("dir/deep") == fd);
	close(fd);
	close(numbers[1]);
}

int main(void)
{
	int fd;

	must(mkdir("out", 0700) == 0 && mkdir("dir/deep", 0700) == 0);
	fd = open("out/f", O_WRONLY | O_CREAT, 0600);
	must(fd >= 0 && close(fd) == 0);
	for (int round = 0; round < 2; round++) { /* changed just now, and settled */
		test_numbers();
		test_renames();
		test_renames_above(round);
		test_inodes(round);
		test_children();
		settle();
	}
	test_thread();
	return 0;
}
