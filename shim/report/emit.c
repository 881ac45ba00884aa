/* SPDX-License-Identifier: MIT */
/* Who we are, and the line about it. A short request gets by with a short buffer: stacks may be small. */
#include "report/emit.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>

#include "real/real.h"
#include "real/syscall.h"
#include "report.h"
#include "report/line.h"
#include "report/send.h"

#include "forbid.h"

#define SHORT_LINE 1536
#define SHORT_TEXT 512 /* bytes of subject, path and argv that a short line can hold */
#define EXE_SIZE 160

/*
 * Asked for once a program and once a process, as a trace asks for them at every call: the program that runs, and pid and
 * ppid in one word. Only a first thread is recognised again, by its tid: it needs no fork handler, and survives vfork. The
 * parent is the one that the process was started by, even when that is gone.
 */
static char known_exe[EXE_SIZE];
static unsigned exe_state; /* 0: not known, 1: somebody is writing it, 2: known */
static uint64_t known_process;

static const char *find_exe(char own[EXE_SIZE])
{
	unsigned none = 0;
	long length;

	if (__atomic_load_n(&exe_state, __ATOMIC_ACQUIRE) == 2)
		return known_exe;
	length = raw(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", own, EXE_SIZE - 1);
	if (length <= 0)
		return NULL;
	own[length] = '\0';
	if (__atomic_compare_exchange_n(&exe_state, &none, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
		memcpy(known_exe, own, (size_t)length + 1);
		__atomic_store_n(&exe_state, 2, __ATOMIC_RELEASE);
	}
	return own;
}

static void find_process(struct report_context *context)
{
	uint64_t tid = (uint64_t)raw(SYS_gettid), known = __atomic_load_n(&known_process, __ATOMIC_RELAXED);

	if (known >> 32 != tid) {
		known = (uint64_t)raw(SYS_getpid) << 32 | (uint64_t)raw(SYS_getppid);
		if (known >> 32 == tid)
			__atomic_store_n(&known_process, known, __ATOMIC_RELAXED);
	}
	context->tid = (int64_t)tid;
	context->pid = (int64_t)(known >> 32);
	context->ppid = (int64_t)(known & UINT32_MAX);
}

/* What is told, as report_emit() was given it. */
struct telling {
	const struct start_session *session;
	const struct request *request;
	const struct decision *decision;
	const char *error;
	bool outcome;
};

/* libc asks no kernel for it; somebody else's in its place may tell any time. */
static void read_clock(struct timespec *ret)
{
	__typeof__(&clock_gettime) ask = REAL(clock_gettime);

	if (!real_is_libc(REAL_clock_gettime) || ask(CLOCK_REALTIME, ret) != 0)
		raw(SYS_clock_gettime, CLOCK_REALTIME, ret);
}

static void emit(const struct telling *telling, char *buffer, size_t size)
{
	const struct start_session *session = telling->session;
	const struct decision *decision = telling->decision;
	bool enforced = !(session->image->flags & IMAGE_AUDIT);
	struct timespec now = {0};
	char exe[EXE_SIZE];

	read_clock(&now);
	struct report_context context = {
		.via = VIA_SHIM,
		.session = session->id,
		.exe = find_exe(exe),
		.seconds = now.tv_sec,
		.microseconds = (int32_t)(now.tv_nsec / 1000),
		.enforced = enforced,
		.errno_name = !decision->denied || !enforced           ? telling->error
			      : decision->rule == RULE_NETWORK_RESOLVE ? "EAI_FAIL"
								       : "EACCES",
		.outcome = telling->outcome,
	};

	find_process(&context);
	report_send(session, buffer, report_line(buffer, size, session->image, telling->request, decision, &context));
}

static __attribute__((noinline)) void emit_short(const struct telling *telling)
{
	char buffer[SHORT_LINE];

	emit(telling, buffer, sizeof(buffer));
}

LONG_FRAME_BEGIN
static __attribute__((noinline)) void emit_long(const struct telling *telling)
{
	char buffer[REPORT_LINE_MAX];

	emit(telling, buffer, sizeof(buffer));
}
LONG_FRAME_END

/* Does the request's text fit into a short line? Escaping may still cut it: rare, and the line says so. */
static bool is_short(const struct request *request)
{
	size_t size = request->path_length + (request->subject ? strnlen(request->subject, SHORT_TEXT) : 0);

	for (size_t i = 0; i < request->argc && size < SHORT_TEXT; i++)
		size += strnlen(request->argv[i], SHORT_TEXT) + 3;
	return size < SHORT_TEXT / 2;
}

void report_emit(const struct start_session *session, const struct request *request, const struct decision *decision,
		 const char *error, bool outcome)
{
	struct telling telling = {session, request, decision, error, outcome};

	if (is_short(request))
		emit_short(&telling);
	else
		emit_long(&telling);
}
