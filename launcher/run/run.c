/* SPDX-License-Identifier: MIT */
/* One session, from its folder to its last line. */
#include "run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "commands.h"
#include "forward/configure.h"
#include "forward/session_line.h"
#include "prepare.h"
#include "report/otlp.h"
#include "run/arrange.h"
#include "run/closing.h"
#include "run/frames.h"
#include "run/limits.h"
#include "run/result.h"
#include "run/spawn.h"
#include "run/supervise.h"
#include "say.h"

/* What one session holds. */
struct run {
	const struct options *options;
	const struct run_watch *watch; /* or NULL */
	struct session session;
	struct preparation preparation;
	struct forward forward;
	struct belt belt;
	struct backstop *backstop;
	struct verdict verdict;
	struct terminal terminal;
	struct capture output, error;
	struct frames frames;
	sigset_t signals;         /* the command's */
	struct rlimit open_files; /* ... as well */
	int signal_file;
	struct outcome outcome;
};

/* A line of the launcher's own: a refusal, or a notice. */
static void report(struct run *run, const struct request *request, const struct decision *decision)
{
	const struct image *image = run->preparation.image;
	struct report_context context = session_line_context(&run->session, !(image->flags & IMAGE_AUDIT));
	char line[REPORT_LINE_MAX];

	if (decision->denied && context.enforced)
		context.errno_name = "EACCES";
	forward_line(&run->forward, line,
		     report_line(line, sizeof(line), image, request, decision, &context));
}

/* What runs inside belongs to the session's span: the policy decides by environment.inherit whether it is told. */
static bool pass_trace_on(struct run *run, struct failure *failure)
{
	const char *outer = getenv("TRACEPARENT");
	struct otlp_context context = otlp_context_of(run->session.id, outer);
	char header[OTLP_HEADER_SIZE];

	if (!outer && !run->options->otlp)
		return true;
	otlp_header(&context, header);
	return !setenv("TRACEPARENT", header, 1) || failure_set(failure, "out of memory");
}

static void tell_violation(void *frames, const struct event *event, const char *line, size_t length)
{
	if (event->verdict == EVENT_DENY)
		frames_violation(frames, line, length);
}

static bool open_all(struct run *run, const struct run_watch *watch, struct failure *failure)
{
	const struct options *options = run->options;
	char library[PATH_MAX];

	if (!limits_open_files(&run->open_files, failure) || !session_find_library(library, sizeof(library), failure) ||
	    !forward_open(&run->forward, options->report, options->report_fd, failure))
		return false;
	if (options->result_fd >= 0 && fcntl(options->result_fd, F_SETFD, FD_CLOEXEC))
		return failure_set(failure, "--result-fd %d: descriptor %d is not open; redirect it, as in %d>result.json",
				   options->result_fd, options->result_fd, options->result_fd);
	run->signal_file = supervise_signals(&run->signals);
	if (run->signal_file < 0)
		return failure_set(failure, "no signalfd: %s", strerror(errno));
	if (!session_create(&run->session, getenv("TMPDIR"), getenv(HANDOFF_SESSION), library, failure) ||
	    !pass_trace_on(run, failure) ||
	    !prepare(options, &run->session, watch && watch->trace, &run->preparation, failure) ||
	    !forward_configure(&run->forward, policy_settings(run->preparation.policy), failure) ||
	    !backstop_prepare(run->preparation.policy, handoff_word(run->session.id), &run->backstop, failure))
		return false;
	run->session.word = backstop_word(run->backstop);
	run->preparation.question.backstop = run->session.word != 0;
	belt_prepare(&run->belt, policy_landlock(run->preparation.policy), run->preparation.image, run->session.folder);
	session_publish(&run->session);
	terminal_open(&run->terminal);
	run->forward.keep = options->json;
	run->forward.show = !options->report && options->report_fd < 0 && !options->json && !options->quiet &&
			    !(watch && watch->trace);
	run->forward.explained = (run->preparation.image->flags & IMAGE_EXPLAIN) && !run->preparation.image->screen;
	run->forward.hold = terminal_is_busy(&run->terminal);
	run->forward.see = watch ? watch->see : options->tell ? tell_violation
							      : NULL;
	run->forward.see_data = watch ? watch->data : &run->frames;
	if (options->stream)
		frames_start(&run->frames, options->result_fd);
	if (options->tell)
		frames_session(&run->frames, run->session.id);
	run->watch = watch;
	return true;
}

/* The command itself is the first call of a report of all calls. What was said against it may be about a part of it. */
static void report_start(struct run *run)
{
	const struct decision allowed = DECISION_ALLOW;
	const struct options *options = run->options;
	struct verdict *verdict = &run->verdict;
	char *const *argv = options->shell ? verdict->shell : options->argv;
	struct request request = {.op = OP_EXEC, .call = "execve", .subject = verdict->program.path, .argv = argv};

	if (verdict->decision.denied && verdict->request.op == OP_EXEC && verdict->request.argv == argv)
		return;
	while (argv[request.argc])
		request.argc++;
	if (verdict->program.target[0]) {
		request.path = verdict->program.target;
		request.path_length = strlen(verdict->program.target);
	}
	report(run, &request, &allowed);
}

