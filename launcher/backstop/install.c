/* SPDX-License-Identifier: MIT */
/*
 * Installing the filter and handing over the listener. From the moment the filter is in force the child's own guarded
 * calls stop too, and nobody listens yet: its sendmsg carries the word.
 */
#include "backstop/install.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

union descriptor_message {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr header;
};

/* Sends an errno and, when it is 0, the listener. */
static int send_listener(int socket, uint64_t word, int error, int listener)
{
	union descriptor_message control;
	struct iovec text = {&error, sizeof(error)};
	struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1};

	if (!error) {
		memset(&control, 0, sizeof(control));
		control.header = (struct cmsghdr){
			.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
		memcpy(CMSG_DATA(&control.header), &listener, sizeof(listener));
		message.msg_control = control.bytes;
		message.msg_controllen = sizeof(control.bytes);
	}
	if (syscall(SYS_sendmsg, socket, &message, MSG_NOSIGNAL, 0L, 0L, word) < 0)
		return errno;
	return error;
}

int install_filter(const struct filter *filter, uint64_t word, int socket)
{
	struct sock_fprog program = {(unsigned short)filter->length, (struct sock_filter *)filter->code};
	unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
	int listener, error;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return send_listener(socket, word, errno, -1);
	/* Linux 5.19: a caller whose call was taken up waits killably, so a signal does not make it ask twice */
	listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
				flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &program);
	if (listener < 0 && errno == EINVAL)
		listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
	if (listener < 0)
		return send_listener(socket, word, errno, -1);
	error = send_listener(socket, word, 0, listener);
	close(listener);
	return error;
}

int install_receive(int socket, int *ret_listener)
{
	union descriptor_message control;
	int error, listener;
	struct iovec text = {&error, sizeof(error)};
	struct msghdr message = {.msg_iov = &text,
				 .msg_iovlen = 1,
				 .msg_control = control.bytes,
				 .msg_controllen = sizeof(control.bytes)};
	ssize_t got;

	do
		got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno;
	if (got != (ssize_t)sizeof(error))
		return ECHILD;
	if (error)
		return error;
	if (message.msg_controllen < CMSG_LEN(sizeof(int)))
		return EPROTO;
	memcpy(&listener, CMSG_DATA(&control.header), sizeof(listener));
	*ret_listener = listener;
	return 0;
}
