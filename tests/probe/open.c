/* SPDX-License-Identifier: MIT */
/* Opens, streams and temporary files. */
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe.h"

#define MODE 0640

typedef int open_function(const char *, int, ...);
typedef int fortified(const char *, int);
typedef int fortified_at(int, const char *, int);

static struct outcome call_open(char **a)
{
	return from_int(open(a[0], open_flags(a[1]), MODE));
}

static struct outcome call_open64(char **a)
{
	return from_int(open64(a[0], open_flags(a[1]), MODE));
}

static struct outcome call___open(char **a)
{
	return from_int(((open_function *)find("__open"))(a[0], open_flags(a[1]), MODE));
}

static struct outcome call___open64(char **a)
{
	return from_int(((open_function *)find("__open64"))(a[0], open_flags(a[1]), MODE));
}

static struct outcome call_openat(char **a)
{
	return from_int(openat(folder(a[0]), a[1], open_flags(a[2]), MODE));
}

static struct outcome call_openat64(char **a)
{
	return from_int(openat64(folder(a[0]), a[1], open_flags(a[2]), MODE));
}

static struct outcome call_creat(char **a)
{
	return from_int(creat(a[0], MODE));
}

static struct outcome call_creat64(char **a)
{
	return from_int(creat64(a[0], MODE));
}

static struct outcome call___open_2(char **a)
{
	return from_int(((fortified *)find("__open_2"))(a[0], open_flags(a[1])));
}

static struct outcome call___open64_2(char **a)
{
	return from_int(((fortified *)find("__open64_2"))(a[0], open_flags(a[1])));
}

static struct outcome call___openat_2(char **a)
{
	return from_int(((fortified_at *)find("__openat_2"))(folder(a[0]), a[1], open_flags(a[2])));
}

static struct outcome call___openat64_2(char **a)
{
	return from_int(((fortified_at *)find("__openat64_2"))(folder(a[0]), a[1], open_flags(a[2])));
}

static struct outcome call_open_by_handle_at(char **a)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
	} file = {.handle.handle_bytes = MAX_HANDLE_SZ};
	int mount;

	if (name_to_handle_at(AT_FDCWD, a[0], &file.handle, &mount, 0) < 0)
		return from_int(-1);
	return from_int(open_by_handle_at(open(".", O_RDONLY | O_DIRECTORY), &file.handle, O_RDONLY));
}

static struct outcome call_fopen(char **a)
{
	return from_pointer(fopen(a[0], a[1]));
}

static struct outcome call_fopen64(char **a)
{
	return from_pointer(fopen64(a[0], a[1]));
}

static struct outcome call__IO_fopen(char **a)
{
	return from_pointer(((FILE * (*)(const char *, const char *)) find("_IO_fopen"))(a[0], a[1]));
}

static struct outcome call_freopen(char **a)
{
	return from_pointer(freopen(a[0], a[1], stdin));
}

static struct outcome call_freopen64(char **a)
{
	return from_pointer(freopen64(a[0], a[1], stdin));
}

static struct outcome call_setmntent(char **a)
{
	return from_pointer(setmntent(a[0], a[1]));
}

static struct outcome call___setmntent(char **a)
{
	return from_pointer(((FILE * (*)(const char *, const char *)) find("__setmntent"))(a[0], a[1]));
}

/* What was made is removed again: a name for each run. */
static struct outcome made(int fd, const char *path)
{
	struct outcome outcome = from_int(fd);

	if (fd >= 0)
		unlink(path);
	return outcome;
}

static struct outcome call_mkstemp(char **a)
{
	return made(mkstemp(a[0]), a[0]);
}

static struct outcome call_mkstemp64(char **a)
{
	return made(mkstemp64(a[0]), a[0]);
}

static struct outcome call_mkostemp(char **a)
{
	return made(mkostemp(a[0], O_CLOEXEC), a[0]);
}

static struct outcome call_mkostemp64(char **a)
{
	return made(mkostemp64(a[0], O_CLOEXEC), a[0]);
}

static struct outcome call_mkstemps(char **a)
{
	return made(mkstemps(a[0], 0), a[0]);
}

static struct outcome call_mkstemps64(char **a)
{
	return made(mkstemps64(a[0], 0), a[0]);
}

static struct outcome call_mkostemps(char **a)
{
	return made(mkostemps(a[0], 0, O_CLOEXEC), a[0]);
}

static struct outcome call_mkostemps64(char **a)
{
	return made(mkostemps64(a[0], 0, O_CLOEXEC), a[0]);
}

static struct outcome call_mkdtemp(char **a)
{
	return from_pointer(mkdtemp(a[0]));
}

static struct outcome call_tmpfile(char **a)
{
	(void)a;
	return from_pointer(tmpfile());
}

static struct outcome call_tmpfile64(char **a)
{
	(void)a;
	return from_pointer(tmpfile64());
}

const struct verb open_verbs[] = {
	{"open", 2, call_open},
	{"open64", 2, call_open64},
	{"__open", 2, call___open},
	{"__open64", 2, call___open64},
	{"openat", 3, call_openat},
	{"openat64", 3, call_openat64},
	{"creat", 1, call_creat},
	{"creat64", 1, call_creat64},
	{"__open_2", 2, call___open_2},
	{"__open64_2", 2, call___open64_2},
	{"__openat_2", 3, call___openat_2},
	{"__openat64_2", 3, call___openat64_2},
	{"open_by_handle_at", 1, call_open_by_handle_at},
	{"fopen", 2, call_fopen},
	{"fopen64", 2, call_fopen64},
	{"_IO_fopen", 2, call__IO_fopen},
	{"freopen", 2, call_freopen},
	{"freopen64", 2, call_freopen64},
	{"setmntent", 2, call_setmntent},
	{"__setmntent", 2, call___setmntent},
	{"mkstemp", 1, call_mkstemp},
	{"mkstemp64", 1, call_mkstemp64},
	{"mkostemp", 1, call_mkostemp},
	{"mkostemp64", 1, call_mkostemp64},
	{"mkstemps", 1, call_mkstemps},
	{"mkstemps64", 1, call_mkstemps64},
	{"mkostemps", 1, call_mkostemps},
	{"mkostemps64", 1, call_mkostemps64},
	{"mkdtemp", 1, call_mkdtemp},
	{"tmpfile", 0, call_tmpfile},
	{"tmpfile64", 0, call_tmpfile64},
	{NULL, 0, NULL},
};
