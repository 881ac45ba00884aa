/* SPDX-License-Identifier: MIT */
/*
 * Odd callers, made raw: corners NAME. $INSIDE is a folder that may be written, $OUTSIDE a file that may not be read.
 * Prints "NAME RESULT" lines, RESULT being ok or the errno's name; a caller that could read OUTSIDE shows it.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "raw.h"

#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup 425
#endif

static const char *inside, *outside;

static void say(const char *name, long result)
{
	const char *word = "ok";
	char number[32];

	if (result < 0) {
		snprintf(number, sizeof(number), "%ld", -result);
		word = result == -EACCES         ? "EACCES"
		       : result == -EPERM        ? "EPERM"
		       : result == -ENOENT       ? "ENOENT"
		       : result == -ENOSYS       ? "ENOSYS"
		       : result == -EFAULT       ? "EFAULT"
		       : result == -ENAMETOOLONG ? "ENAMETOOLONG"
						 : number;
	}
	printf("%s %s\n", name, word);
	fflush(stdout);
}

static long try_open(int dirfd, const char *path, int flags)
{
	long descriptor = RAW(SYS_openat, dirfd, path, flags, 0600, 0);

	if (descriptor >= 0)
		close((int)descriptor);
	return descriptor < 0 ? descriptor : 0;
}

static const char *in(const char *name)
{
	static char paths[4][PATH_MAX];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, PATH_MAX, "%s/%s", inside, name);
	return path;
}

/* ---- memory: strings at the edge of what is mapped */

static void memory(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), length = strlen(outside) + 1;
	char *area = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	static char longest[PATH_MAX + 10];

	munmap(area + 2 * page, page);
	memcpy(area + page - length / 2, outside, length);
	say("memory_crossing", try_open(AT_FDCWD, area + page - length / 2, O_RDONLY));
	memcpy(area + 2 * page - length, outside, length);
	say("memory_last_bytes", try_open(AT_FDCWD, area + 2 * page - length, O_RDONLY));
	memset(area + 2 * page - 4, '/', 4);
	say("memory_unterminated", try_open(AT_FDCWD, area + 2 * page - 4, O_RDONLY));
	say("memory_null", try_open(AT_FDCWD, NULL, O_RDONLY));
	say("memory_kernel", try_open(AT_FDCWD, (const char *)(uintptr_t)-4096, O_RDONLY));
	memset(longest, '/', sizeof(longest) - 1);
	say("memory_too_long", try_open(AT_FDCWD, longest, O_RDONLY));
	say("memory_empty", try_open(AT_FDCWD, "", O_RDONLY));
	say("memory_argv", RAW(SYS_execve, "/bin/true", 1, NULL, 0, 0));
}

/* ---- paths: other ways to the same file */

