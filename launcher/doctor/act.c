/* SPDX-License-Identifier: MIT */
/* The inside of the canaries that are bridle's own program, run again under itself. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "doctor/canary.h"

/* openat without libc, which is what a preload cannot see. */
static long raw_openat(const char *path, int flags, int mode)
{
	long result;

#if defined(__x86_64__)
	register long fourth __asm__("r10") = mode;
	register long fifth __asm__("r8") = 0;
	register long sixth __asm__("r9") = 0;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(SYS_openat), "D"((long)AT_FDCWD), "S"(path), "d"((long)flags), "r"(fourth), "r"(fifth),
			   "r"(sixth)
			 : "rcx", "r11", "memory");
#elif defined(__aarch64__)
	register long number __asm__("x8") = SYS_openat;
	register long first __asm__("x0") = AT_FDCWD;
	register long second __asm__("x1") = (long)path;
	register long third __asm__("x2") = flags;
	register long fourth __asm__("x3") = mode;
	register long sixth __asm__("x5") = 0;

	__asm__ volatile("svc 0"
			 : "+r"(first)
			 : "r"(number), "r"(second), "r"(third), "r"(fourth), "r"(sixth)
			 : "memory");
	result = first;
#else
	result = -ENOSYS;
	(void)path, (void)flags, (void)mode;
#endif
	return result;
}

int canary_act(const char *name)
{
	char parameters[256] = {0};
	long result;

	if (!strcmp(name, "raw"))
		result = raw_openat("target", O_WRONLY | O_CREAT, 0600);
	else if (!strcmp(name, "open"))
		result = open("target", O_WRONLY | O_CREAT, 0600) < 0 ? -errno : 0;
	else if (!strcmp(name, "io_uring"))
		result = syscall(SYS_io_uring_setup, 1, parameters) < 0 ? -errno : 0;
	else
		return EINVAL;
	return result < 0 ? (int)-result : 0;
}
