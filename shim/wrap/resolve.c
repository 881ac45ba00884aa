/* SPDX-License-Identifier: MIT */
/* Looking up host names. What they lead to is remembered, so that a later connect is judged by its name as well. */
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <string.h>

#include "describe/address.h"
#include "describe/memory.h"
#include "describe/names.h"
#include "wrap/wrap.h"

#include "forbid.h"

/* A host's name, and what is read for it. */
static long ask(const char *name, const char *host)
{
	long answer = guard_resolve(name, host);

	return answer ? answer : wrap_ask_hosts(name, host);
}

static void remember(const char *host, const struct sockaddr *address, socklen_t size)
{
	struct sockaddr_storage copy = {0};
	struct address described;
	char name[ADDRESS_NAME_SIZE];

	if (!address || size > sizeof(copy))
		return;
	memcpy(&copy, address, size);
	if (address_describe(&described, name, &copy, size) == ADDRESS_INET)
		names_remember(host, &described);
}

static void remember_list(const char *host, const struct addrinfo *list)
{
	for (; host && list; list = list->ai_next)
		remember(host, list->ai_addr, list->ai_addrlen);
}

static void remember_entry(const char *host, const struct hostent *entry)
{
	struct address address = {0};

	if (!entry || entry->h_length > (int)sizeof(address.bytes))
		return;
	address.family = (uint16_t)entry->h_addrtype;
	for (char **at = entry->h_addr_list; at && *at; at++) {
		memcpy(address.bytes, *at, (size_t)entry->h_length);
		names_remember(host, &address);
	}
}

/* The usual reasons; glibc's own error numbers go on below these. */
static const char *reason(int error)
{
	return error == EAI_NONAME    ? "EAI_NONAME"
	       : error == EAI_AGAIN   ? "EAI_AGAIN"
	       : error == EAI_SERVICE ? "EAI_SERVICE"
				      : "EAI_FAIL";
}

EXPORT int getaddrinfo(const char *restrict node, const char *restrict service,
		       const struct addrinfo *restrict hints, struct addrinfo **restrict found)
{
	int result;

	if (ask("getaddrinfo", node))
		return EAI_FAIL;
	result = REAL(getaddrinfo)(node, service, hints, found);
	if (result == 0)
		remember_list(node, *found);
	else
		guard_resolve_failed("getaddrinfo", node, reason(result));
	return result;
}

EXPORT int getaddrinfo_a(int mode, struct gaicb *list[restrict], int count, struct sigevent *restrict event)
{
	for (int i = 0; i < count; i++)
		if (list[i] && ask("getaddrinfo_a", list[i]->ar_name))
			return EAI_FAIL;
	return REAL(getaddrinfo_a)(mode, list, count, event);
}

static struct hostent *refuse(void)
{
	h_errno = NO_RECOVERY;
	return NULL;
}

EXPORT struct hostent *gethostbyname(const char *host)
{
	struct hostent *entry;

	if (ask("gethostbyname", host))
		return refuse();
	entry = REAL(gethostbyname)(host);
	remember_entry(host, entry);
	return entry;
}

EXPORT struct hostent *gethostbyname2(const char *host, int family)
{
	struct hostent *entry;

	if (ask("gethostbyname2", host))
		return refuse();
	entry = REAL(gethostbyname2)(host, family);
	remember_entry(host, entry);
	return entry;
}

static int refuse_r(struct hostent **found, int *error)
{
	*found = NULL;
	*error = NO_RECOVERY;
	return EACCES;
}

EXPORT int gethostbyname_r(const char *restrict host, struct hostent *restrict entry, char *restrict buffer,
			   size_t size, struct hostent **restrict found, int *restrict error)
{
	int result;

	if (ask("gethostbyname_r", host))
		return refuse_r(found, error);
	result = REAL(gethostbyname_r)(host, entry, buffer, size, found, error);
	if (result == 0)
		remember_entry(host, *found);
	return result;
}

EXPORT int gethostbyname2_r(const char *restrict host, int family, struct hostent *restrict entry,
			    char *restrict buffer, size_t size, struct hostent **restrict found, int *restrict error)
{
	int result;

	if (ask("gethostbyname2_r", host))
		return refuse_r(found, error);
	result = REAL(gethostbyname2_r)(host, family, entry, buffer, size, found, error);
	if (result == 0)
		remember_entry(host, *found);
	return result;
}

/* The resolver's own questions: here the answer stays raw and no address is learnt. */
static int refuse_query(void)
{
	h_errno = NO_RECOVERY;
	return -1;
}