static void paths(void)
{
	char path[2 * PATH_MAX], name[NAME_MAX];
	int folder = open(inside, O_PATH | O_DIRECTORY), own;

	(void)!chdir("/");
	say("path_relative", try_open(AT_FDCWD, outside + 1, O_RDONLY));
	snprintf(path, sizeof(path), "/proc/self/root%s", outside);
	say("path_proc_root", try_open(AT_FDCWD, path, O_RDONLY));
	snprintf(path, sizeof(path), "/proc/thread-self/root/proc/self/root%s", outside);
	say("path_proc_twice", try_open(AT_FDCWD, path, O_RDONLY));
	snprintf(path, sizeof(path), "/proc/self/cwd%s", outside);
	say("path_proc_cwd", try_open(AT_FDCWD, path, O_RDONLY));
	snprintf(path, sizeof(path), "/proc/self/fd/%d/../../../../..%s", folder, outside);
	say("path_proc_descriptor", try_open(AT_FDCWD, path, O_RDONLY));
	snprintf(path, sizeof(path), "../../../../../../../../..%s", outside);
	say("path_dots", try_open(folder, path, O_RDONLY));
	(void)!symlink(outside, in("out"));
	say("path_symlink", try_open(folder, "out", O_RDONLY));
	(void)!symlink("/proc/self/root", in("rootlink"));
	snprintf(path, sizeof(path), "rootlink%s", outside);
	say("path_symlink_to_magic", try_open(folder, path, O_RDONLY));
	(void)!symlink("loop", in("loop"));
	say("path_loop", try_open(folder, "loop", O_RDONLY) == -ELOOP ? 0 : -1);
	say("path_inside", try_open(folder, "new", O_RDWR | O_CREAT));
	own = open(in("new"), O_RDONLY);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", own);
	say("path_own_descriptor", try_open(AT_FDCWD, path, O_RDONLY));
	snprintf(name, sizeof(name), "/dev/fd/%d", own);
	say("path_dev_fd", try_open(AT_FDCWD, name, O_RDONLY));
	say("path_bad_dirfd", try_open(9999, "x", O_RDONLY) == -EBADF ? 0 : -1);
	say("path_file_as_folder", try_open(own, "x", O_RDONLY) == -ENOTDIR ? 0 : -1);
	say("path_missing", try_open(AT_FDCWD, "/nowhere/at/all", O_RDONLY));
}

/* ---- other views of the file system */

static void in_child(void (*what)(void))
{
	pid_t child = fork();

	if (child == 0) {
		what();
		fflush(stdout);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static void deleted(void)
{
	(void)!mkdir(in("gone"), 0700);
	if (chdir(in("gone")) < 0)
		return;
	rmdir(in("gone"));
	say("deleted_create", try_open(AT_FDCWD, "x", O_RDWR | O_CREAT));
	say("deleted_read", try_open(AT_FDCWD, "x", O_RDONLY));
	say("deleted_outside", try_open(AT_FDCWD, outside, O_RDONLY));
	say("deleted_self", try_open(AT_FDCWD, ".", O_RDONLY));
}

static void changed_root(void)
{
	char path[2 * PATH_MAX];

	close(open(in("here"), O_RDWR | O_CREAT, 0600));
	/* the old way out: a working folder that stayed outside */
	if (chdir("/") < 0 || chroot(inside) < 0) {
		say("chroot", -errno);
		return;
	}
	say("chroot_inside", try_open(AT_FDCWD, "/here", O_RDONLY));
	say("chroot_create", try_open(AT_FDCWD, "/../made", O_RDWR | O_CREAT));
	say("chroot_missing", try_open(AT_FDCWD, outside, O_RDONLY));
	snprintf(path, sizeof(path), ".%s", outside);
	say("chroot_escape", try_open(AT_FDCWD, path, O_RDONLY));
}

static void spaces_inner(void)
{
	say("namespace_outside", try_open(AT_FDCWD, outside, O_RDONLY));
	say("namespace_inside", try_open(AT_FDCWD, in("ns"), O_RDWR | O_CREAT));
}

static void spaces(void)
{
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID) < 0 && unshare(CLONE_NEWNS | CLONE_NEWPID) < 0) {
		say("namespace", -errno);
		return;
	}
	in_child(spaces_inner);
}

/* ---- other doors */

static void ring(void)
{
	char parameters[256] = {0};

	say("io_uring", RAW(SYS_io_uring_setup, 4, parameters, 0, 0, 0));
}

static void own_filter(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EDOM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {4, code};

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	say("filter_installed", RAW(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program, 0, 0));
	say("filter_works", RAW(SYS_getppid, 0, 0, 0, 0, 0) == -EDOM ? 0 : -1);
	say("filter_outside", try_open(AT_FDCWD, outside, O_RDONLY));
	say("filter_inside", try_open(AT_FDCWD, in("f"), O_RDWR | O_CREAT));
}

