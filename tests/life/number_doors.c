/* SPDX-License-Identifier: MIT */
/*
 * Every way in which another directory comes behind a number, at which one was remembered. WORDS lead to a file inside from
 * dir/deep, and out of the root from dir: after it they are refused, whatever is to be done there.
 */
#include <dirent.h>
#include <linux/openat2.h>
#include <mntent.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "life.h"

#define WORDS "../../out/f"
#define MADE "../../out/made"
#define NONE (-1)
#define STACK 65536

int __dup2(int from, int to);
int __fcntl(int fd, int command, ...);

static int flat, deep; /* dir, dir/deep */

static int directory(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	must(fd >= 0);
	return fd;
}

static bool is_inside(int dirfd)
{
	int fd = openat(dirfd, WORDS, O_RDONLY | O_CLOEXEC);

	return fd >= 0 && close(fd) == 0;
}

static bool is_outside(int dirfd)
{
	return openat(dirfd, WORDS, O_RDONLY) == -1 && errno == EACCES && openat(dirfd, WORDS, O_RDWR) == -1 &&
	       errno == EACCES && openat(dirfd, MADE, O_WRONLY | O_CREAT, 0600) == -1 && errno == EACCES &&
	       mkdirat(dirfd, MADE, 0700) == -1 && errno == EACCES && unlinkat(dirfd, WORDS, 0) == -1 && errno == EACCES &&
	       renameat(dirfd, WORDS, dirfd, MADE) == -1 && errno == EACCES;
}

/* Without libc's knowledge or ours. */
static void close_unseen(int fd)
{
#ifdef __x86_64__
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"((long)SYS_close), "D"((long)fd)
			 : "rcx", "r11", "memory");
	must(result == 0);
#else
	must(close(fd) == 0);
#endif
}

/* Each puts dir behind fd and gives the number, or NONE where that cannot be done here. */

static int by_dup2(int fd)
{
	return dup2(flat, fd);
}

static int by_other_dup2(int fd)
{
	return __dup2(flat, fd);
}

static int by_dup3(int fd)
{
	return dup3(flat, fd, O_CLOEXEC);
}

static int by_raw_dup2(int fd)
{
#ifdef SYS_dup2
	return (int)syscall(SYS_dup2, flat, fd);
#else
	return by_dup3(fd);
#endif
}

static int by_raw_dup3(int fd)
{
	return (int)syscall(SYS_dup3, flat, fd, O_CLOEXEC);
}

static int by_dup(int fd)
{
	close_unseen(fd);
	return dup(flat);
}

static int by_raw_dup(int fd)
{
	close(fd);
	return (int)syscall(SYS_dup, flat);
}

static int by_fcntl(int fd)
{
	close_unseen(fd);
	return fcntl(flat, F_DUPFD, fd);
}

static int by_fcntl64(int fd)
{
	close(fd);
	return fcntl64(flat, F_DUPFD_CLOEXEC, fd);
}

static int by_other_fcntl(int fd)
{
	close(fd);
	return __fcntl(flat, F_DUPFD_CLOEXEC, fd);
}

static int by_raw_fcntl(int fd)
{
	close(fd);
	return (int)syscall(SYS_fcntl, flat, F_DUPFD, fd);
}

static int by_open(int fd)
{
	close_unseen(fd);
	return directory("dir");
}

static int by_open_path(int fd)
{
	must(syscall(SYS_close, fd) == 0);
	return open("dir", O_PATH);
}

static int by_openat(int fd)
{
	must(syscall(SYS_close_range, fd, fd, 0) == 0);
	return openat(deep, "..", O_RDONLY);
}

static int by_raw_open(int fd)
{
	close_unseen(fd);
	return (int)syscall(SYS_openat, AT_FDCWD, "dir", O_RDONLY);
}

static int by_openat2(int fd)
{
	struct open_how how = {.flags = O_RDONLY};

	close_unseen(fd);
	return (int)syscall(SYS_openat2, AT_FDCWD, "dir", &how, sizeof(how));
}

static int by_open_tree(int fd)
{
	close_unseen(fd);
	return (int)syscall(SYS_open_tree, AT_FDCWD, "dir", 0);
}

