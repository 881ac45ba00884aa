/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_DESCRIBE_ADDRESS_H
#define BRIDLE_DESCRIBE_ADDRESS_H

#include <stddef.h>
#include <sys/socket.h>

#include "request.h"

/* What a socket address is to the policy. */
enum address_kind {
	ADDRESS_OTHER, /* netlink, packet, unspecified ...: not judged */
	ADDRESS_INET,  /* *ret is filled */
	ADDRESS_PATH,  /* a unix socket in the file system: name holds its path */
	ADDRESS_NAME,  /* an abstract unix socket: name holds "@" and its name */
};

#define ADDRESS_NAME_SIZE 112 /* sun_path, "@" and a NUL */

/*
 * Describes a copy of a caller's address, size bytes of it. v4-mapped IPv6 is described as IPv4. Pure: safe anywhere.
 */
enum address_kind address_describe(struct address *ret, char name[ADDRESS_NAME_SIZE],
				   const struct sockaddr_storage *copy, size_t size);

#endif
