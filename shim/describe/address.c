/* SPDX-License-Identifier: MIT */
/* Socket addresses in the policy's terms. */
#include "describe/address.h"

#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/un.h>

#include "forbid.h"

static enum address_kind describe_four(struct address *ret, const void *bytes, in_port_t port)
{
	ret->family = AF_INET;
	ret->port = ntohs(port);
	memcpy(ret->bytes, bytes, 4);
	return ADDRESS_INET;
}

static enum address_kind describe_six(struct address *ret, const struct sockaddr_in6 *six)
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
	const uint8_t *bytes = six->sin6_addr.s6_addr;

	if (memcmp(bytes, mapped, sizeof(mapped)) == 0)
		return describe_four(ret, bytes + 12, six->sin6_port);
	ret->family = AF_INET6;
	ret->port = ntohs(six->sin6_port);
	memcpy(ret->bytes, bytes, 16);
	return ADDRESS_INET;
}

static enum address_kind describe_unix(char *name, const struct sockaddr_un *unix_address, size_t size)
{
	size_t length = size - offsetof(struct sockaddr_un, sun_path);

	if (length == 0)
		return ADDRESS_OTHER; /* unnamed */
	if (unix_address->sun_path[0] == '\0') {
		memcpy(name + 1, unix_address->sun_path + 1, length - 1);
		name[0] = '@';
		name[length] = '\0';
		return ADDRESS_NAME;
	}
	memcpy(name, unix_address->sun_path, length);
	name[length] = '\0';
	return ADDRESS_PATH;
}

enum address_kind address_describe(struct address *ret, char name[ADDRESS_NAME_SIZE],
				   const struct sockaddr_storage *copy, size_t size)
{
	memset(ret, 0, sizeof(*ret));
	switch (copy->ss_family) {
	case AF_INET:
		if (size < sizeof(struct sockaddr_in))
			return ADDRESS_OTHER; /* the kernel says EINVAL */
		return describe_four(ret, &((const struct sockaddr_in *)copy)->sin_addr,
				     ((const struct sockaddr_in *)copy)->sin_port);
	case AF_INET6:
		if (size < offsetof(struct sockaddr_in6, sin6_scope_id))
			return ADDRESS_OTHER;
		return describe_six(ret, (const struct sockaddr_in6 *)copy);
	case AF_UNIX:
		if (size > sizeof(struct sockaddr_un))
			return ADDRESS_OTHER;
		return describe_unix(name, (const struct sockaddr_un *)copy, size);
	}
	return ADDRESS_OTHER;
}
