/* SPDX-License-Identifier: MIT */
/* Starting and ending a session's backstop, and finding out beforehand whether there can be one. */
#include "backstop/backstop.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backstop/callsite.h"
#include "backstop/install.h"
#include "backstop/supervise.h"

struct backstop {
	bool insists; /* nothing may start without it */
	bool works;   /* as far as is known */
	uint64_t word;
	int sockets[2]; /* the launcher's end, the child's end */
	char status[160];
	struct filter filter;
	struct rules rules;
	struct supervisor *supervisor;
};

/* Yama's scope 2 and 3 let nobody look into a process but who may trace everything. */
static bool may_look_into_children(void)
{
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[2] = {{0}};
	FILE *stream = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
	int scope = 0;

	if (stream) {
		if (fscanf(stream, "%d", &scope) != 1)
			scope = 0;
		fclose(stream);
	}
	if (scope < 2)
		return true;
	return scope == 2 && !syscall(SYS_capget, &header, data) &&
	       data[0].effective & CAP_TO_MASK(CAP_SYS_PTRACE);
}

const char *backstop_obstacle(void)
{
	struct open_how how = {.flags = O_PATH | O_CLOEXEC};
	struct seccomp_notif_sizes sizes;
	uint32_t action = SECCOMP_RET_USER_NOTIF;
	int descriptor;

#if !defined(__x86_64__) && !defined(__aarch64__)
	return "not on this kind of machine";
#endif
	if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) < 0 ||
	    syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) < 0)
		return "this kernel has no seccomp notification (Linux 5.5)";
	descriptor = (int)syscall(SYS_openat2, AT_FDCWD, "/proc/self/fd", &how, sizeof(how));
	if (descriptor < 0)
		return errno == ENOSYS ? "this kernel has no openat2 (Linux 5.6)" : "/proc is not mounted";
	close(descriptor);
	if (!may_look_into_children())
		return "kernel.yama.ptrace_scope forbids to look into the session's processes";
	return NULL;
}

static const char *install_words(int error)
{
	switch (error) {
	case EBUSY:
		return "a supervisor is already above this one (a session inside a session, a container runtime)";
	case EACCES:
	case EPERM:
		return "not permitted to install a seccomp filter";
	case ECHILD:
		return "the command ended before it started";
	default:
		return strerror(error);
	}
}

static int probe_in_child(void)
{
	struct sock_filter code = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = {1, &code};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program) < 0)
		return errno;
	return 0;
}

/* Below another filter (a container's, an outer session's) only an attempt tells whether one more can be had. */
static int probe(void)
{
	char line[128];
	FILE *stream = fopen("/proc/self/status", "re");
	int mode = 0, status = 0;
	pid_t child;

	while (stream && fgets(line, sizeof(line), stream))
		if (sscanf(line, "Seccomp: %d", &mode) == 1)
			break;
	if (stream)
		fclose(stream);
	if (!mode)
		return 0;
	child = fork();
	if (child == 0)
		_exit(probe_in_child());
	if (child < 0)
		return errno;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EPERM;
}

static bool off(struct backstop *backstop, const char *why, struct failure *failure)
{
	backstop->works = false;
	backstop->word = 0;
	snprintf(backstop->status, sizeof(backstop->status), "off: %s", why);
	return !backstop->insists ||
	       failure_set(failure,
			   "the policy insists on the backstop (coverage.backstop = \"on\", or \"deny\" for what only it "
			   "covers), but there can be none here: %s",
			   why);
}

bool backstop_prepare(const struct policy *policy, uint64_t word, struct backstop **ret_backstop, struct failure *failure)
{
	enum policy_backstop wanted = policy_backstop(policy);
	struct filter_sites sites = {0};
	struct backstop *backstop = calloc(1, sizeof(*backstop));
	const char *obstacle;
	int error;

	if (!backstop)
		return failure_set(failure, "out of memory");
	*backstop = (struct backstop){.word = word, .insists = wanted == POLICY_BACKSTOP_ON, .sockets = {-1, -1}};
	backstop->rules.fifo = backstop->rules.listener = -1;
	pthread_mutex_init(&backstop->rules.lock, NULL);
	*ret_backstop = backstop;
	if (wanted == POLICY_BACKSTOP_OFF)
		return off(backstop, "coverage.backstop = \"off\"", failure);
	obstacle = backstop_obstacle();
	if (!obstacle) {
		error = probe();
		obstacle = error ? install_words(error) : NULL;
	}
	if (!obstacle && !policy_judges_libc(policy))
		callsite_find(&sites);
	if (!obstacle && !filter_build(&backstop->filter, backstop->word, &sites))
		obstacle = "not on this kind of machine";
	if (!obstacle && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, backstop->sockets) < 0)
		obstacle = strerror(errno);
	backstop->works = !obstacle;
	snprintf(backstop->status, sizeof(backstop->status), "on");
	if (!obstacle || off(backstop, obstacle, failure))
		return true;
	backstop_stop(backstop);
	*ret_backstop = NULL;
	return false;
}

uint64_t backstop_word(const struct backstop *backstop)
{
	return backstop->word;
}

void backstop_insist(struct backstop *backstop)
{
	backstop->insists = true;
}

bool backstop_install(const struct backstop *backstop)
{
	return !backstop->works || !install_filter(&backstop->filter, backstop->word, backstop->sockets[1]) ||
	       !backstop->insists;
}

void backstop_execute(const struct backstop *backstop, const char *path, char *const *argv, char *const *environment)
{
	syscall(SYS_execve, path, argv, environment, 0L, 0L, backstop->word);
}

bool backstop_start(struct backstop *backstop, const struct backstop_session *session, struct failure *failure)
{
	struct rules *rules = &backstop->rules;
	char fifo[SESSION_FOLDER_MAX + sizeof(SESSION_FIFO) + 1];
	int error;

	if (!backstop->works)
		return true;
	close(backstop->sockets[1]);
	backstop->sockets[1] = -1;
	error = install_receive(backstop->sockets[0], &rules->listener);
	if (error) {
		session->page->word = 0;
		return off(backstop, install_words(error), failure);
	}
	rules->image = session->image;
	rules->page = session->page;
	rules->others = session->others;
	snprintf(rules->session, sizeof(rules->session), "%s", session->id);
	snprintf(rules->page_path, sizeof(rules->page_path), "%s/" SESSION_FILE, session->folder);
	snprintf(rules->counters_path, sizeof(rules->counters_path), "%s/" SESSION_COUNTERS, session->folder);
	snprintf(fifo, sizeof(fifo), "%s/" SESSION_FIFO, session->folder);
	rules->fifo = open(fifo, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	backstop->supervisor = supervise_start(rules);
	if (!backstop->supervisor) {
		/* the filter is in force already: without a supervisor nothing would work in there */
		backstop_insist(backstop);
		return off(backstop, strerror(errno), failure);
	}
	return true;
}

const char *backstop_status(const struct backstop *backstop)
{
	return backstop->status;
}

void backstop_stop(struct backstop *backstop)
{
	if (!backstop)
		return;
	supervise_stop(backstop->supervisor);
	for (int i = 0; i < 2; i++)
		if (backstop->sockets[i] >= 0)
			close(backstop->sockets[i]);
	if (backstop->rules.listener >= 0)
		close(backstop->rules.listener);
	if (backstop->rules.fifo >= 0)
		close(backstop->rules.fifo);
	free(backstop);
}
