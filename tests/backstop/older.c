/* SPDX-License-Identifier: MIT */
/*
 * older FEATURE COMMAND...: runs a command as on a kernel that lacks a feature: a filter answers the calls in question as an
 * older kernel would. Exit status 125 when that cannot be arranged.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ANY 0 /* whatever the argument */

/* One call that is answered otherwise: when the low half of an argument, masked, is a value. */
struct feature {
	const char *name;
	int number, argument;
	uint32_t mask, value;
	int error;
};

static const struct feature features[] = {
	{"openat2", SYS_openat2, 0, ANY, 0, ENOSYS},                               /* Linux 5.6 */
	{"seccomp", SYS_seccomp, 0, ANY, 0, ENOSYS},                               /* 3.17 */
	{"notification", SYS_seccomp, 0, ~0u, SECCOMP_GET_NOTIF_SIZES, EINVAL},    /* 5.0 */
	{"listener", SYS_seccomp, 1, SECCOMP_FILTER_FLAG_NEW_LISTENER, 8, EINVAL}, /* 5.0 */
	{"busy", SYS_seccomp, 1, SECCOMP_FILTER_FLAG_NEW_LISTENER, 8, EBUSY},      /* a supervisor above */
	{"killable", SYS_seccomp, 1, 1u << 5, 1u << 5, EINVAL},                    /* 5.19 */
	{"forbidden", SYS_seccomp, 1, 1u << 5, 1u << 5, EPERM},                    /* allowed until it comes to it */
	{"sync", SYS_ioctl, 1, ~0u, 0x40082104, EINVAL},                           /* 6.6 */
	{"pidfd_getfd", SYS_pidfd_getfd, 0, ANY, 0, ENOSYS},                       /* 5.6 */
	{"landlock", SYS_landlock_create_ruleset, 0, ANY, 0, ENOSYS},              /* 5.13 */
};

static int install(const struct feature *feature)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)feature->number, 0, 4),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 (uint32_t)(offsetof(struct seccomp_data, args) + 8u * (uint32_t)feature->argument)),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, feature->mask),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, feature->value, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)feature->error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(code) / sizeof(code[0]), code};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 2 && i < sizeof(features) / sizeof(features[0]); i++)
		if (!strcmp(features[i].name, argv[1])) {
			if (!install(&features[i]))
				execv(argv[2], argv + 2);
			perror(argv[2]);
			return 125;
		}
	fprintf(stderr, "older: no feature '%s'\n", argc > 1 ? argv[1] : "");
	return 125;
}
