/* SPDX-License-Identifier: MIT */
/* What becomes of a decision: exempt what libc does by itself, count, say it once, choose the errno. */
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "backstop/process.h"
#include "backstop/question.h"
#include "report.h"
#include "report/line.h"

#define LINE_WAIT_MILLISECONDS 1000
#define PORT_DNS 53

bool question_stands(const struct question *question)
{
	uint64_t id = question->notification->id;

	return !ioctl(question->rules->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id);
}

static void count(uint64_t *counter)
{
	atomic_fetch_add_explicit((_Atomic uint64_t *)counter, 1, memory_order_relaxed);
}

static bool audits(const struct question *question)
{
	return question->rules->image->flags & IMAGE_AUDIT;
}

/* One write, as the shim does it; a full FIFO is waited for, then the line is counted as lost. */
static void deliver(struct rules *rules, const char *line, size_t length)
{
	struct pollfd room = {rules->fifo, POLLOUT, 0};

	if (rules->fifo < 0)
		return;
	while (write(rules->fifo, line, length) < 0) {
		if (errno == EINTR)
			continue;
		if (errno != EAGAIN || poll(&room, 1, LINE_WAIT_MILLISECONDS) <= 0) {
			count(&rules->page->lost);
			return;
		}
	}
}

static void report(struct question *question, const struct process *process, const struct request *request,
		   const struct decision *decision, const char *errno_name)
{
	struct rules *rules = question->rules;
	struct timespec now;
	struct report_context context = {.via = VIA_BACKSTOP,
					 .session = rules->session,
					 .exe = process->exe[0] ? process->exe : NULL,
					 .pid = process->tgid,
					 .ppid = process->parent,
					 .tid = process->tid,
					 .enforced = !audits(question),
					 .errno_name = audits(question) ? NULL : errno_name};
	char line[REPORT_LINE_MAX];

	clock_gettime(CLOCK_REALTIME, &now);
	context.seconds = now.tv_sec;
	context.microseconds = (int32_t)(now.tv_nsec / 1000);
	deliver(rules, line, report_line(line, sizeof(line), rules->image, request, decision, &context));
}

/* True the first time a process is met. */
static bool first_of(struct rules *rules, const struct process *process)
{
	bool first = true;

	pthread_mutex_lock(&rules->lock);
	for (unsigned i = 0; i < SEEN_MAX && first; i++)
		first = rules->seen[i].tgid != process->tgid || rules->seen[i].started != process->started;
	if (first)
		rules->seen[rules->seen_next++ % SEEN_MAX] = (struct seen){process->tgid, process->started};
	pthread_mutex_unlock(&rules->lock);
	return first;
}

/* Says once a process why its calls reach the backstop at all. */
static void report_cover(struct question *question, const struct process *process)
{
	static const uint8_t rules[] = {[PROCESS_SHIM] = RULE_COVERAGE_RAW,
					[PROCESS_STATIC] = RULE_COVERAGE_STATIC,
					[PROCESS_UNLOADED] = RULE_COVERAGE_UNLOADED,
					[PROCESS_CLOSED] = RULE_COVERAGE_RAW};
	struct request request = {.op = OP_COVERAGE, .call = question->call->name};
	struct decision decision = DECISION_ALLOW;

	if (!first_of(question->rules, process))
		return;
	if (process->exe[0]) {
		request.subject = request.path = process->exe;
		request.path_length = strlen(process->exe);
	}
	decision.rule = rules[process->cover];
	report(question, process, &request, &decision, NULL);
}

static bool libc_reads(const char *path)
{
	static const char *const known[] = {
#define LIBC_READS(path) path,
#include "backstop/internal.def"
#undef LIBC_READS
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		size_t length = strlen(known[i]);

		if (known[i][length - 1] == '/' ? !strncmp(path, known[i], length) : !strcmp(path, known[i]))
			return true;
	}
	return false;
}

/* Datagram sockets: the resolver asks, and getaddrinfo connects one to each address to learn which would be used. */
static bool is_datagram(const struct question *question)
{
	pid_t tgid = question->caller.tgid;
	int type = 0, pidfd = (int)syscall(SYS_pidfd_open, tgid, 0), copy;
	socklen_t size = sizeof(type);

	copy = pidfd < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, pidfd, (int)question->notification->data.args[0], 0);
	if (copy >= 0) {
		getsockopt(copy, SOL_SOCKET, SO_TYPE, &type, &size);
		close(copy);
	}
	if (pidfd >= 0)
		close(pidfd);
	return type == SOCK_DGRAM;
}

/*
 * In a covered program the shim has judged what the program asked libc for; what libc then does to look up a name is
 * libc's own business, as it is without a backstop.
 */
static bool is_internal(struct question *question, const struct process *process, const struct request *request)
{
	if (process->cover != PROCESS_SHIM)
		return false;
	/* below an older session it opens its own before it knows the word; in valgrind the code that calls is not its own */
	if (process->origin == PROCESS_GUARD ||
	    (request->path && (!strcmp(request->path, question->rules->page_path) ||
			       !strcmp(request->path, question->rules->counters_path))))
		return true;
	if (process->origin == PROCESS_OWN)
		return false;
	question->caller.tgid = process->tgid;
	if (request->address)
		return request->address->port == PORT_DNS || is_datagram(question);
	return (request->op == OP_READ || request->op == OP_CONNECT) && request->path && libc_reads(request->path);
}

