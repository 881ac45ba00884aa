/* SPDX-License-Identifier: MIT */
/* Addresses and names. Datagrams to loopback only: no server is needed and nothing leaves the machine. */
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <rpc/netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "probe.h"

union any_address {
	struct sockaddr any;
	struct sockaddr_in four;
	struct sockaddr_un path;
};

/* "127.0.0.1 9", or a path. */
static socklen_t read_address(union any_address *address, char **a)
{
	memset(address, 0, sizeof(*address));
	if (strchr(a[0], '/')) {
		address->path.sun_family = AF_UNIX;
		strncpy(address->path.sun_path, a[0], sizeof(address->path.sun_path) - 1);
		return sizeof(address->path);
	}
	address->four.sin_family = AF_INET;
	address->four.sin_port = htons((uint16_t)atoi(a[1]));
	inet_pton(AF_INET, a[0], &address->four.sin_addr);
	return sizeof(address->four);
}

static int datagram(const union any_address *address)
{
	return socket(address->any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

static struct outcome call_connect(char **a)
{
	union any_address address;
	socklen_t size = read_address(&address, a);

	return from_int(connect(datagram(&address), &address.any, size));
}

static struct outcome call___connect(char **a)
{
	union any_address address;
	socklen_t size = read_address(&address, a);

	return from_int(((int (*)(int, const struct sockaddr *, socklen_t))find("__connect"))(datagram(&address),
											      &address.any, size));
}

static struct outcome call_bind(char **a)
{
	union any_address address;
	socklen_t size = read_address(&address, a);

	return from_int(bind(datagram(&address), &address.any, size));
}

static struct outcome call_bindresvport(char **a)
{
	union any_address address;

	read_address(&address, a);
	return from_int(bindresvport(datagram(&address), &address.four));
}

static struct outcome call_sendto(char **a)
{
	union any_address address;
	socklen_t size = read_address(&address, a);

	return from_int(sendto(datagram(&address), "x", 1, 0, &address.any, size));
}

static struct msghdr message_to(union any_address *address, socklen_t size, struct iovec *part)
{
	*part = (struct iovec){.iov_base = (void *)"x", .iov_len = 1};
	return (struct msghdr){.msg_name = address, .msg_namelen = size, .msg_iov = part, .msg_iovlen = 1};
}

static struct outcome call_sendmsg(char **a)
{
	union any_address address;
	struct iovec part;
	struct msghdr message = message_to(&address, read_address(&address, a), &part);

	return from_int(sendmsg(datagram(&address), &message, 0));
}

static struct outcome call_sendmmsg(char **a)
{
	union any_address address;
	struct iovec part;
	struct mmsghdr message = {.msg_hdr = message_to(&address, read_address(&address, a), &part)};

	return from_int(sendmmsg(datagram(&address), &message, 1, 0));
}

static struct outcome call___sendmmsg(char **a)
{
	union any_address address;
	struct iovec part;
	struct mmsghdr message = {.msg_hdr = message_to(&address, read_address(&address, a), &part)};

	return from_int(((int (*)(int, struct mmsghdr *, unsigned, int))find("__sendmmsg"))(datagram(&address),
											    &message, 1, 0));
}

static struct outcome from_gai(int error)
{
	return (struct outcome){.failed = error != 0, .word = error == EAI_FAIL ? "EAI_FAIL" : "EAI_OTHER"};
}

static struct outcome from_resolver(bool good, int error)
{
	const char *word = error == NO_RECOVERY ? "NO_RECOVERY" : error == TRY_AGAIN ? "TRY_AGAIN"
										     : "HOST_NOT_FOUND";

	return (struct outcome){.failed = !good, .word = word};
}

static struct outcome call_getaddrinfo(char **a)
{
	struct addrinfo *found;

	return from_gai(getaddrinfo(a[0], NULL, NULL, &found));
}

static struct outcome call_getaddrinfo_a(char **a)
{
	struct gaicb request = {.ar_name = a[0]}, *list[] = {&request};

	return from_gai(getaddrinfo_a(GAI_WAIT, list, 1, NULL));
}

static struct outcome call_gethostbyname(char **a)
{
	bool good = gethostbyname(a[0]);

	return from_resolver(good, h_errno);
}

static struct outcome call_gethostbyname2(char **a)
{
	bool good = gethostbyname2(a[0], AF_INET);

	return from_resolver(good, h_errno);
}

static struct outcome call_gethostbyname_r(char **a)
{
	struct hostent entry, *found = NULL;
	char buffer[2048];
	int error = 0;

	gethostbyname_r(a[0], &entry, buffer, sizeof(buffer), &found, &error);
	return from_resolver(found, error);
}

static struct outcome call_gethostbyname2_r(char **a)
{
	struct hostent entry, *found = NULL;
	char buffer[2048];
	int error = 0;

	gethostbyname2_r(a[0], AF_INET, &entry, buffer, sizeof(buffer), &found, &error);
	return from_resolver(found, error);
}

/* A resolver that asks nobody but a closed port of this machine, once. */
static void stay_here(res_state state)
{
	state->nscount = 1;
	state->retry = 1;
	state->retrans = 1;
	state->nsaddr_list[0].sin_family = AF_INET;
	state->nsaddr_list[0].sin_port = htons(9);
	state->nsaddr_list[0].sin_addr.s_addr = htonl(INADDR_LOOPBACK);
}

typedef int query_function(const char *, int, int, unsigned char *, int);
typedef int state_query_function(res_state, const char *, int, int, unsigned char *, int);

static struct outcome query(const char *function, char **a)
{
	unsigned char answer[512];

	res_init();
	stay_here(&_res);
	int size = ((query_function *)find(function))(a[0], ns_c_in, ns_t_a, answer, sizeof(answer));
	return from_resolver(size >= 0, h_errno);
}

static struct outcome state_query(const char *function, char **a)
{
	struct __res_state state = {0};
	unsigned char answer[512];

	res_ninit(&state);
	stay_here(&state);
	int size = ((state_query_function *)find(function))(&state, a[0], ns_c_in, ns_t_a, answer, sizeof(answer));
	return from_resolver(size >= 0, h_errno);
}

static struct outcome call_res_query(char **a)
{
	return query("res_query", a);
}

static struct outcome call___res_query(char **a)
{
	return query("__res_query", a);
}

static struct outcome call_res_search(char **a)
{
	return query("res_search", a);
}

static struct outcome call___res_search(char **a)
{
	return query("__res_search", a);
}

static struct outcome call_res_nquery(char **a)
{
	return state_query("res_nquery", a);
}

static struct outcome call___res_nquery(char **a)
{
	return state_query("__res_nquery", a);
}

static struct outcome call_res_nsearch(char **a)
{
	return state_query("res_nsearch", a);
}

static struct outcome call___res_nsearch(char **a)
{
	return state_query("__res_nsearch", a);
}

typedef int domain_function(const char *, const char *, int, int, unsigned char *, int);
typedef int state_domain_function(res_state, const char *, const char *, int, int, unsigned char *, int);

/* "-": none. */
static const char *domain_of(char **a)
{
	return strcmp(a[1], "-") == 0 ? NULL : a[1];
}

static struct outcome domain_query(const char *function, char **a)
{
	unsigned char answer[512];

	res_init();
	stay_here(&_res);
	int size = ((domain_function *)find(function))(a[0], domain_of(a), ns_c_in, ns_t_a, answer, sizeof(answer));
	return from_resolver(size >= 0, h_errno);
}

static struct outcome state_domain_query(const char *function, char **a)
{
	struct __res_state state = {0};
	unsigned char answer[512];

	res_ninit(&state);
	stay_here(&state);
	state_domain_function *call = (state_domain_function *)find(function);
	int size = call(&state, a[0], domain_of(a), ns_c_in, ns_t_a, answer, sizeof(answer));
	return from_resolver(size >= 0, h_errno);
}

static struct outcome call_res_querydomain(char **a)
{
	return domain_query("res_querydomain", a);
}

static struct outcome call___res_querydomain(char **a)
{
	return domain_query("__res_querydomain", a);
}

static struct outcome call_res_nquerydomain(char **a)
{
	return state_domain_query("res_nquerydomain", a);
}

static struct outcome call___res_nquerydomain(char **a)
{
	return state_domain_query("__res_nquerydomain", a);
}

const struct verb net_verbs[] = {
	{"connect", 1, call_connect},
	{"__connect", 1, call___connect},
	{"bind", 1, call_bind},
	{"bindresvport", 2, call_bindresvport},
	{"sendto", 1, call_sendto},
	{"sendmsg", 1, call_sendmsg},
	{"sendmmsg", 1, call_sendmmsg},
	{"__sendmmsg", 1, call___sendmmsg},
	{"getaddrinfo", 1, call_getaddrinfo},
	{"getaddrinfo_a", 1, call_getaddrinfo_a},
	{"gethostbyname", 1, call_gethostbyname},
	{"gethostbyname2", 1, call_gethostbyname2},
	{"gethostbyname_r", 1, call_gethostbyname_r},
	{"gethostbyname2_r", 1, call_gethostbyname2_r},
	{"res_query", 1, call_res_query},
	{"__res_query", 1, call___res_query},
	{"res_search", 1, call_res_search},
	{"__res_search", 1, call___res_search},
	{"res_nquery", 1, call_res_nquery},
	{"__res_nquery", 1, call___res_nquery},
	{"res_nsearch", 1, call_res_nsearch},
	{"__res_nsearch", 1, call___res_nsearch},
	{"res_querydomain", 2, call_res_querydomain},
	{"__res_querydomain", 2, call___res_querydomain},
	{"res_nquerydomain", 2, call_res_nquerydomain},
	{"__res_nquerydomain", 2, call___res_nquerydomain},
	{NULL, 0, NULL},
};
