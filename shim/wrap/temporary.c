/* SPDX-License-Identifier: MIT */
/* Temporary files: libc makes up the name and opens it inside; judged by the template, whose folder is what matters. */
#include <stdio.h>
#include <stdlib.h>

#include "wrap/wrap.h"

#include "forbid.h"

/* tmpfile has no template: libc always goes here. */
#define TMPFILE_TEMPLATE P_tmpdir "/tmpfXXXXXX"

static long ask(const char *name, const char *template)
{
	return guard_file(&(struct file_call){name, AT_FDCWD, template, OP_WRITE, FILE_CREATES});
}

EXPORT int mkstemp(char *template)
{
	long answer = ask("mkstemp", template);

	return answer ? (int)wrap_result(answer) : REAL(mkstemp)(template);
}

EXPORT int mkstemp64(char *template)
{
	long answer = ask("mkstemp64", template);

	return answer ? (int)wrap_result(answer) : REAL(mkstemp64)(template);
}

EXPORT int mkostemp(char *template, int flags)
{
	long answer = ask("mkostemp", template);

	return answer ? (int)wrap_result(answer) : REAL(mkostemp)(template, flags);
}

EXPORT int mkostemp64(char *template, int flags)
{
	long answer = ask("mkostemp64", template);

	return answer ? (int)wrap_result(answer) : REAL(mkostemp64)(template, flags);
}

EXPORT int mkstemps(char *template, int suffix)
{
	long answer = ask("mkstemps", template);

	return answer ? (int)wrap_result(answer) : REAL(mkstemps)(template, suffix);
}

EXPORT int mkstemps64(char *template, int suffix)
{
	long answer = ask("mkstemps64", template);

	return answer ? (int)wrap_result(answer) : REAL(mkstemps64)(template, suffix);
}

EXPORT int mkostemps(char *template, int suffix, int flags)
{
	long answer = ask("mkostemps", template);

	return answer ? (int)wrap_result(answer) : REAL(mkostemps)(template, suffix, flags);
}

EXPORT int mkostemps64(char *template, int suffix, int flags)
{
	long answer = ask("mkostemps64", template);

	return answer ? (int)wrap_result(answer) : REAL(mkostemps64)(template, suffix, flags);
}

EXPORT char *mkdtemp(char *template)
{
	long answer = ask("mkdtemp", template);

	if (answer) {
		wrap_result(answer);
		return NULL;
	}
	return REAL(mkdtemp)(template);
}

EXPORT FILE *tmpfile(void)
{
	long answer = ask("tmpfile", TMPFILE_TEMPLATE);

	if (answer) {
		wrap_result(answer);
		return NULL;
	}
	return REAL(tmpfile)();
}

EXPORT FILE *tmpfile64(void)
{
	long answer = ask("tmpfile64", TMPFILE_TEMPLATE);

	if (answer) {
		wrap_result(answer);
		return NULL;
	}
	return REAL(tmpfile64)();
}