/* Which rules hold for a program that the shim cannot enter must not stay unsaid. */
static void report_coverage(struct run *run)
{
	struct decision decision = DECISION_ALLOW;
	struct request request = {.op = OP_COVERAGE,
				  .call = "execve",
				  .subject = run->verdict.program.path,
				  .path = run->verdict.program.target,
				  .path_length = strlen(run->verdict.program.target)};

	if (run->verdict.coverage == RULE_NONE || run->preparation.image->flags & IMAGE_UNCOVERED_ALLOW)
		return;
	decision.rule = run->verdict.coverage;
	report(run, &request, &decision);
	if (!run->options->quiet && !run->options->json && !backstop_word(run->backstop))
		say("%s: the run-time rules do not hold inside '%s' (coverage.uncovered = \"deny\" refuses such "
		    "programs)",
		    tally_rule_id(decision.rule), run->verdict.program.path);
}

static void supervise_child(struct run *run, pid_t child)
{
	const struct policy_limits *limits = policy_limits(run->preparation.policy);
	double wall = run->options->timeout >= 0 ? run->options->timeout : limits->wall_seconds;
	struct supervisor supervisor = {
		.child = child,
		.signals = run->signal_file,
		.fifo = run->session.fifo,
		.forward = &run->forward,
		.output = run->options->json ? &run->output : NULL,
		.error = run->options->json ? &run->error : NULL,
		.frames = run->options->stream ? &run->frames : NULL,
		.terminal = &run->terminal,
		.wall_ms = wall > 0 && wall < 0.001 ? 1 : (int64_t)(wall * 1000),
		.grace_ms = (int64_t)(limits->grace_seconds * 1000),
		.follow_stops = !run->options->json,
		.ends = run->options->served,
		.gather = run->preparation.image->flags & IMAGE_REPORT_ALL,
	};

	hello_start(&supervisor.hello, run->session.page, child, run->verdict.coverage == RULE_NONE,
		    supervise_clock());
	crowd_start(&supervisor.crowd, limits->processes, supervise_clock());
	supervise(&supervisor, &run->outcome);
	if (run->outcome.kind == OUTCOME_ENDED)
		run->outcome.rule = limits_verdict(limits, run->outcome.wait_status, run->outcome.cpu_seconds);
	else if (run->outcome.kind == OUTCOME_TIMED_OUT)
		run->outcome.rule = RULE_LIMIT_TIME;
	else if (run->outcome.kind == OUTCOME_CROWDED)
		run->outcome.rule = RULE_LIMIT_PROCESSES;
	else if (run->outcome.kind == OUTCOME_UNGUARDED)
		run->outcome.rule = RULE_COVERAGE_UNLOADED;
}

/* The pipes that a result is made from. */
static bool open_captures(struct run *run, struct plan *plan)
{
	int64_t limit = policy_limits(run->preparation.policy)->output_bytes;

	if (!run->options->json)
		return true;
	if (!capture_open(&run->output, limit, &plan->output) || !capture_open(&run->error, limit, &plan->error))
		return false;
	run->output.stream = FRAMES_OUTPUT;
	run->error.stream = FRAMES_ERROR;
	run->output.frames = run->error.frames = run->options->stream ? &run->frames : NULL;
	return true;
}

/* Starts what was allowed, as the policy arranges it. */
static void start(struct run *run, char *const *argv, bool empty_stdin, struct failure *failure)
{
	struct plan plan = {
		.path = run->verdict.program.path,
		.argv = argv,
		.empty_stdin = !run->options->keep_stdin && (run->options->json || empty_stdin),
		.environment = run->preparation.environment,
		.limits = policy_limits(run->preparation.policy),
		.open_files = run->open_files,
		.output = -1,
		.error = -1,
		.signals = &run->signals,
		.belt = &run->belt,
		.backstop = run->backstop,
		.watched = {run->preparation.image, run->session.page, run->session.others, run->session.id,
			    run->session.folder},
	};
	pid_t child = -1;

	run->outcome.kind = OUTCOME_UNSTARTED;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (run->verdict.program.error)
		errno = run->verdict.program.error;
	else if (open_captures(run, &plan))
		child = spawn(&plan, failure);
	run->outcome.error = errno;
	if (plan.output >= 0)
		close(plan.output);
	if (plan.error >= 0)
		close(plan.error);
	if (child > 0) {
		session_tidy(&run->session, getenv(HANDOFF_SESSION));
		supervise_child(run, child);
	}
}

static bool arrange_and_start(struct run *run, struct failure *failure)
{
	char sh[] = "sh", flag[] = "-c", *const shell[] = {sh, flag, run->options->argv[0], NULL};
	const struct preparation *preparation = &run->preparation;
	struct arrangement arrangement = {0};
	bool good = arrange(preparation->policy, preparation->image, run->options->shell ? shell : run->options->argv,
			    run->verdict.program.path, run->options->chdir ? NULL : run->session.tmp, &arrangement,
			    failure);

	if (good)
		start(run, arrangement.argv, arrangement.empty_stdin, failure);
	arrangement_free(&arrangement);
	return good;
}

