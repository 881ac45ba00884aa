/* SPDX-License-Identifier: MIT */
/* What libc reads by itself and hands on: passwords, catalogues, records of log-ins, names of hosts. */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <gshadow.h>
#include <netdb.h>
#include <netinet/in.h>
#include <nl_types.h>
#include <resolv.h>
#include <shadow.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utmp.h>
#include <utmpx.h>

#include "probe.h"

#define ROOM 4096

/* Good is an entry with this name; any entry, where there is none. */
static struct outcome named(const char *found, const char *wanted)
{
	struct outcome outcome = from_pointer(found);

	if (found && wanted && strcmp(found, wanted) != 0)
		outcome = (struct outcome){.failed = true, .error = ENOENT};
	return outcome;
}

/* What the _r functions give must agree: an error, or an entry. */
static struct outcome named_r(int error, const char *found, const char *wanted)
{
	if (error && found)
		return (struct outcome){.failed = true, .error = EINVAL};
	return error ? from_error(error) : named(found, wanted);
}

static struct outcome call_getspnam(char **a)
{
	const struct spwd *entry = getspnam(a[0]);

	return named(entry ? entry->sp_namp : NULL, a[0]);
}

static struct outcome call_getspnam_r(char **a)
{
	struct spwd room, *found = &room;
	char buffer[ROOM];
	int error = getspnam_r(a[0], &room, buffer, sizeof(buffer), &found);

	return named_r(error, found ? found->sp_namp : NULL, a[0]);
}

static struct outcome call_getspent(char **a)
{
	const struct spwd *entry = getspent();

	(void)a;
	return named(entry ? entry->sp_namp : NULL, NULL);
}

static struct outcome call_getspent_r(char **a)
{
	struct spwd room, *found = &room;
	char buffer[ROOM];
	int error = getspent_r(&room, buffer, sizeof(buffer), &found);

	(void)a;
	return named_r(error, found ? found->sp_namp : NULL, NULL);
}

static struct outcome call_getsgnam(char **a)
{
	const struct sgrp *entry = getsgnam(a[0]);

	return named(entry ? entry->sg_namp : NULL, a[0]);
}

static struct outcome call_getsgnam_r(char **a)
{
	struct sgrp room, *found = &room;
	char buffer[ROOM];
	int error = getsgnam_r(a[0], &room, buffer, sizeof(buffer), &found);

	return named_r(error, found ? found->sg_namp : NULL, a[0]);
}

static struct outcome call_getsgent(char **a)
{
	const struct sgrp *entry = getsgent();

	(void)a;
	return named(entry ? entry->sg_namp : NULL, NULL);
}

static struct outcome call_getsgent_r(char **a)
{
	struct sgrp room, *found = &room;
	char buffer[ROOM];
	int error = getsgent_r(&room, buffer, sizeof(buffer), &found);

	(void)a;
	return named_r(error, found ? found->sg_namp : NULL, NULL);
}

/* A catalogue of one message, which is made here first where "made" is asked for. */
static struct outcome call_catopen(char **a)
{
	static const unsigned file[] = {0x960408de, 1, 1, 2, 1, 0, 2, 1, 0, 'm'};
	bool made = strcmp(a[1], "made") == 0;
	int fd = made ? creat(a[0], 0600) : -1;
	nl_catd catalogue;

	if (made && write(fd, file, sizeof(file)) != (ssize_t)sizeof(file))
		return from_int(-1);
	catalogue = catopen(a[0], 0);
	if (catalogue == (nl_catd)-1)
		return from_int(-1);
	return named(catgets(catalogue, 1, 1, "none"), "m");
}

/* One record, written and then read. */
static struct outcome call_utmpname(char **a)
{
	static const struct utmp record = {.ut_type = USER_PROCESS, .ut_user = "somebody"};
	const struct utmp *found;

	if (utmpname(a[0]) < 0)
		return from_int(-1);
	updwtmp(a[0], &record);
	found = getutent();
	return named(found ? found->ut_user : NULL, "somebody");
}

