/* SPDX-License-Identifier: MIT */
/*
 * Calls that put a directory behind a descriptor's number. Each verb takes a folder, whose number is remembered, another
 * folder, which comes behind that number, and a name in it that is opened then.
 */
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probe.h"

static int other;

/* Asked of twice: once for where it lies, and once of what is remembered. The number is free again unless it stays. */
static int prepare(char **a, bool stays)
{
	int number;

	other = folder(a[1]);
	number = folder(a[0]);
	for (int i = 0; i < 2; i++)
		if (openat(number, "missing", O_RDONLY) >= 0 || errno != ENOENT)
			return -1;
	if (!stays)
		close(number);
	return number;
}

static struct outcome open_below(char **a, int number, int result)
{
	if (result >= 0 && result != number)
		errno = EBADFD;
	return from_int(result == number ? openat(number, a[2], O_RDONLY) : -1);
}

static struct outcome call_dup(char **a)
{
	int number = prepare(a, false);

	return open_below(a, number, dup(other));
}

static struct outcome call_dup2(char **a)
{
	int number = prepare(a, true);

	return open_below(a, number, dup2(other, number));
}

static struct outcome call___dup2(char **a)
{
	int number = prepare(a, true);

	return open_below(a, number, ((int (*)(int, int))find("__dup2"))(other, number));
}

static struct outcome call_dup3(char **a)
{
	int number = prepare(a, true), result = dup3(other, number, O_CLOEXEC);

	if (result >= 0 && !(fcntl(number, F_GETFD) & FD_CLOEXEC))
		result = -1;
	return open_below(a, number, result);
}

/* Commands with a number, a pointer and nothing behind them. */
static struct outcome with_fcntl(int (*control)(int, int, ...), char **a)
{
	struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
	int number = prepare(a, false), result = control(other, F_DUPFD_CLOEXEC, number);

	if (control(other, F_GETLK, &lock) != 0 || lock.l_type != F_UNLCK || control(result, F_GETFD) != FD_CLOEXEC)
		return from_int(-1);
	close(result);
	return open_below(a, number, control(other, F_DUPFD, number));
}

static struct outcome call_fcntl(char **a)
{
	return with_fcntl(fcntl, a);
}

static struct outcome call_fcntl64(char **a)
{
	return with_fcntl((int (*)(int, int, ...))find("fcntl64"), a);
}

static struct outcome call___fcntl(char **a)
{
	return with_fcntl((int (*)(int, int, ...))find("__fcntl"), a);
}

static struct outcome call_pidfd_getfd(char **a)
{
	int self = (int)syscall(SYS_pidfd_open, getpid(), 0), number = prepare(a, false);

	return open_below(a, number, ((int (*)(int, int, unsigned))find("pidfd_getfd"))(self, other, 0));
}

/* A message of one byte with a descriptor beside it. */
struct letter {
	char byte, beside[CMSG_SPACE(sizeof(int))] __attribute__((aligned(sizeof(size_t))));
	struct iovec text;
	struct msghdr message;
};

static struct msghdr *write_letter(struct letter *letter, int fd)
{
	struct cmsghdr *head;

	memset(letter, 0, sizeof(*letter));
	letter->text = (struct iovec){&letter->byte, 1};
	letter->message.msg_iov = &letter->text;
	letter->message.msg_iovlen = 1;
	letter->message.msg_control = letter->beside;
	letter->message.msg_controllen = sizeof(letter->beside);
	head = CMSG_FIRSTHDR(&letter->message);
	head->cmsg_len = CMSG_LEN(sizeof(fd));
	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	return &letter->message;
}

static int read_letter(struct letter *letter)
{
	struct cmsghdr *head = CMSG_FIRSTHDR(&letter->message);
	int fd = -1;

	if (head && head->cmsg_len >= CMSG_LEN(sizeof(fd)))
		memcpy(&fd, CMSG_DATA(head), sizeof(fd));
	return fd;
}

static struct outcome with_message(char **a, bool many)
{
	struct letter letter;
	struct mmsghdr messages;
	int ends[2], number;
	long result;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
		return from_int(-1);
	number = prepare(a, false);
	if (sendmsg(ends[0], write_letter(&letter, other), 0) != 1)
		return from_int(-1);
	write_letter(&letter, -1);
	messages.msg_hdr = letter.message;
	result = many ? recvmmsg(ends[1], &messages, 1, 0, NULL) : recvmsg(ends[1], &letter.message, 0);
	return open_below(a, number, result == 1 ? read_letter(&letter) : -1);
}

static struct outcome call_recvmsg(char **a)
{
	return with_message(a, false);
}

static struct outcome call_recvmmsg(char **a)
{
	return with_message(a, true);
}

const struct verb number_verbs[] = {
	{"dup", 3, call_dup},
	{"dup2", 3, call_dup2},
	{"__dup2", 3, call___dup2},
	{"dup3", 3, call_dup3},
	{"fcntl", 3, call_fcntl},
	{"fcntl64", 3, call_fcntl64},
	{"__fcntl", 3, call___fcntl},
	{"pidfd_getfd", 3, call_pidfd_getfd},
	{"recvmsg", 3, call_recvmsg},
	{"recvmmsg", 3, call_recvmmsg},
	{NULL, 0, NULL},
};
