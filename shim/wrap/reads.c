/* SPDX-License-Identifier: MIT */
/*
 * Files that a program names, or that its home holds, and that libc opens by itself to hand on what stands there: message
 * catalogues, records of who is logged in, passwords for other machines.
 */
#include <netdb.h>
#include <nl_types.h>
#include <string.h>
#include <time.h>
#include <utmp.h>
#include <utmpx.h>

#include "describe/memory.h"
#include "wrap/wrap.h"

#include "forbid.h"

#define NETRC_ROOM 1024 /* for a home's path and its .netrc; libc takes any home, longer ones are refused */

long wrap_ask_inside(const char *name, const char *path, enum op op)
{
	long answer = guard_file(&(struct file_call){name, AT_FDCWD, path, op, FILE_FOLLOW});

	return answer == -EACCES ? answer : GUARD_GO;
}

/* A bare name is looked for along NLSPATH; where that leads, only what is a catalogue gives anything. */
EXPORT nl_catd catopen(const char *catalogue, int flag)
{
	long answer = GUARD_GO;

	if (memory_string_readable(catalogue) && strchr(catalogue, '/'))
		answer = wrap_ask_inside("catopen", catalogue, OP_READ);
	return answer ? (nl_catd)wrap_result(answer) : REAL(catopen)(catalogue, flag);
}

/*
 * Judged when it is named, as libc keeps the name to itself: a relative one that is read after the program has gone to
 * another folder was judged where it stood.
 */
EXPORT int utmpname(const char *path)
{
	long answer = wrap_ask_inside("utmpname", path, OP_READ);

	return answer ? (int)wrap_result(answer) : REAL(utmpname)(path);
}

EXPORT int utmpxname(const char *path)
{
	long answer = wrap_ask_inside("utmpxname", path, OP_READ);

	return answer ? (int)wrap_result(answer) : REAL(utmpxname)(path);
}

EXPORT void updwtmp(const char *path, const struct utmp *record)
{
	long answer = wrap_ask_inside("updwtmp", path, OP_WRITE);

	if (answer)
		wrap_result(answer);
	else
		(void)REAL(updwtmp)(path, record);
}

EXPORT void updwtmpx(const char *path, const struct utmpx *record)
{
	long answer = wrap_ask_inside("updwtmpx", path, OP_WRITE);

	if (answer)
		wrap_result(answer);
	else
		(void)REAL(updwtmpx)(path, record);
}

/* Which of its templates a time fits tells what stands in the file that DATEMSK names. */
static long ask_templates(const char *name)
{
	const char *path = wrap_variable("DATEMSK");

	return path && *path ? wrap_ask_inside(name, path, OP_READ) : GUARD_GO;
}

#define GETDATE_UNREADABLE 2 /* POSIX: the template file cannot be opened for reading */
#pragma weak getdate_err     /* a libc need not have it */

EXPORT struct tm *getdate(const char *text)
{
	long answer = ask_templates("getdate");

	if (!answer)
		return REAL(getdate)(text);
	wrap_result(answer);
	if (&getdate_err)
		getdate_err = GETDATE_UNREADABLE;
	return NULL;
}

EXPORT int getdate_r(const char *restrict text, struct tm *restrict result)
{
	long answer = ask_templates("getdate_r");

	if (!answer)
		return REAL(getdate_r)(text, result);
	wrap_result(answer);
	return GETDATE_UNREADABLE;
}

static __attribute__((noinline)) long ask_netrc(const char *name)
{
	static const char file[] = "/.netrc";
	const char *home = wrap_variable("HOME");
	size_t length = home ? strlen(home) : 0;
	char path[NETRC_ROOM];

	if (!home)
		return GUARD_GO;
	if (length > sizeof(path) - sizeof(file))
		return -EACCES;
	memcpy(path, home, length);
	memcpy(path + length, file, sizeof(file));
	return wrap_ask_inside(name, path, OP_READ);
}

/* 0 is success here: a host that no password is known for. */
EXPORT int ruserpass(const char *host, const char **user, const char **password)
{
	long answer = ask_netrc("ruserpass");

	if (!answer)
		return REAL(ruserpass)(host, user, password);
	wrap_result(answer);
	return 0;
}

/* It looks for the password by itself, even when it is given one. */
EXPORT int rexec(char **restrict host, int port, const char *restrict user, const char *restrict password,
		 const char *restrict command, int *restrict errors)
{
	long answer = ask_netrc("rexec");

	return answer ? (int)wrap_result(answer) : REAL(rexec)(host, port, user, password, command, errors);
}

EXPORT int rexec_af(char **restrict host, int port, const char *restrict user, const char *restrict password,
		    const char *restrict command, int *restrict errors, sa_family_t family)
{
	long answer = ask_netrc("rexec_af");

	return answer ? (int)wrap_result(answer) : REAL(rexec_af)(host, port, user, password, command, errors, family);
}
