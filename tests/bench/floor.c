/* SPDX-License-Identifier: MIT */
/*
 * floor PROGRAM [ARG]...: runs it below a seccomp filter that looks at one argument of each open and lets everything
 * pass. What a call costs there beside the bare one is the kernel's part of any backstop, the floor under bridle's.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define IS(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (yes), (no))

int main(int argc, char **argv)
{
	static struct sock_filter code[] = {
		LOAD(nr),
		IS(SYS_openat, 1, 0),
		IS(SYS_openat2, 0, 1),
		LOAD(args[5]), /* an argument is not known beforehand, so the kernel runs the filter at each call */
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(code) / sizeof(code[0]), code};

	if (argc < 2) {
		fputs("usage: floor PROGRAM [ARG]...\n", stderr);
		return 2;
	}
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)) {
		fprintf(stderr, "floor: no filter: %s\n", strerror(errno));
		return 125;
	}
	execvp(argv[1], argv + 1);
	fprintf(stderr, "floor: %s: %s\n", argv[1], strerror(errno));
	return 127;
}
