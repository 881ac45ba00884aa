/* SPDX-License-Identifier: MIT */
/*
 * The passwords of users and groups. libc opens their files by itself, where nobody sees it, and hands on what stands
 * there: who asks for an entry reads the file. setspent and setsgent only open it.
 */
#include <gshadow.h>
#include <shadow.h>

#include "wrap/wrap.h"

#include "forbid.h"

/* Only a refusal counts: what the kernel says of these files libc finds out by itself. */
static long ask(const char *name, const char *path)
{
	long answer = guard_file(&(struct file_call){name, AT_FDCWD, path, OP_READ, FILE_FOLLOW});

	return answer == -EACCES ? answer : GUARD_GO;
}

static long ask_users(const char *name)
{
	return ask(name, "/etc/shadow");
}

static long ask_groups(const char *name)
{
	return ask(name, "/etc/gshadow");
}

static void *refuse(long answer)
{
	wrap_result(answer);
	return NULL;
}

/* What is refused is told by the result and by errno, as libc does. */
static int refuse_r(long answer)
{
	wrap_result(answer);
	return (int)-answer;
}

EXPORT struct spwd *getspnam(const char *user)
{
	long answer = ask_users("getspnam");

	return answer ? refuse(answer) : REAL(getspnam)(user);
}

EXPORT int getspnam_r(const char *user, struct spwd *entry, char *buffer, size_t size, struct spwd **found)
{
	long answer = ask_users("getspnam_r");

	if (!answer)
		return REAL(getspnam_r)(user, entry, buffer, size, found);
	*found = NULL;
	return refuse_r(answer);
}

EXPORT struct spwd *getspent(void)
{
	long answer = ask_users("getspent");

	return answer ? refuse(answer) : REAL(getspent)();
}

EXPORT int getspent_r(struct spwd *entry, char *buffer, size_t size, struct spwd **found)
{
	long answer = ask_users("getspent_r");

	if (!answer)
		return REAL(getspent_r)(entry, buffer, size, found);
	*found = NULL;
	return refuse_r(answer);
}

EXPORT struct sgrp *getsgnam(const char *group)
{
	long answer = ask_groups("getsgnam");

	return answer ? refuse(answer) : REAL(getsgnam)(group);
}

EXPORT int getsgnam_r(const char *group, struct sgrp *entry, char *buffer, size_t size, struct sgrp **found)
{
	long answer = ask_groups("getsgnam_r");

	if (!answer)
		return REAL(getsgnam_r)(group, entry, buffer, size, found);
	*found = NULL;
	return refuse_r(answer);
}

EXPORT struct sgrp *getsgent(void)
{
	long answer = ask_groups("getsgent");

	return answer ? refuse(answer) : REAL(getsgent)();
}

EXPORT int getsgent_r(struct sgrp *entry, char *buffer, size_t size, struct sgrp **found)
{
	long answer = ask_groups("getsgent_r");

	if (!answer)
		return REAL(getsgent_r)(entry, buffer, size, found);
	*found = NULL;
	return refuse_r(answer);
}
