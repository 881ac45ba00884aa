/* SPDX-License-Identifier: MIT */
/*
 * What the programs in tests/life share. Each runs below bridle in the folder that tests/call makes: `f` may be read and
 * written, `../out/f` may not, `./forbidden` may not be started. It exits 0 when all went as it must; the number of
 * refusals that it causes stands in tests/call/life.c.
 */
#ifndef BRIDLE_LIFE_H
#define BRIDLE_LIFE_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUTSIDE "../out/f"
#define INSIDE "f"
#define LIFE_PAGE 65536 /* whole pages, however large this kernel's are */

/* Ends the program with the line that failed as its last word. */
#define must(condition)                                                                              \
	do {                                                                                         \
		if (!(condition)) {                                                                  \
			dprintf(2, "%s:%d: %s (errno %d)\n", __FILE__, __LINE__, #condition, errno); \
			_exit(1);                                                                    \
		}                                                                                    \
	} while (0)

static inline bool is_refused(const char *path)
{
	errno = 0;
	return open(path, O_RDONLY) == -1 && errno == EACCES;
}

static inline bool is_opened(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static inline bool ended_well(pid_t pid)
{
	int status = -1;

	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

#endif
