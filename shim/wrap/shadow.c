/* SPDX-License-Identifier: MIT */
/*
 * The passwords of users and groups. libc opens their files by itself, where nobody sees it, and hands on what stands
 * there: who asks for an entry reads the file. setspent and setsgent only open it.
 */
#include <gshadow.h>
#include <shadow.h>

#include "wrap/wrap.h"

#include "forbid.h"

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

#define ASK(symbol, path) long answer = wrap_ask_inside(#symbol, path, OP_READ)

/* Both files have the same four readers: of an entry by its name and of the next one, each also into the caller's buffer. */
#define READERS(path, entry, by_name, by_name_r, next, next_r)                                                        \
	EXPORT struct entry *by_name(const char *wanted)                                                              \
	{                                                                                                             \
		ASK(by_name, path);                                                                                   \
		return answer ? refuse(answer) : REAL(by_name)(wanted);                                               \
	}                                                                                                             \
                                                                                                                      \
	EXPORT int by_name_r(const char *wanted, struct entry *room, char *buffer, size_t size, struct entry **found) \
	{                                                                                                             \
		ASK(by_name_r, path);                                                                                 \
		if (!answer)                                                                                          \
			return REAL(by_name_r)(wanted, room, buffer, size, found);                                    \
		*found = NULL;                                                                                        \
		return refuse_r(answer);                                                                              \
	}                                                                                                             \
                                                                                                                      \
	EXPORT struct entry *next(void)                                                                               \
	{                                                                                                             \
		ASK(next, path);                                                                                      \
		return answer ? refuse(answer) : REAL(next)();                                                        \
	}                                                                                                             \
                                                                                                                      \
	EXPORT int next_r(struct entry *room, char *buffer, size_t size, struct entry **found)                        \
	{                                                                                                             \
		ASK(next_r, path);                                                                                    \
		if (!answer)                                                                                          \
			return REAL(next_r)(room, buffer, size, found);                                               \
		*found = NULL;                                                                                        \
		return refuse_r(answer);                                                                              \
	}

READERS("/etc/shadow", spwd, getspnam, getspnam_r, getspent, getspent_r)
READERS("/etc/gshadow", sgrp, getsgnam, getsgnam_r, getsgent, getsgent_r)
