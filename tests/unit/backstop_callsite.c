/* SPDX-License-Identifier: MIT */
/* The places from which libc reads for itself, against what a program started here is seen to do. */
#include "backstop/callsite.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <locale.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OPENS_MAX 256
#define PATH_ROOM 128
#define UNDER_LIBRARY "libBrokenLocale.so.1" /* comes with libc, and nothing here has loaded it */
#define OF_PROGRAM "/dev/"                   /* what the child opens by itself begins so, and what libc opens does not */

/* One open that only reads, below the working directory. */
struct seen {
	char path[PATH_ROOM];
	uint32_t place;
};

/* The child: libc and its linker read, and the program does through the functions that it has. */
static void read_much(void)
{
	FILE *stream;

	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	newlocale(LC_ALL_MASK, "C.UTF-8", NULL);
	setenv("TZ", ":Europe/Paris", 1);
	tzset();
	getpwnam("root");
	dlopen(UNDER_LIBRARY, RTLD_NOW);
	open("/dev/null", O_RDONLY);
	open64("/dev/null", O_RDONLY | O_CLOEXEC);
	openat(AT_FDCWD, "/dev/zero", O_RDONLY | O_CLOEXEC);
	stream = fopen("/dev/zero", "re");
	syscall(SYS_openat, AT_FDCWD, "/dev/full", O_RDONLY | O_CLOEXEC, 0);
	_exit(stream ? 0 : 1);
}

static void read_word_by_word(pid_t pid, uint64_t address, char *text)
{
	for (size_t at = 0; at + sizeof(long) < PATH_ROOM; at += sizeof(long)) {
		long word = ptrace(PTRACE_PEEKDATA, pid, address + at, NULL);

		memcpy(text + at, &word, sizeof(word));
		if (memchr(&word, '\0', sizeof(word)))
			return;
	}
}

/* Is the call that the child stands in front of an open of the kind that passes? */
static bool is_plain(const struct __ptrace_syscall_info *info)
{
	return info->op == PTRACE_SYSCALL_INFO_ENTRY && info->entry.nr == SYS_openat &&
	       (uint32_t)info->entry.args[0] == (uint32_t)AT_FDCWD && !(info->entry.args[2] & ~(uint64_t)O_CLOEXEC);
}

/* Follows the child to its end. Result: how many such opens it made. */
static size_t watch(pid_t pid, struct seen *seen)
{
	struct __ptrace_syscall_info info;
	size_t count = 0;
	int status;

	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_assert(WIFSTOPPED(status));
	ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
	while (ptrace(PTRACE_SYSCALL, pid, NULL, NULL) == 0 && waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		cr_assert_eq(WSTOPSIG(status), SIGTRAP | 0x80, "the child got signal %d", WSTOPSIG(status));
		if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) <= 0 || !is_plain(&info) || count == OPENS_MAX)
			continue;
		read_word_by_word(pid, info.entry.args[1], seen[count].path);
		seen[count++].place = (uint32_t)(info.instruction_pointer & FILTER_SITE_MASK);
	}
	cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", (unsigned)status);
	return count;
}

static bool has(const struct filter_sites *sites, uint32_t place)
{
	for (unsigned i = 0; i < sites->count; i++)
		if (sites->place[i] == place)
			return true;
	return false;
}

/* No more and no less than what is found in the code is seen to happen. */
Test(backstop_callsite, finds_where_libc_and_its_linker_open, .timeout = 300)
{
	static struct seen seen[OPENS_MAX];
	struct filter_sites sites, used = {.count = 0};
	size_t count, own = 0;
	pid_t pid = fork();

	if (pid == 0)
		read_much();
	count = watch(pid, seen);
	callsite_find(&sites);
	cr_expect_eq(sites.count, 2, "one in libc and one in the linker: %u", sites.count);
	for (size_t i = 0; i < count; i++) {
		bool of_program = !strncmp(seen[i].path, OF_PROGRAM, strlen(OF_PROGRAM));

		cr_expect_eq(has(&sites, seen[i].place), !of_program, "%s is opened from %x", seen[i].path, seen[i].place);
		own += of_program;
		if (!of_program && !has(&used, seen[i].place) && used.count < FILTER_SITES_MAX)
			used.place[used.count++] = seen[i].place;
	}
	cr_expect_eq(own, 5, "%zu opens of the program's own were seen", own);
	cr_expect_leq(sites.from, (uint32_t)((uintptr_t)dlsym(RTLD_NEXT, "open") >> 32), "libc's code is that of a library");
	cr_expect_gt(sites.from, (uint32_t)((uintptr_t)callsite_find >> 32), "a program's code is not");
	for (unsigned i = 0; i < sites.count; i++)
		cr_expect(has(&used, sites.place[i]), "nothing is opened from %x", sites.place[i]);
}