static int by_handle(int fd)
{
	struct {
		struct file_handle head;
		char room[MAX_HANDLE_SZ];
	} handle = {.head = {.handle_bytes = MAX_HANDLE_SZ}};
	int mount, result;

	if (name_to_handle_at(flat, "", &handle.head, &mount, AT_EMPTY_PATH) != 0)
		return NONE;
	close_unseen(fd);
	result = open_by_handle_at(flat, &handle.head, O_RDONLY);
	return result;
}

static int by_opendir(int fd)
{
	DIR *folder = fdopendir(fd);

	must(folder && closedir(folder) == 0);
	folder = opendir("dir");
	return folder ? dirfd(folder) : NONE;
}

static int by_fopen(int fd)
{
	FILE *stream = fdopen(fd, "r");

	must(stream && fclose(stream) == 0);
	stream = fopen("dir", "r");
	return stream ? fileno(stream) : NONE;
}

/* libc makes this one: a mode that only it understands. */
static int by_fopen_of_libc(int fd)
{
	FILE *stream;

	close_unseen(fd);
	stream = fopen("dir", "rm");
	return stream ? fileno(stream) : NONE;
}

static int by_setmntent(int fd)
{
	FILE *stream;

	close_unseen(fd);
	stream = setmntent("dir", "r");
	return stream ? fileno(stream) : NONE;
}

static int by_freopen(int fd)
{
	FILE *stream = fdopen(fd, "r");

	must(stream);
	stream = freopen("dir", "r", stream);
	return stream ? fileno(stream) : NONE;
}

struct letter {
	char byte, beside[CMSG_SPACE(sizeof(int))] __attribute__((aligned(sizeof(size_t))));
	struct iovec text;
	struct mmsghdr message;
};

static struct letter *letter_with(int fd)
{
	static struct letter letter;
	struct cmsghdr *head;

	memset(&letter, 0, sizeof(letter));
	letter.text = (struct iovec){&letter.byte, 1};
	letter.message.msg_hdr.msg_iov = &letter.text;
	letter.message.msg_hdr.msg_iovlen = 1;
	letter.message.msg_hdr.msg_control = letter.beside;
	letter.message.msg_hdr.msg_controllen = sizeof(letter.beside);
	head = CMSG_FIRSTHDR(&letter.message.msg_hdr);
	head->cmsg_len = CMSG_LEN(sizeof(fd));
	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	return &letter;
}

static int by_letter(int fd, unsigned how)
{
	struct letter *letter = letter_with(flat);
	int ends[2];
	long got = 0;

	must(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends) == 0);
	must(sendmsg(ends[0], &letter->message.msg_hdr, 0) == 1);
	letter = letter_with(-1);
	close_unseen(fd);
	if (how == 0)
		got = recvmsg(ends[1], &letter->message.msg_hdr, 0);
	else if (how == 1)
		got = recvmmsg(ends[1], &letter->message, 1, 0, NULL);
	else if (how == 2)
		got = syscall(SYS_recvmsg, ends[1], &letter->message.msg_hdr, 0);
	else
		got = syscall(SYS_recvmmsg, ends[1], &letter->message, 1, 0, NULL);
	must(got == 1);
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&letter->message.msg_hdr)), sizeof(fd));
	close(ends[0]);
	close(ends[1]);
	return fd;
}

static int by_recvmsg(int fd)
{
	return by_letter(fd, 0);
}

static int by_recvmmsg(int fd)
{
	return by_letter(fd, 1);
}

static int by_raw_recvmsg(int fd)
{
	return by_letter(fd, 2);
}

static int by_raw_recvmmsg(int fd)
{
	return by_letter(fd, 3);
}

static int by_raw_getfd(int fd)
{
	int self = (int)syscall(SYS_pidfd_open, getpid(), 0), result;

	if (self < 0)
		return NONE;
	close_unseen(fd);
	result = (int)syscall(SYS_pidfd_getfd, self, flat, 0);
	close(self);
	return result;
}

/* By a child that shares the descriptors and not the memory. */
static int put_it(void *fd)
{
	_exit(dup2(flat, *(int *)fd) == *(int *)fd ? 0 : 1);
}

static int by_sharing_child(int fd)
{
	static char stack[STACK] __attribute__((aligned(16)));
	pid_t pid = clone(put_it, stack + STACK, CLONE_FILES | SIGCHLD, &fd);

	must(ended_well(pid));
	return fd;
}

static int number_of_handler;

static void put_on_signal(int signal)
{
	(void)signal;
	must(dup2(flat, number_of_handler) == number_of_handler);
}