/* Reports what was refused. True: that is the end of it; false in audit mode. */
static bool refuse(struct run *run)
{
	if (!run->verdict.decision.denied)
		return false;
	report(run, &run->verdict.request, &run->verdict.decision);
	if (run->preparation.image->flags & IMAGE_AUDIT)
		return false;
	run->outcome.kind = OUTCOME_DENIED;
	run->outcome.rule = run->verdict.decision.rule;
	return true;
}

/* False with the reason in failure when the command could not be judged or started. */
static bool decide_and_start(struct run *run, struct failure *failure)
{
	const struct preparation *preparation = &run->preparation;

	if (!prepare_directory(run->options, preparation, &run->verdict, failure))
		return false;
	if (refuse(run))
		return true;
	verdict_free(&run->verdict);
	decide_command(&preparation->question, &run->verdict);
	if (refuse(run))
		return true;
	if (preparation->image->flags & IMAGE_REPORT_ALL)
		report_start(run);
	report_coverage(run);
	if (run->verdict.coverage != RULE_NONE && preparation->image->flags & IMAGE_UNCOVERED_DENY)
		backstop_insist(run->backstop);
	return arrange_and_start(run, failure);
}

static bool answer(struct run *run, const char *reason, uint64_t violations)
{
	struct result result = {
		.outcome = &run->outcome,
		.output = run->options->json ? &run->output : NULL,
		.error = run->options->json ? &run->error : NULL,
		.reason = reason,
		.violations = run->forward.kept,
		.violation_count = violations,
		.session = run->session.id,
	};
	int file = run->options->result_fd >= 0 ? run->options->result_fd : STDOUT_FILENO;
	json_t *object = result_build(&result);
	bool good = object && result_write(object, file);

	if (!good)
		say("cannot write the result: %s", strerror(errno));
	json_decref(object);
	return good;
}

/* After the command: limits noted, the report closed, the result written, the last words said. */
static int finish(struct run *run)
{
	struct closing closing = {.options = run->options,
				  .outcome = &run->outcome,
				  .forward = &run->forward,
				  .page = run->session.page,
				  .policy = run->preparation.policy,
				  .image = run->preparation.image,
				  .verdict = &run->verdict,
				  .unguarded = run->verdict.program.path};
	int status = outcome_status(&run->outcome);
	char reason[1200];

	session_gather(&run->session);
	closing_reason(&closing, reason, sizeof(reason));
	closing_limits(&closing, &run->session, run->output.truncated || run->error.truncated);
	session_line_close(&run->forward, &run->session, backstop_status(run->backstop), status);
	forward_flush(&run->forward);
	if (run->watch && run->watch->finish)
		run->watch->finish(run->watch->data);
	if (run->options->json && !answer(run, reason, run->forward.tally.denied))
		status = STATUS_FAILED;
	forward_release(&run->forward);
	closing_say(&closing, reason);
	return status;
}

/* Ctrl-C ends a loop of the shell above only when it sees that its own child died of it. */
static void die_alike(const struct outcome *outcome)
{
	int number = outcome_signal(outcome);
	sigset_t one;

	if (outcome->kind != OUTCOME_ENDED || !outcome->by_key)
		return;
	sigemptyset(&one);
	sigaddset(&one, number);
	limits_no_core();
	signal(number, SIG_DFL);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
}

/* What is not open yet must not be closed. */
static struct run *run_new(const struct options *options)
{
	struct run *run = calloc(1, sizeof(*run));

	if (!run)
		return NULL;
	run->options = options;
	run->signal_file = run->output.file = run->error.file = -1;
	run->frames.file = -1;
	run->session.file = run->session.fifo = run->terminal.file = run->belt.ruleset = -1;
	run->forward.file.file = run->forward.descriptor.file = -1;
	return run;
}

static void run_close(struct run *run)
{
	backstop_stop(run->backstop);
	belt_close(&run->belt);
	verdict_free(&run->verdict);
	capture_close(&run->output);
	capture_close(&run->error);
	frames_free(&run->frames);
	forward_close(&run->forward);
	preparation_free(&run->preparation);
	session_remove(&run->session);
	terminal_close(&run->terminal);
	if (run->signal_file >= 0)
		close(run->signal_file);
	die_alike(&run->outcome);
	free(run);
}

/* It lives in the heap: with all its paths it is too big for a stack that `ulimit -s` keeps small. */
int run_session(const struct options *options, const struct run_watch *watch)
{
	struct run *run = run_new(options);
	struct failure failure = {""};
	int status = STATUS_FAILED;

	if (!run) {
		say("out of memory");
		return status;
	}
	if (open_all(run, watch, &failure)) {
		session_line_open(&run->forward, &run->session, run->preparation.policy, run->preparation.image,
				  backstop_status(run->backstop), run->belt.status);
		closing_greet(options, run->preparation.policy, &run->session, backstop_status(run->backstop));
		if (decide_and_start(run, &failure)) {
			terminal_close(&run->terminal);
			status = finish(run);
		}
	}
	if (failure.text[0])
		say("%s", failure.text);
	run_close(run);
	return status;
}
