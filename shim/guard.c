/* SPDX-License-Identifier: MIT */
/*
 * The spine: a request goes to the checks of every session; what they refuse is reported to the session that refused
 * it. The questions of the wrappers stand in guard_file.c, guard_open.c, guard_exec.c and guard_network.c.
 */
#include "guard.h"

#include <errno.h>
#include <string.h>

#include "check/command.h"
#include "check/network.h"
#include "check/path.h"
#include "describe/cwd.h"
#include "report/emit.h"
#include "report/error.h"
#include "report/explain.h"

#include "forbid.h"

#define SHORT_CWD 1024

static struct decision check_target(const struct image *image, enum op op, const struct request *request)
{
	if (request->path_length == 0)
		return DECISION_DENY(RULE_PATH_UNRESOLVED);
	return check_path(image, op, request->path, request->path_length);
}

static struct decision check(const struct image *image, const struct request *request,
			     const struct command *command)
{
	struct decision decision;

	switch (request->op) {
	case OP_EXEC:
		decision = check_command(image, command);
		return decision.denied ? decision : check_target(image, request->op, request);
	case OP_CONNECT:
	case OP_BIND:
		if (request->address)
			return check_network(image, request->op, request->address);
		/* A socket in the file system: connecting needs to write to it, binding makes it. */
		return check_target(image, OP_WRITE, request);
	case OP_RESOLVE:
		return check_resolve(image, request->subject);
	default:
		return check_target(image, request->op, request);
	}
}

void guard_judge(const struct start *start, const struct request *request, const struct command *command,
		 struct judgement *ret)
{
	ret->denied = 0;
	ret->refused = false;
	for (unsigned i = 0; i < start->count; i++) {
		const struct image *image = start->sessions[i].image;

		ret->decisions[i] = check(image, request, command);
		if (!ret->decisions[i].denied)
			continue;
		if (!ret->decisions[i].quiet || image->flags & IMAGE_REPORT_ALL)
			ret->denied |= 1u << i;
		ret->refused = ret->refused || !(image->flags & IMAGE_AUDIT);
	}
}

static void count(const struct start *start, unsigned denied)
{
	guard_count(start);
	for (unsigned i = 0; i < start->count; i++)
		if (denied >> i & 1)
			__atomic_fetch_add(&start->sessions[i].page->denied, 1, __ATOMIC_RELAXED);
}

void guard_filtered(void)
{
	char path[SHORT_CWD];

	cwd_get(path, sizeof(path)); /* the last time that it can be asked for */
	start_filtered = true;
}

/* Without system calls of our own nothing can be written: what was refused is counted as a lost line. */
static void count_lost(const struct start *start, unsigned denied)
{
	for (unsigned i = 0; i < start->count; i++)
		if (denied >> i & 1)
			__atomic_fetch_add(&start->sessions[i].page->lost, 1, __ATOMIC_RELAXED);
}

/* One explanation is enough, whatever the number of sessions that refuse. */
static void explain(const struct start *start, const struct request *request, const struct judgement *judgement)
{
	for (unsigned i = 0; i < start->count; i++) {
		const struct image *image = start->sessions[i].image;

		if (!(judgement->denied >> i & 1) || !(image->flags & IMAGE_EXPLAIN) || (image->flags & IMAGE_AUDIT))
			continue;
		report_explain(image, request, &judgement->decisions[i]);
		return;
	}
}

static const struct decision allowed = {.rule = RULE_NONE, .element = -1};

/* What was refused has come to its end: a session that would have let it pass hears how. */
static void report(const struct start *start, const struct request *request, const struct judgement *judgement,
		   bool denied_only)
{
	const char *error = judgement->refused ? report_error(EACCES) : NULL;

	for (unsigned i = 0; i < start->count; i++)
		if ((judgement->denied >> i & 1) ||
		    (!denied_only && (start->sessions[i].image->flags & IMAGE_REPORT_ALL)))
			report_emit(&start->sessions[i], request, &judgement->decisions[i], error, false);
	explain(start, request, judgement);
}

static long settle(const struct start *start, const struct request *request, const struct judgement *judgement,
		   bool denied_only)
{
	count(start, judgement->denied);
	if (start_filtered)
		count_lost(start, judgement->denied);
	else
		report(start, request, judgement, denied_only);
	return judgement->refused ? -EACCES : 0;
}

long guard_settle(const struct start *start, const struct request *request, const struct judgement *judgement)
{
	return settle(start, request, judgement, false);
}

long guard_settle_now(const struct start *start, const struct request *request, const struct judgement *judgement)
{
	return settle(start, request, judgement, start_tells && !judgement->refused);
}

void guard_tell(const struct start *start, const struct request *request, unsigned had_line, const char *error)
{
	for (unsigned i = 0; i < start->count && !start_filtered; i++)
		if ((had_line >> i & 1) || (start->sessions[i].image->flags & IMAGE_REPORT_ALL))
			report_emit(&start->sessions[i], request, &allowed, error, had_line >> i & 1);
}

void guard_outcome(const struct start *start, const struct request *request, const char *error)
{
	for (unsigned i = 0; i < start->count && !start_filtered; i++)
		if (start->sessions[i].image->flags & IMAGE_REPORT_ALL)
			report_emit(&start->sessions[i], request, &allowed, error, true);
}

void guard_pass(const struct start *start, const struct request *request)
{
	guard_count(start);
	if (!start->silent)
		guard_tell(start, request, 0, NULL);
}

void guard_cover(const struct start *start, const struct request *request, uint8_t rule, struct judgement *ret)
{
	struct request notice = *request;

	ret->denied = 0;
	ret->refused = false;
	notice.op = OP_COVERAGE;
	for (unsigned i = 0; i < start->count; i++) {
		uint32_t flags = start->sessions[i].image->flags;

		ret->decisions[i] = DECISION_DENY(rule);
		if ((flags & IMAGE_UNCOVERED_DENY) && !start->sessions[i].page->word) {
			ret->denied |= 1u << i;
			ret->refused = ret->refused || !(flags & IMAGE_AUDIT);
			continue;
		}
		ret->decisions[i].denied = false;
		if (!(flags & IMAGE_UNCOVERED_ALLOW))
			guard_notice(&start->sessions[i], &notice, &ret->decisions[i]);
	}
}

void guard_notice(const struct start_session *session, const struct request *request, const struct decision *decision)
{
	report_emit(session, request, decision, NULL, false);
}