#ifdef __x86_64__
static long narrow_call(long number, long a, long b, long c)
{
	long result;

	/* the kernel's 32-bit door spoils r8 to r11 */
	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(number), "b"(a), "c"(b), "d"(c)
			 : "memory", "r8", "r9", "r10", "r11");
	return (int)result;
}

static void narrow(void)
{
	char *low = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	uint32_t *vector = (uint32_t *)(low + 4096);
	long descriptor;

	strcpy(low, outside);
	say("i386_open", narrow_call(5, (long)low, O_RDONLY, 0));
	say("i386_openat", narrow_call(295, AT_FDCWD, (long)low, O_RDONLY));
	say("i386_unlink", narrow_call(10, (long)low, 0, 0));
	say("i386_chmod", narrow_call(15, (long)low, 0600, 0));
	strcpy(low, in("narrow"));
	descriptor = narrow_call(8, (long)low, 0600, 0);
	say("i386_creat_inside", descriptor < 0 ? descriptor : 0);
	say("i386_unlink_inside", narrow_call(10, (long)low, 0, 0));
	/* socketcall: connect to TEST-NET-1 */
	memcpy(low, "\x02\x00\x00\x09\xc0\x00\x02\x01\0\0\0\0\0\0\0\0", 16);
	vector[0] = 2, vector[1] = 2 | 2048, vector[2] = 0;
	descriptor = narrow_call(102, 1, (long)vector, 0);
	vector[0] = (uint32_t)descriptor, vector[1] = (uint32_t)(uintptr_t)low, vector[2] = 16;
	say("i386_socketcall", narrow_call(102, 3, (long)vector, 0));
	say("i386_connect", narrow_call(362, descriptor, (long)low, 16));
	strcpy(low, outside);
	descriptor = RAW(0x40000000 + SYS_open, low, O_RDONLY, 0, 0, 0);
	say("x32_open", descriptor == -ENOSYS ? -EACCES : descriptor); /* most kernels have no x32 at all */
}
#endif

/* ---- memory that does not answer: whoever reads it waits, and nobody else may wait with it */

static void *wait_for_ever(void *path)
{
	try_open(AT_FDCWD, path, O_RDONLY);
	return path;
}

static void stuck(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *area = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_register watch = {.range = {(uintptr_t)area, page}, .mode = UFFDIO_REGISTER_MODE_MISSING};
	struct uffdio_api version = {.api = UFFD_API};
	int faults = (int)RAW(SYS_userfaultfd, O_CLOEXEC, 0, 0, 0, 0);
	pthread_t thread;

	if (faults < 0 || ioctl(faults, UFFDIO_API, &version) < 0 || ioctl(faults, UFFDIO_REGISTER, &watch) < 0) {
		say("stuck", -EPERM);
		return;
	}
	for (int i = 0; i < 2; i++)
		pthread_create(&thread, NULL, wait_for_ever, area);
	usleep(50000);
	say("stuck_inside", try_open(AT_FDCWD, in("stuck"), O_RDWR | O_CREAT));
	say("stuck_outside", try_open(AT_FDCWD, outside, O_RDONLY));
}

static const struct corner {
	const char *name;
	void (*turn)(void);
} corners[] = {
	{"memory", memory},
	{"paths", paths},
	{"deleted", deleted},
	{"chroot", changed_root},
	{"namespaces", spaces},
	{"io_uring", ring},
	{"filter", own_filter},
	{"stuck", stuck},
#ifdef __x86_64__
	{"narrow", narrow},
#endif
};

int main(int argc, char **argv)
{
	inside = getenv("INSIDE");
	outside = getenv("OUTSIDE");
	if (argc != 2 || !inside || !outside)
		return 2;
	for (size_t i = 0; i < sizeof(corners) / sizeof(corners[0]); i++)
		if (!strcmp(argv[1], "all"))
			in_child(corners[i].turn);
		else if (!strcmp(argv[1], corners[i].name))
			corners[i].turn();
	return 0;
}
