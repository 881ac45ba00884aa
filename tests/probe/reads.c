/* SPDX-License-Identifier: MIT */
/* What libc reads by itself and hands on: passwords, catalogues, records of log-ins. */
#include <arpa/inet.h>
#include <gshadow.h>
#include <netdb.h>
#include <netinet/in.h>
#include <nl_types.h>
#include <shadow.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>
#include <utmpx.h>

#include "probe.h"

#define ROOM 4096

/* What the _r functions give must agree: an error, or an entry. */
static struct outcome named_r(int error, const char *found, const char *wanted)
{
	if (error && found)
		return (struct outcome){.failed = true, .error = EINVAL};
	return error ? from_error(error) : from_name(found, wanted);
}

static struct outcome call_getspnam(char **a)
{
	const struct spwd *entry = getspnam(a[0]);

	return from_name(entry ? entry->sp_namp : NULL, a[0]);
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
	return from_name(entry ? entry->sp_namp : NULL, NULL);
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

	return from_name(entry ? entry->sg_namp : NULL, a[0]);
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
	return from_name(entry ? entry->sg_namp : NULL, NULL);
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
	return from_name(catgets(catalogue, 1, 1, "none"), "m");
}

/* Names the file of templates, which is made here first where "made" is asked for. */
static bool set_templates(char **a)
{
	bool made = strcmp(a[1], "made") == 0;
	int fd = made ? creat(a[0], 0600) : -1;

	return (!made || write(fd, "%Y-%m-%d\n", 9) == 9) && setenv("DATEMSK", a[0], 1) == 0;
}

static struct outcome call_getdate(char **a)
{
	const struct tm *found = set_templates(a) ? getdate("2001-02-03") : NULL;

	if (!found && getdate_err != 2) /* it says why by a number of its own, and errno is anything */
		errno = EINVAL;
	return from_int(found ? 0 : -1);
}

static struct outcome call_getdate_r(char **a)
{
	struct tm found;
	int wrong = set_templates(a) ? getdate_r("2001-02-03", &found) : 1;

	if (wrong && wrong != 2)
		errno = EINVAL;
	return from_int(wrong ? -1 : 0);
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
	return from_name(found ? found->ut_user : NULL, "somebody");
}

static struct outcome call_utmpxname(char **a)
{
	static const struct utmpx record = {.ut_type = USER_PROCESS, .ut_user = "somebody"};
	const struct utmpx *found;

	if (utmpxname(a[0]) < 0)
		return from_int(-1);
	updwtmpx(a[0], &record);
	found = getutxent();
	return from_name(found ? found->ut_user : NULL, "somebody");
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
	return from_name(password, "mine");
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
	{"getdate", 2, call_getdate},
	{"getdate_r", 2, call_getdate_r},
	{"ruserpass", 2, call_ruserpass},
	{"rexec", 1, call_rexec},
	{"rexec_af", 1, call_rexec_af},
	{NULL, 0, NULL},
};
