/* SPDX-License-Identifier: MIT */
/* Nonsense from the caller: the kernel's own answers, no crash. */
#include <dirent.h>
#include <limits.h>
#include <netinet/in.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "life.h"

extern char **environ;

static char *nowhere, *edge; /* an unmapped address, and the last bytes before it */

#define fails(call, error) (errno = 0, (call) == -1 && errno == (error))

static void make_edge(void)
{
	char *memory = mmap(NULL, 2 * LIFE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must(memory != MAP_FAILED);
	must(mprotect(memory + LIFE_PAGE, LIFE_PAGE, PROT_NONE) == 0);
	nowhere = memory + LIFE_PAGE;
	edge = memory + LIFE_PAGE - 4;
}

static void test_paths(void)
{
	char *volatile null = NULL;

	must(fails(open(null, O_RDONLY), EFAULT));
	must(fails(open(nowhere, O_RDONLY), EFAULT));
	memcpy(edge, "abcd", 4); /* no end before the hole */
	must(fails(open(edge, O_RDONLY), EFAULT));
	must(fails(unlink(edge), EFAULT));
	memcpy(edge, "./f", 4);
	must(is_opened(edge));
	must(fails(unlink(null), EFAULT));
	must(fails(rename(null, "x"), EFAULT));
	must(fails(rename("f", nowhere), EFAULT));
	must(fails(mkdir(nowhere, 0700), EFAULT));
	must(fails(chmod(null, 0700), EFAULT));
	must(fails(syscall(SYS_openat, AT_FDCWD, NULL, O_RDONLY), EFAULT));
}

static void *map(void)
{
	void *memory = mmap(NULL, LIFE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must(memory != MAP_FAILED);
	return memory;
}

/* Where a path stood before, and does not any more: whoever took the page away. */
static void test_taken_away(void)
{
	char *mapped = strcpy(map(), INSIDE), *shut = strcpy(map(), INSIDE), *heap;
	char *volatile freed = strcpy(malloc(1 << 20), INSIDE);

	must(is_opened(mapped) && is_opened(shut) && is_opened(freed));
	must(munmap(mapped, LIFE_PAGE) == 0 && mprotect(shut, LIFE_PAGE, PROT_NONE) == 0);
	free(freed);
	must(fails(open(mapped, O_RDONLY), EFAULT));
	must(fails(unlink(shut), EFAULT));
	must(fails(syscall(SYS_unlinkat, AT_FDCWD, (uintptr_t)freed, 0), EFAULT));
	sbrk(-(intptr_t)sbrk(0) & (LIFE_PAGE - 1));
	heap = sbrk(LIFE_PAGE);
	strcpy(heap, INSIDE);
	must(is_opened(heap));
	sbrk(-LIFE_PAGE);
	must(fails(open(heap, O_RDONLY), EFAULT));
}

static void test_empty_and_bad(void)
{
	int file = open(INSIDE, O_RDONLY), path = open(INSIDE, O_PATH);

	must(fails(open("", O_RDONLY), ENOENT));
	must(fails(unlink(""), ENOENT));
	must(fails(mkdir("", 0700), ENOENT));
	must(fails(openat(-1, "f", O_RDONLY), EBADF));
	must(fails(openat(999, "f", O_RDONLY), EBADF));
	must(fails(openat(file, "f", O_RDONLY), ENOTDIR));
	must(fails(openat(path, "f", O_RDONLY), ENOTDIR));
	must(fails(open("f/", O_RDONLY), ENOTDIR));
	must(fails(open("f/.", O_RDONLY), ENOTDIR));
	must(fails(open("dir", O_WRONLY), EISDIR));
	must(fails(open("../out", O_WRONLY), EISDIR));
	must(fails(open("link", O_RDONLY | O_NOFOLLOW), ELOOP));
	must(fails(open("f", O_RDONLY | O_DIRECTORY), ENOTDIR));
	must(fails(open("f", O_CREAT | O_EXCL | O_RDWR, 0600), EEXIST));
	must(fails(open("link", O_CREAT | O_EXCL | O_RDWR, 0600), EEXIST));
	must(fails(mkdir("dir", 0700), EEXIST));
	must(fails(rmdir("dir"), ENOTEMPTY));
	must(fails(fchmod(-1, 0600), EBADF));
	must(open("link", O_PATH | O_NOFOLLOW) >= 0);
	must(openat(999, "/etc/passwd", O_RDONLY) >= 0); /* an absolute path needs no dirfd */
	must(open(".", O_TMPFILE | O_RDWR, 0600) >= 0 || errno == EOPNOTSUPP);
	must(fstatat(path, "", &(struct stat){0}, AT_EMPTY_PATH) == 0);
}

static void test_lengths(void)
{
	static char longest[PATH_MAX + 16];

	memset(longest, 'a', 256);
	must(fails(open(longest, O_RDONLY), ENAMETOOLONG)); /* a component of 256 */
	for (size_t i = 0; i + 2 < PATH_MAX; i += 2)
		memcpy(longest + i, "./", 2);
	strcpy(longest + PATH_MAX - 2, "f");
	must(strlen(longest) == PATH_MAX - 1);
	must(is_opened(longest));
	memmove(longest + 2, longest, PATH_MAX);
	must(fails(open(longest, O_RDONLY), ENAMETOOLONG));
	must(fails(unlink(longest), ENAMETOOLONG));
}

static void test_programs(void)
{
	char *volatile null = NULL, *argv[] = {(char *)(size_t) "./fine", NULL}, *bad[] = {nowhere, NULL};
	char **volatile no_vector = NULL, **volatile bad_vector = (char **)(void *)nowhere;
	pid_t pid;

	must(fails(execve(null, argv, environ), EFAULT));
	must(fails(execve(nowhere, argv, environ), EFAULT));
	must(fails(execve("./fine", bad_vector, environ), EFAULT));
	must(fails(execve("./fine", bad, environ), EFAULT));
	must(fails(execve("./fine", argv, bad_vector), EFAULT));
	must(fails(execve("", argv, environ), ENOENT));
	must(fails(execve("./missing", argv, environ), ENOENT));
	must(fails(execve("./f", argv, environ), EACCES));
	must(fails(execve("./dir", argv, environ), EACCES));
	must(fails(execve("f/x", argv, environ), ENOTDIR));
	must(fails(execvp("no-such-program", argv), ENOENT));
	must(fails(execvp("", argv), ENOENT));
	must(posix_spawn(&pid, "./missing", NULL, NULL, argv, environ) == ENOENT);
	pid = fork();
	if (pid == 0) {
		execve("./fine", no_vector, no_vector);
		_exit(5);
	}
	must(ended_well(pid));
}

static void test_many_arguments(void)
{
	static char *argv[100002];
	pid_t pid;

	for (int i = 0; i < 100001; i++)
		argv[i] = (char *)(size_t)(i ? "" : "./fine");
	pid = fork();
	if (pid == 0) {
		execv(argv[0], argv);
		_exit(5);
	}
	must(ended_well(pid));
}

static void test_addresses(void)
{
	struct sockaddr *volatile null = NULL;
	struct sockaddr_in address = {.sin_family = AF_UNSPEC};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	must(fails(connect(fd, (struct sockaddr *)(void *)nowhere, sizeof(struct sockaddr_in)), EFAULT));
	must(fails(connect(fd, null, sizeof(struct sockaddr_in)), EFAULT));
	must(fails(connect(-1, (struct sockaddr *)&address, sizeof(address)), EBADF));
	must(connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0); /* AF_UNSPEC: no address at all */
	must(fails(sendto(fd, "x", 1, 0, NULL, 0), EDESTADDRREQ));
	must(fails(sendmsg(fd, (struct msghdr *)(void *)nowhere, 0), EFAULT));
}

int main(void)
{
	make_edge();
	test_paths();
	test_taken_away();
	test_empty_and_bad();
	test_lengths();
	test_programs();
	test_many_arguments();
	test_addresses();
	return 0;
}
