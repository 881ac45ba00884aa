/* SPDX-License-Identifier: MIT */
/*
 * Below a filter of system calls that another program has set before: the guard's own newer calls are refused, as on a
 * kernel that does not know them. All is judged as ever. argv[1]: the errno that they get.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "../backstop/raw.h"
#include "life.h"

#define REFUSE(number, error)                                \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))

/* Out of the guard's sight, as if it had come with the process. */
static void shut(unsigned error)
{
	struct sock_filter program[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		REFUSE(SYS_openat2, error),
		REFUSE(SYS_faccessat2, error),
		REFUSE(SYS_statx, error),
		REFUSE(SYS_getrandom, error),
		REFUSE(SYS_rt_sigprocmask, error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {sizeof(program) / sizeof(*program), program};

	must(RAW(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	must(RAW(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter, 0, 0) == 0);
}

static void test_files(void)
{
	char *volatile null = NULL;
	struct stat status;

	must(is_opened(INSIDE) && is_opened("/usr/bin/env") && is_opened("dir/../f"));
	must(is_refused(OUTSIDE) && is_refused("link"));
	must(open("missing", O_RDONLY) == -1 && errno == ENOENT);
	must(close(open("new", O_RDWR | O_CREAT | O_EXCL, 0600)) == 0);
	must(rename("new", "dir/new") == 0 && chmod("dir/new", 0640) == 0 && truncate("dir/new", 5) == 0);
	must(stat("dir/new", &status) == 0 && status.st_size == 5 && (status.st_mode & 0777) == 0640);
	must(unlink("dir/new") == 0 && mkdir("made/", 0700) == 0 && rmdir("made/") == 0);
	must(unlink(OUTSIDE) == -1 && errno == EACCES);
	must(rename("g", "../out/g") == -1 && errno == EACCES);
	must(open(null, O_RDONLY) == -1 && errno == EFAULT);
}

static void test_programs(void)
{
	char *fine[] = {(char *)(size_t) "./fine", NULL}, *bad[] = {(char *)(size_t) "./forbidden", NULL};
	pid_t pid = fork();

	if (pid == 0) {
		if (execv(bad[0], bad) == -1 && errno == EACCES)
			execv(fine[0], fine);
		_exit(1);
	}
	must(ended_well(pid));
}

int main(int argc, char **argv)
{
	unsigned error = argc > 1 ? (unsigned)atoi(argv[1]) : ENOSYS;
	char *again[] = {argv[0], argv[1], (char *)(size_t) "child", NULL};

	if (argc == 2) {
		shut(error);
		execv(argv[0], again);
		must(!"started again");
	}
	test_files();
	test_programs();
	return 0;
}
