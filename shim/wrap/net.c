/* SPDX-License-Identifier: MIT */
/* Calls that name a peer or a local address. A message without an address goes where its connect was judged for. */
#include <netinet/in.h>
#include <sys/socket.h>

#include "describe/memory.h"
#include "wrap/wrap.h"

#include "forbid.h"

EXPORT int connect(int fd, const struct sockaddr *address, socklen_t size)
{
	long answer = guard_address("connect", OP_CONNECT, address, size);

	return answer ? (int)wrap_result(answer) : REAL(connect)(fd, address, size);
}

EXPORT int __connect(int fd, const struct sockaddr *address, socklen_t size)
{
	long answer = guard_address("__connect", OP_CONNECT, address, size);

	return answer ? (int)wrap_result(answer) : REAL(__connect)(fd, address, size);
}

EXPORT int bind(int fd, const struct sockaddr *address, socklen_t size)
{
	long answer = guard_address("bind", OP_BIND, address, size);

	return answer ? (int)wrap_result(answer) : REAL(bind)(fd, address, size);
}

EXPORT int bindresvport(int fd, struct sockaddr_in *address)
{
	long answer = guard_address("bindresvport", OP_BIND, (struct sockaddr *)address,
				    address ? sizeof(*address) : 0);

	return answer ? (int)wrap_result(answer) : REAL(bindresvport)(fd, address);
}

EXPORT ssize_t sendto(int fd, const void *bytes, size_t length, int flags, const struct sockaddr *address,
		      socklen_t size)
{
	long answer = guard_address("sendto", OP_CONNECT, address, size);

	return answer ? wrap_result(answer) : REAL(sendto)(fd, bytes, length, flags, address, size);
}

static long ask_message(const char *name, const struct msghdr *message)
{
	if (!memory_readable(message, sizeof(*message)))
		return GUARD_GO; /* the kernel says EFAULT */
	return guard_address(name, OP_CONNECT, message->msg_name, message->msg_namelen);
}

EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	long answer = ask_message("sendmsg", message);

	return answer ? wrap_result(answer) : REAL(sendmsg)(fd, message, flags);
}

long wrap_ask_messages(const char *name, const struct mmsghdr *messages, unsigned count)
{
	long answer = GUARD_GO;

	for (unsigned i = 0; i < count && !answer && memory_readable(&messages[i], sizeof(*messages)); i++)
		answer = ask_message(name, &messages[i].msg_hdr);
	return answer;
}

EXPORT int sendmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags)
{
	long answer = wrap_ask_messages("sendmmsg", messages, count);

	return answer ? (int)wrap_result(answer) : REAL(sendmmsg)(fd, messages, count, flags);
}

EXPORT int __sendmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags)
{
	long answer = wrap_ask_messages("__sendmmsg", messages, count);

	return answer ? (int)wrap_result(answer) : REAL(__sendmmsg)(fd, messages, count, flags);
}