static int by_signal(int fd)
{
	number_of_handler = fd;
	must(signal(SIGUSR1, put_on_signal) != SIG_ERR && raise(SIGUSR1) == 0);
	return fd;
}

static int (*const doors[])(int fd) = {
	by_dup2,
	by_other_dup2,
	by_dup3,
	by_raw_dup2,
	by_raw_dup3,
	by_dup,
	by_raw_dup,
	by_fcntl,
	by_fcntl64,
	by_other_fcntl,
	by_raw_fcntl,
	by_open,
	by_open_path,
	by_openat,
	by_raw_open,
	by_openat2,
	by_opendir,
	by_fopen,
	by_setmntent,
	by_fopen_of_libc,
	by_freopen,
	by_recvmsg,
	by_recvmmsg,
	by_raw_recvmsg,
	by_raw_recvmmsg,
	by_raw_getfd,
	by_signal,
};

/* What belongs to mounts: the backstop then takes all that was known for old, so they come last. */
static int (*const last_doors[])(int fd) = {by_handle, by_open_tree};

/* The lowest free number is what the next call gets. */
static int remembered(void)
{
	int fd = directory("dir/deep");

	must(is_inside(fd) && is_inside(fd));
	return fd;
}

static void test_door(int (*door)(int fd))
{
	int fd = remembered(), got = door(fd);

	if (got == NONE && errno != EBADF) /* not on this machine */
		return;
	must(got == fd && is_outside(fd));
	must(close(fd) == 0 && !is_inside(fd) && errno == EBADF);
}

/* The child has other things behind its numbers, and the parent's stay what they are. */
static void test_vfork(void)
{
	int fd = remembered();
	pid_t pid = vfork();

	if (pid == 0)
		_exit(dup2(flat, fd) == fd && is_outside(fd) && is_outside(fd) ? 0 : 1);
	must(ended_well(pid) && is_inside(fd) && is_inside(fd));
	must(dup2(flat, fd) == fd && is_outside(fd));
	pid = vfork();
	if (pid == 0)
		_exit(dup2(deep, fd) == fd && is_inside(fd) && is_inside(fd) ? 0 : 1);
	must(ended_well(pid) && is_outside(fd) && close(fd) == 0);
}

static void test_fork(void)
{
	int fd = remembered();
	pid_t pid = fork();

	if (pid == 0)
		_exit(is_inside(fd) && is_inside(fd) && dup2(flat, fd) == fd && is_outside(fd) && dup2(deep, fd) == fd &&
				      is_inside(fd)
			      ? 0
			      : 1);
	must(ended_well(pid) && is_inside(fd) && dup2(flat, fd) == fd && is_outside(fd) && close(fd) == 0);
}

/* It goes on beside us in our memory, and our numbers stand for other things there. */
static volatile int step;

static int live_beside(void *number)
{
	int fd = *(int *)number;

	must(dup2(flat, fd) == fd && is_outside(fd) && is_outside(fd));
	step = 1;
	while (step == 1)
		usleep(1000);
	must(is_outside(fd));
	_exit(0);
}

static void test_beside(void)
{
	static char stack[STACK] __attribute__((aligned(16)));
	int fd = remembered();
	pid_t pid = clone(live_beside, stack + STACK, CLONE_VM | SIGCHLD, &fd);

	must(pid > 0);
	for (int i = 0; i < 5000 && step == 0; i++)
		usleep(1000);
	must(is_inside(fd) && is_inside(fd));
	step = 2;
	must(ended_well(pid) && is_inside(fd) && close(fd) == 0);
}

int main(void)
{
	int fd;

	must(mkdir("out", 0700) == 0 && mkdir("dir/deep", 0700) == 0);
	fd = open("out/f", O_WRONLY | O_CREAT, 0600);
	must(fd >= 0 && close(fd) == 0);
	flat = directory("dir");
	deep = directory("dir/deep");
	for (size_t i = 0; i < sizeof(doors) / sizeof(*doors); i++)
		test_door(doors[i]);
	test_vfork();
	test_fork();
	must((fd = fork()) >= 0);
	if (fd == 0) { /* who has shared its descriptors is never alone again */
		test_door(by_sharing_child);
		_exit(0);
	}
	must(ended_well(fd));
	test_beside();
	for (size_t i = 0; i < sizeof(last_doors) / sizeof(*last_doors); i++)
		test_door(last_doors[i]);
	return 0;
}
