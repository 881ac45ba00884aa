/* SPDX-License-Identifier: MIT */
/* Finds the shim that belongs to this launcher, and makes sure that ld.so will be able to load it. */
#include "session/session.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if __SIZEOF_POINTER__ == 8
#define OWN_CLASS ELFCLASS64
#else
#define OWN_CLASS ELFCLASS32
#endif

static bool is_library(const char *path, struct failure *failure)
{
	ElfW(Ehdr) header;
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (file < 0)
		return failure_set(failure, "cannot read '%s': %s; nothing runs without it", path,
				   strerror(errno));
	got = read(file, &header, sizeof(header));
	close(file);
	if (got != sizeof(header) || memcmp(header.e_ident, ELFMAG, SELFMAG) ||
	    header.e_ident[EI_CLASS] != OWN_CLASS || header.e_type != ET_DYN)
		return failure_set(failure, "'%s' is not a shared library of this machine; install bridle anew",
				   path);
	return true;
}

bool session_find_library(char *path, size_t size, struct failure *failure)
{
	static const char *const places[] = {"/", "/../lib/bridle/"};
	char own[PATH_MAX], candidate[2 * PATH_MAX], *slash, *real;
	ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);

	if (length < 0)
		return failure_set(failure, "cannot read /proc/self/exe: %s; bridle needs /proc mounted",
				   strerror(errno));
	own[length] = '\0';
	slash = strrchr(own, '/');
	if (slash)
		*slash = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(candidate, sizeof(candidate), "%s%s" SESSION_LIBRARY, own, places[i]);
		real = realpath(candidate, NULL);
		if (!real)
			continue;
		snprintf(path, size, "%s", real);
		free(real);
		return is_library(path, failure);
	}
	return failure_set(failure, SESSION_LIBRARY " is neither in '%s' nor in '%s/../lib/bridle'; nothing runs "
						    "without it: install bridle anew, or build it with make",
			   own, own);
}
