/* SPDX-License-Identifier: MIT */
/* Calls that name a peer or a local address. A message without an address goes where its connect was judged for. */
#include <netinet/in.h>
#include <sys/socket.h>

#include "describe/memory.h"
#include "wrap/lane.h"

#include "forbid.h"

/* errno is as the call left it. */
static int told(const char *name, enum op op, const struct sockaddr *address, socklen_t size, long result)
{
	if (result < 0)
		guard_address_failed(name, op, address, size, errno);
	return (int)result;
}

EXPORT int connect(int fd, const struct sockaddr *address, socklen_t size)
{
	long answer = guard_address("connect", OP_CONNECT, address, size);

	if (answer)
		return (int)wrap_result(answer);
	answer = lane_can_wait(REAL_connect) ? lane_wait(SYS_connect, fd, (long)address, size, 0)
					     : REAL(connect)(fd, address, size);
	return told("connect", OP_CONNECT, address, size, answer);
}

EXPORT int __connect(int fd, const struct sockaddr *address, socklen_t size)
{
	long answer = guard_address("__connect", OP_CONNECT, address, size);

	if (answer)
		return (int)wrap_result(answer);
	answer = lane_can_wait(REAL___connect) ? lane_wait(SYS_connect, fd, (long)address, size, 0)
					       : REAL(__connect)(fd, address, size);
	return told("__connect", OP_CONNECT, address, size, answer);
}

EXPORT int bind(int fd, const struct sockaddr *address, socklen_t size)
{
	long answer = guard_address("bind", OP_BIND, address, size);

	if (answer)
		return (int)wrap_result(answer);
	answer = LANE(bind, (fd, address, size), SYS_bind, fd, address, size, 0, 0);
	return told("bind", OP_BIND, address, size, answer);
}

EXPORT int bindresvport(int fd, struct sockaddr_in *address)
{
	long answer = guard_address("bindresvport", OP_BIND, (struct sockaddr *)address,
				    address ? sizeof(*address) : 0);

	return answer ? (int)wrap_result(answer) : REAL(bindresvport)(fd, address);
}

/* sendto has no register left for the word; this says the same. */
static ssize_t send_message(int fd, const void *bytes, size_t length, int flags, const struct sockaddr *address,
			    socklen_t size)
{
	struct iovec text = {(void *)(uintptr_t)bytes, length};
	struct msghdr message = {
		.msg_name = (void *)(uintptr_t)address, .msg_namelen = size, .msg_iov = &text, .msg_iovlen = 1};

	return lane_wait(SYS_sendmsg, fd, (long)&message, flags, 0);
}

EXPORT ssize_t sendto(int fd, const void *bytes, size_t length, int flags, const struct sockaddr *address,
		      socklen_t size)
{
	long answer = guard_address("sendto", OP_CONNECT, address, size);

	if (answer)
		return wrap_result(answer);
	if (address && size <= sizeof(struct sockaddr_storage) && lane_can_wait(REAL_sendto))
		return send_message(fd, bytes, length, flags, address, size);
	return REAL(sendto)(fd, bytes, length, flags, address, size);
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

	if (answer)
		return wrap_result(answer);
	if (lane_can_wait(REAL_sendmsg))
		return lane_wait(SYS_sendmsg, fd, (long)message, flags, 0);
	return REAL(sendmsg)(fd, message, flags);
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

	if (answer)
		return (int)wrap_result(answer);
	if (lane_can_wait(REAL_sendmmsg))
		return (int)lane_wait(SYS_sendmmsg, fd, (long)messages, count, flags);
	return REAL(sendmmsg)(fd, messages, count, flags);
}

EXPORT int __sendmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags)
{
	long answer = wrap_ask_messages("__sendmmsg", messages, count);

	if (answer)
		return (int)wrap_result(answer);
	if (lane_can_wait(REAL___sendmmsg))
		return (int)lane_wait(SYS_sendmmsg, fd, (long)messages, count, flags);
	return REAL(__sendmmsg)(fd, messages, count, flags);
}
