/* SPDX-License-Identifier: MIT */
/* A program that shuts all but a few system calls off lives on, and is judged by the text of its paths. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "life.h"

#define LET(name) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static void shut(void)
{
	struct sock_filter program[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		LET(read),
		LET(write),
		LET(openat),
		LET(close),
		LET(exit_group),
		LET(unlinkat),
#ifdef SYS_unlink
		LET(unlink),
#endif
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog filter = {sizeof(program) / sizeof(*program), program};

	must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0);
}

int main(void)
{
	must(is_opened(INSIDE));
	shut();
	must(is_opened(INSIDE));
	must(is_opened("/usr/bin/env"));
	must(is_refused(OUTSIDE));
	must(is_refused("/root"));
	must(unlink("../out/f") == -1 && errno == EACCES);
	must(unlink("g") == 0);
	return 0;
}
