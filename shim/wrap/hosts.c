/* SPDX-License-Identifier: MIT */
/*
 * Two files that look-ups read because a variable of the environment names them: HOSTALIASES, whose words become names of
 * hosts, and RESOLV_HOST_CONF, whose lines are shown on stderr when they are not understood. And the calls that ask
 * for no host by its name, which are judged for the latter alone.
 */
#include <netdb.h>
#include <resolv.h>
#include <string.h>
#include <unistd.h>

#include "describe/memory.h"
#include "wrap/wrap.h"

#include "forbid.h"

static long ask(const char *name, const char *variable)
{
	const char *path = wrap_variable(variable);

	return path ? wrap_ask_inside(name, path, OP_READ) : GUARD_GO;
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

static void *refuse(void)
{
	h_errno = NO_RECOVERY;
	return NULL;
}

static int refuse_r(int *error)
{
	*error = NO_RECOVERY;
	return EACCES;
}

EXPORT struct hostent *gethostbyaddr(const void *address, socklen_t size, int family)
{
	return ask_conf("gethostbyaddr") ? refuse() : REAL(gethostbyaddr)(address, size, family);
}

EXPORT int gethostbyaddr_r(const void *restrict address, socklen_t length, int family, struct hostent *restrict entry,
			   char *restrict buffer, size_t size, struct hostent **restrict found, int *restrict error)
{
	if (!ask_conf("gethostbyaddr_r"))
		return REAL(gethostbyaddr_r)(address, length, family, entry, buffer, size, found, error);
	*found = NULL;
	return refuse_r(error);
}

EXPORT struct hostent *gethostent(void)
{
	return ask_conf("gethostent") ? refuse() : REAL(gethostent)();
}

EXPORT int gethostent_r(struct hostent *restrict entry, char *restrict buffer, size_t size,
			struct hostent **restrict found, int *restrict error)
{
	if (!ask_conf("gethostent_r"))
		return REAL(gethostent_r)(entry, buffer, size, found, error);
	*found = NULL;
	return refuse_r(error);
}

EXPORT void sethostent(int stay)
{
	long answer = ask_conf("sethostent");

	if (answer)
		wrap_result(answer);
	else
		(void)REAL(sethostent)(stay);
}

EXPORT int getnameinfo(const struct sockaddr *restrict address, socklen_t length, char *restrict host, socklen_t host_size,
		       char *restrict service, socklen_t service_size, int flags)
{
	if (ask_conf("getnameinfo"))
		return EAI_FAIL;
	return REAL(getnameinfo)(address, length, host, host_size, service, service_size, flags);
}

EXPORT struct netent *getnetbyname(const char *network)
{
	return ask_conf("getnetbyname") ? refuse() : REAL(getnetbyname)(network);
}

EXPORT int getnetbyname_r(const char *restrict network, struct netent *restrict entry, char *restrict buffer, size_t size,
			  struct netent **restrict found, int *restrict error)
{
	if (!ask_conf("getnetbyname_r"))
		return REAL(getnetbyname_r)(network, entry, buffer, size, found, error);
	*found = NULL;
	return refuse_r(error);
}

EXPORT struct netent *getnetbyaddr(uint32_t network, int family)
{
	return ask_conf("getnetbyaddr") ? refuse() : REAL(getnetbyaddr)(network, family);
}

EXPORT int getnetbyaddr_r(uint32_t network, int family, struct netent *restrict entry, char *restrict buffer, size_t size,
			  struct netent **restrict found, int *restrict error)
{
	if (!ask_conf("getnetbyaddr_r"))
		return REAL(getnetbyaddr_r)(network, family, entry, buffer, size, found, error);
	*found = NULL;
	return refuse_r(error);
}

EXPORT struct netent *getnetent(void)
{
	return ask_conf("getnetent") ? refuse() : REAL(getnetent)();
}

EXPORT int getnetent_r(struct netent *restrict entry, char *restrict buffer, size_t size, struct netent **restrict found,
		       int *restrict error)
{
	if (!ask_conf("getnetent_r"))
		return REAL(getnetent_r)(entry, buffer, size, found, error);
	*found = NULL;
	return refuse_r(error);
}

EXPORT void setnetent(int stay)
{
	long answer = ask_conf("setnetent");

	if (answer)
		wrap_result(answer);
	else
		(void)REAL(setnetent)(stay);
}

/* 0: a machine without a number of its own, and whose name leads nowhere. */
EXPORT long gethostid(void)
{
	long answer = ask_conf("gethostid");

	return answer ? wrap_result(answer) + 1 : REAL(gethostid)();
}

#undef res_init
#undef res_ninit

/* What the header turns those names into. */
int __res_init(void);
int __res_ninit(res_state state);

EXPORT int __res_init(void)
{
	long answer = ask_conf("__res_init");

	return answer ? (int)wrap_result(answer) : REAL(__res_init)();
}

EXPORT int __res_ninit(res_state state)
{
	long answer = ask_conf("__res_ninit");

	return answer ? (int)wrap_result(answer) : REAL(__res_ninit)(state);
}
