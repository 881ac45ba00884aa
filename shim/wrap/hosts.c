/* SPDX-License-Identifier: MIT */
/*
 * Two files that look-ups read because a variable of the environment names them: HOSTALIASES, whose words become names of
 * hosts, and RESOLV_HOST_CONF, whose lines are shown on stderr when they are not understood. And the look-ups that ask for
 * no name, which are judged for these alone.
 */
#include <netdb.h>
#include <resolv.h>
#include <string.h>

#include "describe/memory.h"
#include "wrap/wrap.h"

#include "forbid.h"

static long ask(const char *name, const char *variable)
{
	const char *path = wrap_variable(variable);

	if (!path || guard_file(&(struct file_call){name, AT_FDCWD, path, OP_READ, FILE_FOLLOW}) != -EACCES)
		return GUARD_GO;
	return -EACCES;
}

static long ask_conf(const char *name)
{
	return ask(name, "RESOLV_HOST_CONF");
}

/* A name with a dot has no alias, and an address has none. */
long wrap_ask_hosts(const char *name, const char *host)
{
	long answer = host ? ask_conf(name) : GUARD_GO;

	if (answer || !host || !memory_string_readable(host) || host[strcspn(host, ".:")])
		return answer;
	return ask(name, "HOSTALIASES");
}

#undef hostalias
#undef res_hostalias

/* Not by REAL: the header calls them outdated. */
typedef const char *alias(const char *host);
typedef const char *alias_of(const res_state state, const char *host, char *buffer, size_t size);

/* NULL: the host has no other name. */
EXPORT const char *__hostalias(const char *host)
{
	long answer = ask("__hostalias", "HOSTALIASES");

	if (!answer)
		return ((alias *)real_find(REAL___hostalias))(host);
	wrap_result(answer);
	return NULL;
}

EXPORT const char *__res_hostalias(const res_state state, const char *host, char *buffer, size_t size)
{
	long answer = ask("__res_hostalias", "HOSTALIASES");

	if (!answer)
		return ((alias_of *)real_find(REAL___res_hostalias))(state, host, buffer, size);
	wrap_result(answer);
	return NULL;
}

EXPORT struct hostent *gethostbyaddr(const void *address, socklen_t size, int family)
{
	if (!ask_conf("gethostbyaddr"))
		return REAL(gethostbyaddr)(address, size, family);
	h_errno = NO_RECOVERY;
	return NULL;
}

EXPORT int gethostbyaddr_r(const void *restrict address, socklen_t length, int family, struct hostent *restrict entry,
			   char *restrict buffer, size_t size, struct hostent **restrict found, int *restrict error)
{
	if (!ask_conf("gethostbyaddr_r"))
		return REAL(gethostbyaddr_r)(address, length, family, entry, buffer, size, found, error);
	*found = NULL;
	*error = NO_RECOVERY;
	return EACCES;
}

EXPORT struct hostent *gethostent(void)
{
	if (!ask_conf("gethostent"))
		return REAL(gethostent)();
	h_errno = NO_RECOVERY;
	return NULL;
}

EXPORT int gethostent_r(struct hostent *restrict entry, char *restrict buffer, size_t size,
			struct hostent **restrict found, int *restrict error)
{
	if (!ask_conf("gethostent_r"))
		return REAL(gethostent_r)(entry, buffer, size, found, error);
	*found = NULL;
	*error = NO_RECOVERY;
	return EACCES;
}

EXPORT int getnameinfo(const struct sockaddr *restrict address, socklen_t length, char *restrict host, socklen_t host_size,
		       char *restrict service, socklen_t service_size, int flags)
{
	if (ask_conf("getnameinfo"))
		return EAI_FAIL;
	return REAL(getnameinfo)(address, length, host, host_size, service, service_size, flags);
}