#undef res_query
#undef res_search
#undef res_nquery
#undef res_nsearch
#undef res_querydomain
#undef res_nquerydomain

/* What the header turns those names into. */
int __res_query(const char *host, int class, int type, unsigned char *answer, int size);
int __res_search(const char *host, int class, int type, unsigned char *answer, int size);
int __res_nquery(res_state state, const char *host, int class, int type, unsigned char *answer, int size);
int __res_nsearch(res_state state, const char *host, int class, int type, unsigned char *answer, int size);
int __res_querydomain(const char *host, const char *domain, int class, int type, unsigned char *answer, int size);
int __res_nquerydomain(res_state state, const char *host, const char *domain, int class, int type, unsigned char *answer,
		       int size);

EXPORT int res_query(const char *host, int class, int type, unsigned char *answer, int size)
{
	return ask("res_query", host) ? refuse_query() : REAL(res_query)(host, class, type, answer, size);
}

EXPORT int __res_query(const char *host, int class, int type, unsigned char *answer, int size)
{
	return ask("__res_query", host) ? refuse_query()
					: REAL(__res_query)(host, class, type, answer, size);
}

EXPORT int res_search(const char *host, int class, int type, unsigned char *answer, int size)
{
	return ask("res_search", host) ? refuse_query()
				       : REAL(res_search)(host, class, type, answer, size);
}

EXPORT int __res_search(const char *host, int class, int type, unsigned char *answer, int size)
{
	return ask("__res_search", host) ? refuse_query()
					 : REAL(__res_search)(host, class, type, answer, size);
}

EXPORT int res_nquery(res_state state, const char *host, int class, int type, unsigned char *answer, int size)
{
	return ask("res_nquery", host) ? refuse_query()
				       : REAL(res_nquery)(state, host, class, type, answer, size);
}

EXPORT int __res_nquery(res_state state, const char *host, int class, int type, unsigned char *answer, int size)
{
	return ask("__res_nquery", host) ? refuse_query()
					 : REAL(__res_nquery)(state, host, class, type, answer, size);
}

EXPORT int res_nsearch(res_state state, const char *host, int class, int type, unsigned char *answer, int size)
{
	return ask("res_nsearch", host) ? refuse_query()
					: REAL(res_nsearch)(state, host, class, type, answer, size);
}

EXPORT int __res_nsearch(res_state state, const char *host, int class, int type, unsigned char *answer, int size)
{
	return ask("__res_nsearch", host) ? refuse_query()
					  : REAL(__res_nsearch)(state, host, class, type, answer, size);
}

#define HOST_ROOM 512 /* no host has a longer name */

/* A host and the domain that it is in, asked for as one name. */
static __attribute__((noinline)) long ask_domain(const char *name, const char *host, const char *domain)
{
	char whole[HOST_ROOM];
	long length, more;

	if (!domain || !memory_string_readable(domain) || !memory_string_readable(host))
		return ask(name, host);
	length = memory_string(whole, sizeof(whole) - 1, host);
	if (length < 0)
		return GUARD_GO; /* the resolver takes no such name */
	whole[length] = '.';
	more = memory_string(whole + length + 1, sizeof(whole) - (size_t)length - 1, domain);
	return more < 0 ? GUARD_GO : ask(name, whole);
}

EXPORT int res_querydomain(const char *host, const char *domain, int class, int type, unsigned char *answer, int size)
{
	return ask_domain("res_querydomain", host, domain)
		       ? refuse_query()
		       : REAL(res_querydomain)(host, domain, class, type, answer, size);
}

EXPORT int __res_querydomain(const char *host, const char *domain, int class, int type, unsigned char *answer, int size)
{
	return ask_domain("__res_querydomain", host, domain)
		       ? refuse_query()
		       : REAL(__res_querydomain)(host, domain, class, type, answer, size);
}

EXPORT int res_nquerydomain(res_state state, const char *host, const char *domain, int class, int type,
			    unsigned char *answer, int size)
{
	return ask_domain("res_nquerydomain", host, domain)
		       ? refuse_query()
		       : REAL(res_nquerydomain)(state, host, domain, class, type, answer, size);
}

EXPORT int __res_nquerydomain(res_state state, const char *host, const char *domain, int class, int type,
			      unsigned char *answer, int size)
{
	return ask_domain("__res_nquerydomain", host, domain)
		       ? refuse_query()
		       : REAL(__res_nquerydomain)(state, host, domain, class, type, answer, size);
}
