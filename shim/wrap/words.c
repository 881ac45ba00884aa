/* SPDX-License-Identifier: MIT */
/* wordexp starts /bin/sh inside libc for each command substitution: judged as that shell. */
#include <string.h>
#include <wordexp.h>

#include "describe/memory.h"
#include "inherit.h"
#include "wrap/wrap.h"

#include "forbid.h"

static bool substitutes(const char *words)
{
	for (; *words; words++)
		if (*words == '`' || (words[0] == '$' && words[1] == '(' && words[2] != '('))
			return true;
	return false;
}

static long ask(const char *words)
{
	char *argv[] = {(char *)(uintptr_t) "sh", (char *)(uintptr_t) "-c", (char *)(uintptr_t)words, NULL};
	const struct start *sessions = start();

	if (guard_exec(&(struct exec_call){"wordexp", AT_FDCWD, "/bin/sh", argv, FILE_FOLLOW}) == GUARD_REFUSED)
		return GUARD_REFUSED;
	/* That shell gets the program's environment as it is, and without the guardrail in it may not be started. */
	if (sessions->state == START_READY && !inherit_is_right(&sessions->inherit, wrap_environ()))
		return GUARD_REFUSED;
	return GUARD_GO;
}

EXPORT int wordexp(const char *restrict words, wordexp_t *restrict expanded, int flags)
{
	if (!(flags & WRDE_NOCMD) && memory_string_readable(words) && substitutes(words) &&
	    ask(words) == GUARD_REFUSED) {
		errno = EACCES;
		return WRDE_CMDSUB;
	}
	return REAL(wordexp)(words, expanded, flags);
}
