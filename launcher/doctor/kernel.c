/* SPDX-License-Identifier: MIT */
/* Each fact is found by asking for the thing itself; version numbers lie where distributions backport. */
#include "doctor/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backstop/backstop.h"

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif

/* What a child found out about listeners: its exit status. */
#define LISTENS 1
#define WAITS_KILLABLY 2
#define WAKES_IN_SYNC 4

struct facts {
	struct kernel_fact *list;
	size_t count;
};

static struct kernel_fact *add(struct facts *facts, const char *name, const char *use)
{
	struct kernel_fact *fact = &facts->list[facts->count++];

	*fact = (struct kernel_fact){.name = name, .use = use};
	return fact;
}

static void say_whether(struct kernel_fact *fact, bool there)
{
	fact->good = there;
	snprintf(fact->value, sizeof(fact->value), "%s", there ? "yes" : "no");
}

static int try_listener(void)
{
	struct sock_filter code = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = {1, &code};
	int found = LISTENS | WAITS_KILLABLY, listener;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return 0;
	listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
				SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &program);
	if (listener < 0) {
		found = LISTENS;
		listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
	}
	if (listener < 0)
		return 0;
	if (!ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP))
		found |= WAKES_IN_SYNC;
	return found;
}

static int listener_features(void)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0)
		_exit(try_listener());
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

static void add_seccomp(struct facts *facts)
{
	const char *obstacle = backstop_obstacle();
	int found = listener_features();
	struct kernel_fact *fact = add(facts, "seccomp notification", "the backstop");

	fact->good = !obstacle && found & LISTENS;
	snprintf(fact->value, sizeof(fact->value), "%s",
		 obstacle          ? obstacle
		 : found & LISTENS ? "yes"
				   : "no: a supervisor is already above this process");
	say_whether(add(facts, "killable wait", "calls of the backstop that signals do not interrupt (Linux 5.19)"),
		    found & WAITS_KILLABLY);
	say_whether(add(facts, "synchronous wake-up", "a faster backstop (Linux 6.6)"), found & WAKES_IN_SYNC);
}

static void add_openat2(struct facts *facts)
{
	struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS};
	int descriptor = (int)syscall(SYS_openat2, AT_FDCWD, "/", &how, sizeof(how));

	say_whether(add(facts, "openat2", "opening in one step what was checked (Linux 5.6)"), descriptor >= 0);
	if (descriptor >= 0)
		close(descriptor);
}

static void add_landlock(struct facts *facts)
{
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	struct kernel_fact *fact = add(facts, "landlock", "coverage.landlock");

	fact->good = version > 0;
	if (version > 0)
		snprintf(fact->value, sizeof(fact->value), "ABI %ld", version);
	else
		snprintf(fact->value, sizeof(fact->value), "no (%s)", errno == ENOSYS ? "not built in" : strerror(errno));
}

/* The number in a file; -1 when there is none. */
static long read_number(const char *path)
{
	FILE *stream = fopen(path, "re");
	long number = -1;

	if (stream && fscanf(stream, "%ld", &number) != 1)
		number = -1;
	if (stream)
		fclose(stream);
	return number;
}

static void add_yama(struct facts *facts)
{
	long scope = read_number("/proc/sys/kernel/yama/ptrace_scope");
	struct kernel_fact *fact = add(facts, "yama ptrace scope", "the backstop needs 0 or 1, or to be root with 2");

	fact->good = scope < 2 || (scope == 2 && !geteuid());
	if (scope < 0)
		snprintf(fact->value, sizeof(fact->value), "none");
	else
		snprintf(fact->value, sizeof(fact->value), "%ld", scope);
}

static void add_namespaces(struct facts *facts)
{
	struct kernel_fact *fact = add(facts, "user namespaces", "nothing of bridle's; sandboxes of agents use them");

	say_whether(fact, read_number("/proc/sys/user/max_user_namespaces") != 0 &&
				  read_number("/proc/sys/kernel/unprivileged_userns_clone") != 0);
	fact->good = true;
}

bool kernel_has_io_uring(void)
{
	char parameters[256] = {0};
	int descriptor = (int)syscall(SYS_io_uring_setup, 1, parameters);

	if (descriptor >= 0)
		close(descriptor);
	return descriptor >= 0;
}

size_t kernel_facts(struct kernel_fact list[KERNEL_FACTS_MAX])
{
	struct facts facts = {list, 0};
	struct kernel_fact *fact = add(&facts, "kernel", "");
	struct utsname name;

	fact->good = true;
	if (!uname(&name))
		snprintf(fact->value, sizeof(fact->value), "%.60s %.20s", name.release, name.machine);
	add_seccomp(&facts);
	add_openat2(&facts);
	add_landlock(&facts);
	add_yama(&facts);
	add_namespaces(&facts);
	fact = add(&facts, "io_uring", "nothing of bridle's; the backstop answers ENOSYS to it");
	say_whether(fact, kernel_has_io_uring());
	fact->good = true;
	return facts.count;
}
