/* SPDX-License-Identifier: MIT */
/* Look-ups that read a file because the environment names it: RESOLV_HOST_CONF, HOSTALIASES. */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <stdlib.h>
#include <unistd.h>

#include "probe.h"

#define ROOM 4096

static struct outcome looked_up(bool good, int error)
{
	return (struct outcome){.failed = !good, .word = error == NO_RECOVERY ? "NO_RECOVERY" : "HOST_NOT_FOUND"};
}

/* Their argument is the file that says how hosts are looked up. */
static struct in_addr loopback(char **a)
{
	setenv("RESOLV_HOST_CONF", a[0], 1);
	return (struct in_addr){htonl(INADDR_LOOPBACK)};
}

static struct outcome call_gethostbyaddr(char **a)
{
	struct in_addr address = loopback(a);
	bool good = gethostbyaddr(&address, sizeof(address), AF_INET);

	return looked_up(good, h_errno);
}

static struct outcome call_gethostbyaddr_r(char **a)
{
	struct in_addr address = loopback(a);
	struct hostent entry, *found = &entry;
	char buffer[ROOM];
	int error = 0;

	gethostbyaddr_r(&address, sizeof(address), AF_INET, &entry, buffer, sizeof(buffer), &found, &error);
	return looked_up(found, error);
}

static struct outcome call_gethostent(char **a)
{
	bool good;

	loopback(a);
	good = gethostent();
	return looked_up(good, h_errno);
}

static struct outcome call_gethostent_r(char **a)
{
	struct hostent entry, *found = &entry;
	char buffer[ROOM];
	int error = 0;

	loopback(a);
	gethostent_r(&entry, buffer, sizeof(buffer), &found, &error);
	return looked_up(found, error);
}

static struct outcome call_getnameinfo(char **a)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = loopback(a)};
	char host[NI_MAXHOST];
	int error = getnameinfo((struct sockaddr *)&address, sizeof(address), host, sizeof(host), NULL, 0, 0);

	return (struct outcome){.failed = error != 0, .word = error == EAI_FAIL ? "EAI_FAIL" : "EAI_OTHER"};
}

/* What has no result that tells: a refusal is known by errno. */
static struct outcome call_sethostent(char **a)
{
	loopback(a);
	errno = 0;
	sethostent(0);
	return from_error(errno == EACCES ? errno : 0);
}

static struct outcome call_setnetent(char **a)
{
	loopback(a);
	errno = 0;
	setnetent(0);
	return from_error(errno == EACCES ? errno : 0);
}

static struct outcome call_getnetbyname(char **a)
{
	bool good;

	loopback(a);
	good = getnetbyname("loopback");
	return looked_up(good, h_errno);
}

static struct outcome call_getnetbyname_r(char **a)
{
	struct netent entry, *found = &entry;
	char buffer[ROOM];
	int error = 0;

	loopback(a);
	getnetbyname_r("loopback", &entry, buffer, sizeof(buffer), &found, &error);
	return looked_up(found, error);
}

static struct outcome call_getnetbyaddr(char **a)
{
	bool good;

	loopback(a);
	good = getnetbyaddr(IN_LOOPBACKNET, AF_INET);
	return looked_up(good, h_errno);
}

static struct outcome call_getnetbyaddr_r(char **a)
{
	struct netent entry, *found = &entry;
	char buffer[ROOM];
	int error = 0;

	loopback(a);
	getnetbyaddr_r(IN_LOOPBACKNET, AF_INET, &entry, buffer, sizeof(buffer), &found, &error);
	return looked_up(found, error);
}

static struct outcome call_getnetent(char **a)
{
	bool good;

	loopback(a);
	good = getnetent();
	return looked_up(good, h_errno);
}

static struct outcome call_getnetent_r(char **a)
{
	struct netent entry, *found = &entry;
	char buffer[ROOM];
	int error = 0;

	loopback(a);
	getnetent_r(&entry, buffer, sizeof(buffer), &found, &error);
	return looked_up(found, error);
}

static struct outcome call_gethostid(char **a)
{
	loopback(a);
	errno = 0;
	gethostid();
	return from_error(errno == EACCES ? errno : 0);
}

static struct outcome call___res_init(char **a)
{
	loopback(a);
	return from_int(res_init());
}

static struct outcome call___res_ninit(char **a)
{
	struct __res_state state = {0};

	loopback(a);
	return from_int(res_ninit(&state));
}

/* Functions of another library; argument: the file of other names, whose first word leads to its second. */
static void load_resolver(const char *aliases)
{
	setenv("HOSTALIASES", aliases, 1);
	dlopen("libresolv.so.2", RTLD_NOW | RTLD_GLOBAL);
	errno = 0;
}

static struct outcome call___hostalias(char **a)
{
	load_resolver(a[0]);
	return from_name(((const char *(*)(const char *))find("__hostalias"))("short"), "long.example");
}

static struct outcome call___res_hostalias(char **a)
{
	typedef const char *function(res_state, const char *, char *, size_t);
	struct __res_state state = {0};
	char room[256];

	load_resolver(a[0]);
	res_ninit(&state);
	errno = 0;
	return from_name(((function *)find("__res_hostalias"))(&state, "short", room, sizeof(room)), "long.example");
}

const struct verb host_verbs[] = {
	{"gethostbyaddr", 1, call_gethostbyaddr},
	{"gethostbyaddr_r", 1, call_gethostbyaddr_r},
	{"gethostent", 1, call_gethostent},
	{"gethostent_r", 1, call_gethostent_r},
	{"getnameinfo", 1, call_getnameinfo},
	{"sethostent", 1, call_sethostent},
	{"setnetent", 1, call_setnetent},
	{"getnetent", 1, call_getnetent},
	{"getnetent_r", 1, call_getnetent_r},
	{"getnetbyname", 1, call_getnetbyname},
	{"getnetbyname_r", 1, call_getnetbyname_r},
	{"getnetbyaddr", 1, call_getnetbyaddr},
	{"getnetbyaddr_r", 1, call_getnetbyaddr_r},
	{"gethostid", 1, call_gethostid},
	{"__res_init", 1, call___res_init},
	{"__res_ninit", 1, call___res_ninit},
	{"__hostalias", 1, call___hostalias},
	{"__res_hostalias", 1, call___res_hostalias},
	{NULL, 0, NULL},
};