static uint64_t mix(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return (hash ^ 0xff) * 0x100000001b3u;
}

/*
 * One refusal is one line: shells try the same program in one PATH folder after the other, and its name in the next
 * folder is no new attempt.
 */
static bool is_same_attempt(struct rules *rules, pid_t tgid, const struct request *request)
{
	const char *name = request->op == OP_EXEC && request->subject ? strrchr(request->subject, '/') : NULL;
	uint64_t what = mix(0xcbf29ce484222325u ^ (uint64_t)tgid, name ? name : ""), where;
	bool same;

	if (!name)
		return false;
	where = mix(0xcbf29ce484222325u, request->subject);
	for (size_t i = 0; i < request->argc; i++)
		what = mix(what, request->argv[i]);
	pthread_mutex_lock(&rules->lock);
	same = rules->refused_what == what && rules->refused_where != where;
	rules->refused_what = what;
	if (!same)
		rules->refused_where = where;
	pthread_mutex_unlock(&rules->lock);
	return same;
}

int answer_deny(struct question *question, const struct request *request, const struct decision *decision)
{
	bool guard = decision->rule == RULE_INTEGRITY_GUARD;
	struct process process;

	if (!process_look(&process, question->caller.tid, question->notification->data.instruction_pointer) ||
	    !question_stands(question))
		return EACCES; /* it is gone: nobody will hear this */
	if (is_internal(question, &process, request))
		return 0;
	if (!audits(question) && is_same_attempt(question->rules, process.tgid, request))
		return EACCES;
	count(&question->rules->page->checked);
	if (decision->quiet && !(question->rules->image->flags & IMAGE_REPORT_ALL))
		return audits(question) ? 0 : EACCES;
	count(&question->rules->page->denied);
	report(question, &process, request, decision, guard ? "EPERM" : "EACCES");
	report_cover(question, &process);
	if (audits(question))
		return 0;
	return guard ? EPERM : EACCES;
}

/*
 * In a covered program the linker opens each library, always from the same place of its code: that this needs no line is
 * found out once a program. The next program of the same thread is somewhere else in memory, as the kernel shuffles it; where
 * that is switched off, a line about an allowed call may be missing, never a refusal.
 */
static _Atomic uint64_t *quiet_place(const struct question *question, uint64_t *ret_print)
{
	uint64_t hash = question->notification->data.instruction_pointer * 0x9fb21c651e98df25u;

	hash = (hash ^ hash >> 32 ^ (uint64_t)question->caller.tid) * 0x9fb21c651e98df25u;
	*ret_print = hash | 1; /* 0 is an empty place */
	return &question->rules->quiet[hash >> 32 & (QUIET_MAX - 1)];
}

/* The library itself, which the linker opens in every program. */
static bool is_of_session(const struct rules *rules, const struct request *request)
{
	const char *name = request->subject ? strrchr(request->subject, '/') : NULL;
	size_t folder = strlen(rules->page_path) - (sizeof(SESSION_FILE) - 1);

	return name && (size_t)(name + 1 - request->subject) == folder && request->op == OP_READ &&
	       !strncmp(request->subject, rules->page_path, folder) && !strcmp(name + 1, SESSION_LIBRARY);
}

/* Most calls that stop need no line: who makes one is asked for only where there will be one. */
static void tell_allowed(struct question *question, const struct request *request, _Atomic uint64_t *place, uint64_t print)
{
	struct decision decision = DECISION_ALLOW;
	struct process process;

	process_look_at_code(&process, question->caller.tid, question->notification->data.instruction_pointer);
	if (process.cover == PROCESS_CLOSED || !question_stands(question))
		return;
	/* of a covered program the shim has told everything but what libc and its linker do by themselves */
	if (process.cover == PROCESS_SHIM && process.origin != PROCESS_OWN)
		atomic_store_explicit(place, print, memory_order_relaxed);
	else if (process_name(&process) && question_stands(question))
		report(question, &process, request, &decision, NULL);
}

int answer_allow(struct question *question, const struct request *request)
{
	_Atomic uint64_t *place;
	uint64_t print;

	count(&question->rules->page->checked);
	if (!(question->rules->image->flags & IMAGE_REPORT_ALL) || is_of_session(question->rules, request))
		return 0;
	place = quiet_place(question, &print);
	if (atomic_load_explicit(place, memory_order_relaxed) != print)
		tell_allowed(question, request, place, print);
	return 0;
}

int answer_unknown(struct question *question, const struct request *request, int error)
{
	struct decision decision = DECISION_DENY(RULE_PATH_UNRESOLVED);
	struct process process;

	switch (error) {
	case EFAULT:
	case ENAMETOOLONG:
	case E2BIG:
	case ESRCH:
		return 0; /* the kernel says the same, or nobody is left to hear it */
	case ENOMEM:
		return ENOMEM;
	}
	/* a process that closed itself (PR_SET_DUMPABLE) is uncovered: the policy says what becomes of such */
	if (process_look(&process, question->caller.tid, 0) && process.cover == PROCESS_CLOSED &&
	    !(question->rules->image->flags & IMAGE_UNCOVERED_DENY)) {
		if (!(question->rules->image->flags & IMAGE_UNCOVERED_ALLOW) && question_stands(question))
			report_cover(question, &process);
		return 0;
	}
	return answer_deny(question, request, &decision);
}
