/* SPDX-License-Identifier: MIT */
/* Calls that name a peer. */
#include <sys/socket.h>

#include "wrap/wrap.h"

#include "forbid.h"

EXPORT int connect(int fd, const struct sockaddr *address, socklen_t size)
{
	long answer = guard_address("connect", OP_CONNECT, address, size);

	if (answer)
		return (int)wrap_result(answer);
	return REAL(connect)(fd, address, size);
}
