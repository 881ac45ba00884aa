/* SPDX-License-Identifier: MIT */
/* Reaches for the process that supervises it, its parent: intrude. Prints "NAME RESULT" lines, and does the same to a
 * child of its own, which must work. */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "raw.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

static long value = 1;

static void say(const char *name, long result)
{
	printf("%s %s\n", name, result >= 0 ? "ok" : result == -EPERM ? "EPERM"
								      : "other");
	fflush(stdout);
}

static void reach(pid_t pid, const char *write_name, const char *fd_name, const char *seize_name)
{
	long one = 2, pidfd = RAW(SYS_pidfd_open, pid, 0, 0, 0, 0);
	struct iovec local = {&one, sizeof(one)}, remote = {&value, sizeof(value)};

	say(write_name, raw_call(SYS_process_vm_writev, pid, (long)&local, 1, (long)&remote, 1, 0));
	say(fd_name, RAW(SYS_pidfd_getfd, pidfd, 0, 0, 0, 0));
	say(seize_name, RAW(SYS_ptrace, PTRACE_SEIZE, pid, 0, 0, 0));
}

int main(void)
{
	pid_t child;

	reach(getppid(), "write_parent", "fd_of_parent", "seize_parent");
	child = fork();
	if (child == 0) {
		pause();
		_exit(0);
	}
	reach(child, "write_child", "fd_of_child", "seize_child");
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return 0;
}
