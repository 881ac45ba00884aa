/* SPDX-License-Identifier: MIT */
/*
 * reader WAY: reads. "libc": libc and its linker do, for themselves; prints what came of it. "raw", "syscall", "library": the
 * program opens $OUTSIDE for reading by machine code of its own, by syscall(), by machine code of a library that it loads;
 * prints "opened" or the errno's name.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../backstop/raw.h"

#define FLAGS (O_RDONLY | O_CLOEXEC)

typedef long opener(int folder, const char *path, int flags);

/* No name that nscd is asked for first: that is a connect. */
static int libc_reads(void)
{
	const struct protoent *protocol;

	setenv("TZ", ":Europe/Paris", 1);
	tzset();
	printf("locale %s\n", setlocale(LC_ALL, "C.UTF-8"));
	protocol = getprotobyname("tcp");
	printf("protocol %s\n", protocol ? protocol->p_name : "-");
	printf("library %s\n", dlopen("libBrokenLocale.so.1", RTLD_NOW) ? "loaded" : dlerror());
	return 0;
}

static long by_library(const char *path)
{
	char name[4096];
	ssize_t length = readlink("/proc/self/exe", name, sizeof(name) - sizeof("behind.so"));
	void *library;
	opener *function;

	if (length < 0)
		return -EIO;
	name[length] = '\0';
	strcpy(strrchr(name, '/') + 1, "behind.so");
	library = dlopen(name, RTLD_NOW);
	function = library ? (opener *)dlsym(library, "behind_open") : NULL;
	return function ? function(AT_FDCWD, path, FLAGS) : -ENOSYS;
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "", *path = getenv("OUTSIDE");
	long result = -EINVAL;

	if (!strcmp(way, "libc"))
		return libc_reads();
	if (!strcmp(way, "raw"))
		result = RAW(SYS_openat, AT_FDCWD, path, FLAGS, 0, 0);
	if (!strcmp(way, "syscall"))
		result = syscall(SYS_openat, AT_FDCWD, path, FLAGS, 0) < 0 ? -errno : 0;
	if (!strcmp(way, "library"))
		result = by_library(path);
	puts(result >= 0 ? "opened" : strerrorname_np((int)-result));
	return 0;
}