static struct outcome call_utmpxname(char **a)
{
	static const struct utmpx record = {.ut_type = USER_PROCESS, .ut_user = "somebody"};
	const struct utmpx *found;

	if (utmpxname(a[0]) < 0)
		return from_int(-1);
	updwtmpx(a[0], &record);
	found = getutxent();
	return named(found ? found->ut_user : NULL, "somebody");
}

static struct outcome call_updwtmp(char **a)
{
	static const struct utmp record = {.ut_type = USER_PROCESS};

	errno = 0;
	updwtmp(a[0], &record);
	return from_error(errno);
}

static struct outcome call_updwtmpx(char **a)
{
	static const struct utmpx record = {.ut_type = USER_PROCESS};

	errno = 0;
	updwtmpx(a[0], &record);
	return from_error(errno);
}

/* A home with a password for one host. */
static void make_netrc(const char *home)
{
	static const char text[] = "machine there login me password mine\n";
	int folder_fd = folder(home), fd;

	setenv("HOME", home, 1);
	fd = openat(folder_fd, ".netrc", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd >= 0 && write(fd, text, sizeof(text) - 1) < 0)
		errno = EIO;
	close(fd);
}

int ruserpass(const char *host, const char **user, const char **password); /* in no header */

/* Where the home is not ours to write, its .netrc is there already. */
static struct outcome call_ruserpass(char **a)
{
	const char *user = NULL, *password = NULL;

	if (strcmp(a[1], "made") == 0)
		make_netrc(a[0]);
	setenv("HOME", a[0], 1);
	errno = 0;
	if (ruserpass("there", &user, &password) < 0 || errno == EACCES)
		return from_error(errno);
	return named(password, "mine");
}

/* A server on loopback that takes one command and says yes. Its port. */
static int serve(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), taken;

	if (bind(fd, (struct sockaddr *)&address, size) < 0 || listen(fd, 1) < 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &size) < 0)
		return 0;
	if (fork() == 0) {
		alarm(10);
		taken = accept(fd, NULL, NULL);
		_exit(write(taken, "", 1) != 1 || recv(taken, &address, sizeof(address), MSG_WAITALL) < 0);
	}
	return address.sin_port;
}

static struct outcome call_rexec(char **a)
{
	char *host = (char[]){"127.0.0.1"};

	setenv("HOME", a[0], 1);
	return from_int(rexec(&host, serve(), "me", "mine", "command", NULL));
}

static struct outcome call_rexec_af(char **a)
{
	char *host = (char[]){"127.0.0.1"};

	setenv("HOME", a[0], 1);
	return from_int(rexec_af(&host, serve(), "me", "mine", "command", NULL, AF_INET));
}

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
	return named(((const char *(*)(const char *))find("__hostalias"))("short"), "long.example");
}

static struct outcome call___res_hostalias(char **a)
{
	typedef const char *function(res_state, const char *, char *, size_t);
	struct __res_state state = {0};
	char room[256];

	load_resolver(a[0]);
	res_ninit(&state);
	errno = 0;
	return named(((function *)find("__res_hostalias"))(&state, "short", room, sizeof(room)), "long.example");
}

const struct verb read_verbs[] = {
	{"getspnam", 1, call_getspnam},
	{"getspnam_r", 1, call_getspnam_r},
	{"getspent", 0, call_getspent},
	{"getspent_r", 0, call_getspent_r},
	{"getsgnam", 1, call_getsgnam},
	{"getsgnam_r", 1, call_getsgnam_r},
	{"getsgent", 0, call_getsgent},
	{"getsgent_r", 0, call_getsgent_r},
	{"catopen", 2, call_catopen},
	{"utmpname", 1, call_utmpname},
	{"utmpxname", 1, call_utmpxname},
	{"updwtmp", 1, call_updwtmp},
	{"updwtmpx", 1, call_updwtmpx},
	{"ruserpass", 2, call_ruserpass},
	{"rexec", 1, call_rexec},
	{"rexec_af", 1, call_rexec_af},
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
