/* SPDX-License-Identifier: MIT */
/* The launcher's last words. */
#include "run/closing.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "forward/session_line.h"
#include "report/line.h"
#include "say.h"

void closing_greet(const struct options *options, const struct policy *policy, const struct session *session,
		   const char *backstop)
{
	if (!options->verbose)
		return;
	say("session %s: policy %s, root %s, mode %s, backstop %s", session->id, policy_name(policy), policy_root(policy),
	    policy_mode(policy) == POLICY_AUDIT ? "audit" : "enforce", backstop);
}

static void unstarted_reason(const struct closing *closing, char *text, size_t size)
{
	const char *name = closing->options->shell ? "/bin/sh" : closing->options->argv[0];
	int error = closing->outcome->error;

	if (error == ENOENT && closing->verdict->program.path[0])
		snprintf(text, size, "'%s' cannot be started: the interpreter that it names is missing", name);
	else if (error == ENOENT || error == ENOTDIR)
		snprintf(text, size, "'%s' was not found%s", name,
			 strchr(name, '/') ? "" : " on the PATH that the policy gives the command");
	else if (error == EACCES)
		snprintf(text, size, "'%s' was found but cannot be executed; is it a program, with its x bit set?", name);
	else
		snprintf(text, size, "'%s' cannot be started: %s", name, strerror(error));
}

static void limit_reason(const struct closing *closing, char *text, size_t size)
{
	const struct policy_limits *limits = policy_limits(closing->policy);

	switch (closing->outcome->rule) {
	case RULE_LIMIT_CPU:
		snprintf(text, size, "it used more than %" PRId64 " s of CPU time (rule limit.cpu): look for an endless "
				     "loop, or raise limits.cpu_seconds",
			 limits->cpu_seconds);
		break;
	case RULE_LIMIT_FILE_SIZE:
		snprintf(text, size, "it wrote a file of more than %" PRId64 " MB (rule limit.file_size): write less, or "
				     "raise limits.file_size_mb",
			 limits->file_size_mb);
		break;
	case RULE_LIMIT_PROCESSES:
		snprintf(text, size, "it had more than %" PRId64 " processes at a time and was ended with all of them (rule "
				     "limit.processes): look for what starts itself again, or raise limits.processes",
			 limits->processes);
		break;
	default:
		text[0] = '\0';
	}
}

void closing_reason(const struct closing *closing, char *text, size_t size)
{
	const struct options *options = closing->options;
	double wall = options->timeout >= 0 ? options->timeout : policy_limits(closing->policy)->wall_seconds;

	switch (closing->outcome->kind) {
	case OUTCOME_DENIED:
		snprintf(text, size, "%s", closing->verdict->reason);
		break;
	case OUTCOME_UNSTARTED:
		unstarted_reason(closing, text, size);
		break;
	case OUTCOME_TIMED_OUT:
		snprintf(text, size, "it ran for more than %g s and was ended with all that it had started (rule "
				     "limit.time): split the work, or give it more with --timeout or limits.wall_seconds",
			 wall);
		break;
	case OUTCOME_UNGUARDED:
		snprintf(text, size, SESSION_LIBRARY " did not load into '%s', which was ended, as no rule would "
						     "have held in it (rule coverage.unloaded): look for what ld.so says above",
			 closing->unguarded);
		break;
	default:
		limit_reason(closing, text, size);
	}
}

static void notice(const struct closing *closing, const struct session *session, enum op op, enum rule rule)
{
	struct report_context context = session_line_context(session, true);
	struct decision decision = DECISION_ALLOW;
	struct request request = {.op = op,
				  .subject = closing->verdict->program.path,
				  .path = closing->verdict->program.target,
				  .path_length = strlen(closing->verdict->program.target)};
	char line[REPORT_LINE_MAX];

	decision.rule = rule;
	forward_line(closing->forward, line,
		     report_line(line, sizeof(line), closing->image, &request, &decision, &context));
}

void closing_limits(const struct closing *closing, const struct session *session, bool truncated)
{
	enum rule rule = closing->outcome->rule;

	if (truncated)
		notice(closing, session, OP_LIMIT, RULE_LIMIT_OUTPUT);
	if (rule == RULE_COVERAGE_UNLOADED)
		notice(closing, session, OP_COVERAGE, rule);
	else if (rule >= RULE_LIMIT_TIME && rule <= RULE_LIMIT_PROCESSES)
		notice(closing, session, OP_LIMIT, rule);
}

static void say_where(const struct closing *closing, char *text, size_t size)
{
	const struct options *options = closing->options;

	if (options->report)
		snprintf(text, size, "report in %s", options->report);
	else if (options->report_fd >= 0)
		snprintf(text, size, "report on descriptor %d", options->report_fd);
	else
		snprintf(text, size, "--report FILE keeps the details");
}

static void say_lost(const struct closing *closing)
{
	const struct forward *forward = closing->forward;
	uint64_t lost = forward_lost(forward) + closing->page->lost;
	int error = forward->file.error ? forward->file.error : forward->descriptor.error;

	if (lost)
		say("%" PRIu64 " report line%s lost%s%s; the command was not affected", lost,
		    lost == 1 ? " was" : "s were", error ? ": " : "",
		    error == EAGAIN ? "its reader does not keep up" : error ? strerror(error)
									    : "");
}

void closing_say(const struct closing *closing, const char *reason)
{
	const struct tally *tally = &closing->forward->tally;
	bool denied = closing->outcome->kind == OUTCOME_DENIED;
	const char *verb = closing->image->flags & IMAGE_AUDIT ? "would have been denied" : "denied";
	char rules[512], where[512];

	if (denied && !closing->options->json)
		say("denied: %s", reason);
	else if (reason[0] && !closing->options->json)
		say("%s", reason);
	if (closing->options->quiet)
		return;
	if (tally->denied && !(denied && tally->denied == 1 && !closing->options->report)) {
		tally_words(tally, rules, sizeof(rules));
		say_where(closing, where, sizeof(where));
		say("%" PRIu64 " call%s %s (%s); %s", tally->denied, tally->denied == 1 ? "" : "s", verb, rules, where);
	}
	say_lost(closing);
}
