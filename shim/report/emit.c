/* SPDX-License-Identifier: MIT */
/* Who we are, and the line about it. A short request gets by with a short buffer: stacks may be small. */
#include "report/emit.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>

#include "real/syscall.h"
#include "report.h"
#include "report/line.h"
#include "report/send.h"

#include "forbid.h"

#define SHORT_LINE 1536
#define SHORT_TEXT 512 /* bytes of subject, path and argv that a short line can hold */
#define EXE_SIZE 160

static void emit(const struct start_session *session, const struct request *request,
		 const struct decision *decision, char *buffer, size_t size)
{
	char exe[EXE_SIZE];
	struct timespec now = {0};
	long length = raw(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", exe, sizeof(exe) - 1);
	bool enforced = !(session->image->flags & IMAGE_AUDIT);

	raw(SYS_clock_gettime, CLOCK_REALTIME, &now);
	exe[length > 0 ? length : 0] = '\0';
	struct report_context context = {
		.via = VIA_SHIM,
		.session = session->id,
		.exe = length > 0 ? exe : NULL,
		.pid = raw(SYS_getpid),
		.ppid = raw(SYS_getppid),
		.tid = raw(SYS_gettid),
		.seconds = now.tv_sec,
		.microseconds = (int32_t)(now.tv_nsec / 1000),
		.enforced = enforced,
		.errno_name = !decision->denied || !enforced           ? NULL
			      : decision->rule == RULE_NETWORK_RESOLVE ? "EAI_FAIL"
								       : "EACCES",
	};

	report_send(session, buffer, report_line(buffer, size, session->image, request, decision, &context));
}

static __attribute__((noinline)) void emit_short(const struct start_session *session, const struct request *request,
						 const struct decision *decision)
{
	char buffer[SHORT_LINE];

	emit(session, request, decision, buffer, sizeof(buffer));
}

LONG_FRAME_BEGIN
static __attribute__((noinline)) void emit_long(const struct start_session *session, const struct request *request,
						const struct decision *decision)
{
	char buffer[REPORT_LINE_MAX];

	emit(session, request, decision, buffer, sizeof(buffer));
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

void report_emit(const struct start_session *session, const struct request *request, const struct decision *decision)
{
	if (is_short(request))
		emit_short(session, request, decision);
	else
		emit_long(session, request, decision);
}
