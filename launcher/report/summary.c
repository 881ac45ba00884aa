/* SPDX-License-Identifier: MIT */
/* Sums report lines up. */
#include "report/summary.h"

#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "report/command_line.h"

#define NAMES_BUDGET ((size_t)16 << 20) /* bytes of all strings that are kept */
#define SESSIONS_MAX 256
#define CALLS_MAX 512
#define PROGRAMS_MAX 4096
#define PLACES_MAX 4096
#define VIOLATIONS_MAX 4096
#define RULES_MAX 64
#define GAPS_MAX 1024
#define LIMITS_MAX 64
#define FAILURES_MAX 2048

struct summary *summary_new(void)
{
	struct summary *summary = calloc(1, sizeof(*summary));

	if (summary == NULL)
		return NULL;
	table_open(&summary->sessions, sizeof(struct summary_session), SESSIONS_MAX);
	table_open(&summary->calls, sizeof(struct summary_call), CALLS_MAX);
	table_open(&summary->programs, sizeof(struct summary_program), PROGRAMS_MAX);
	table_open(&summary->places, sizeof(struct summary_place), PLACES_MAX);
	table_open(&summary->violations, sizeof(struct summary_violation), VIOLATIONS_MAX);
	table_open(&summary->rules, sizeof(struct summary_rule), RULES_MAX);
	table_open(&summary->gaps, sizeof(struct summary_gap), GAPS_MAX);
	table_open(&summary->limits, sizeof(struct summary_limit), LIMITS_MAX);
	table_open(&summary->failures, sizeof(struct summary_failure), FAILURES_MAX);
	summary->names = intern_new(NAMES_BUDGET);
	if (summary->names == NULL || !paths_open(&summary->paths, summary->names)) {
		intern_free(summary->names);
		free(summary);
		return NULL;
	}
	processes_open(&summary->processes, summary->names);
	return summary;
}

void summary_free(struct summary *summary)
{
	if (summary == NULL)
		return;
	processes_close(&summary->processes);
	paths_close(&summary->paths);
	table_close(&summary->sessions);
	table_close(&summary->calls);
	table_close(&summary->programs);
	table_close(&summary->places);
	table_close(&summary->violations);
	table_close(&summary->rules);
	table_close(&summary->gaps);
	table_close(&summary->limits);
	table_close(&summary->failures);
	intern_free(summary->names);
	free(summary);
}

static const char *keep(struct summary *summary, const char *text)
{
	return intern_text(summary->names, text);
}

/* Fills a string once: later lines do not overwrite what an earlier one said. */
static void fill(struct summary *summary, const char **member, const char *text)
{
	if (*member == NULL || (*member)[0] == '\0')
		*member = keep(summary, text);
}

/* Lines without a time do not count. */
static void widen(int64_t *begin, int64_t *end, int64_t time)
{
	if (time > 0 && (*begin == 0 || time < *begin))
		*begin = time;
	if (time > *end)
		*end = time;
}

static void take_session(struct summary *summary, const struct event *event)
{
	struct index_key key = {{INDEX_WORD(keep(summary, event->session))}};
	struct summary_session *session;
	char line[COMMAND_LINE_MAX];
	bool fresh;

	session = table_get(&summary->sessions, &key, &fresh);
	if (session == NULL) {
		summary->unkept++;
		return;
	}
	if (fresh) {
		session->checked = session->denied = session->lost = -1;
		session->exit_code = EVENT_NO_EXIT;
		session->id = keep(summary, event->session);
		session->mode = session->profile = session->policy = intern_empty;
		session->root = session->version = session->command = intern_empty;
	}
	session->lines++;
	widen(&session->begin, &session->end, event->time);
	/* What the launcher itself starts is the session's command; what is refused in it may be a part of that. */
	if (event->argc != 0 && strcmp(event->via, VIA_LAUNCHER) == 0 &&
	    command_line(event->argv, event->argc, line, sizeof(line)) != 0) {
		if (event->op == OP_EXEC && event->verdict == EVENT_ALLOW)
			session->command = keep(summary, line);
		fill(summary, &session->command, line);
	}
	if (event->op != OP_SESSION)
		return;
	fill(summary, &session->mode, event->mode);
	fill(summary, &session->profile, event->profile);
	fill(summary, &session->policy, event->policy);
	fill(summary, &session->root, event->root);
	fill(summary, &session->version, event->version);
	if (event->checked >= 0)
		session->checked = event->checked;
	if (event->denied >= 0)
		session->denied = event->denied;
	if (event->lost >= 0)
		session->lost = event->lost;
	if (event->exit_code != EVENT_NO_EXIT)
		session->exit_code = event->exit_code;
}

static void take_call(struct summary *summary, const struct event *event)
{
	struct index_key key = {{INDEX_WORD(keep(summary, event->call)), event->op}};
	bool denied = event->verdict == EVENT_DENY, failed = event_failed(event), fresh;
	struct summary_call *call = table_get(&summary->calls, &key, &fresh);

	summary->failed += failed;
	summary->missed += event_missed(event);
	summary->endless += event_has_no_end(event);
	summary->failed_by_op[event->op] += failed;
	if (call == NULL) {
		summary->unkept++;
	} else {
		call->name = keep(summary, event->call);
		call->op = event->op;
		call->failed += failed;
	}
	if (event->outcome)
		return;
	summary->by_op[event->op][denied]++;
	summary->allowed += !denied;
	summary->denied += denied;
	summary->enforced += denied && event->enforced;
	if (call != NULL) {
		call->allowed += !denied;
		call->denied += denied;
	}
}

static void take_failure(struct summary *summary, const struct event *event)
{
	char subject[INTERN_TEXT_MAX];
	struct summary_failure *failure;
	bool fresh;

	summary_subject(event, subject, sizeof(subject));
	struct index_key key = {{INDEX_WORD(keep(summary, event->call)), INDEX_WORD(keep(summary, subject)),
				 INDEX_WORD(keep(summary, event->exe)), INDEX_WORD(keep(summary, event->error))}};

	failure = table_get(&summary->failures, &key, &fresh);
	if (failure == NULL) {
		summary->unkept++;
		return;
	}
	if (fresh)
		*failure = (struct summary_failure){
			.call = keep(summary, event->call),
			.subject = keep(summary, subject),
			.target = keep(summary, event->target),
			.exe = keep(summary, event->exe),
			.error = keep(summary, event->error),
			.op = event->op,
		};
	failure->count++;
}

static void take_program(struct summary *summary, const struct event *event)
{
	const char *path = keep(summary, event_file(event)[0] ? event_file(event)
					 : event->argc        ? event->argv[0]
							      : "");
	const char *name = event->argc ? event->argv[0] : path;
	struct index_key key = {{INDEX_WORD(path)}};
	struct summary_program *program;
	bool fresh;

	program = table_get(&summary->programs, &key, &fresh);
	if (program == NULL) {
		summary->unkept++;
		return;
	}
	program->path = path;
	if (fresh)
		program->name = keep(summary, strrchr(name, '/') ? strrchr(name, '/') + 1 : name);
	program->failed += event_failed(event);
	if (event->outcome)
		return;
	program->runs += event_went_through(event);
	program->denied += event->verdict == EVENT_DENY;
}

static void take_place(struct summary *summary, const struct event *event)
{
	const char *addr = keep(summary, event->addr[0] ? event->addr : event_file(event));
	struct index_key key = {{INDEX_WORD(keep(summary, event->host)), INDEX_WORD(addr),
				 (uint64_t)event->port, event->op}};
	struct summary_place *place;
	bool fresh;

	place = table_get(&summary->places, &key, &fresh);
	if (place == NULL) {
		summary->unkept++;
		return;
	}
	place->op = event->op;
	place->host = keep(summary, event->host);
	place->addr = addr;
	place->family = keep(summary, event->family);
	place->port = event->port;
	if (fresh)
		place->error = intern_empty;
	if (event_failed(event)) {
		place->failed++;
		place->error = keep(summary, event->error);
	}
	if (event->outcome)
		return;
	place->allowed += event->verdict != EVENT_DENY;
	place->denied += event->verdict == EVENT_DENY;
}

static void take_violation(struct summary *summary, const struct event *event)
{
	char subject[INTERN_TEXT_MAX];
	struct summary_violation *violation;
	bool fresh;

	summary_subject(event, subject, sizeof(subject));
	struct index_key key = {{INDEX_WORD(keep(summary, event->rule)),
				 INDEX_WORD(keep(summary, subject)),
				 INDEX_WORD(keep(summary, event->exe)),
				 event->op | (uint64_t)event->enforced << 8}};

	violation = table_get(&summary->violations, &key, &fresh);
	if (violation == NULL) {
		summary->unkept++;
		return;
	}
	if (fresh)
		*violation = (struct summary_violation){
			.rule = keep(summary, event->rule),
			.reason = keep(summary, event->reason),
			.call = keep(summary, event->call),
			.exe = keep(summary, event->exe),
			.subject = keep(summary, subject),
			.target = keep(summary, event->target),
			.error = keep(summary, event->error),
			.session = keep(summary, event->session),
			.op = event->op,
			.enforced = event->enforced,
			.pid = event->pid,
			.first = event->time,
		};
	violation->last = event->time;
	violation->count++;
}

static void take_rule(struct summary *summary, const struct event *event)
{
	struct index_key key = {{INDEX_WORD(keep(summary, event->rule))}};
	struct summary_rule *rule;
	bool fresh;

	rule = table_get(&summary->rules, &key, &fresh);
	if (rule == NULL) {
		summary->unkept++;
		return;
	}
	rule->rule = keep(summary, event->rule);
	rule->count++;
	rule->enforced += event->enforced;
}

static void take_gap(struct summary *summary, const struct event *event)
{
	char subject[INTERN_TEXT_MAX];
	struct summary_gap *gap;
	bool fresh;

	summary_subject(event, subject, sizeof(subject));
	struct index_key key = {
		{INDEX_WORD(keep(summary, event->rule)), INDEX_WORD(keep(summary, subject))}};

	gap = table_get(&summary->gaps, &key, &fresh);
	if (gap == NULL) {
		summary->unkept++;
		return;
	}
	gap->rule = keep(summary, event->rule);
	gap->subject = keep(summary, subject);
	gap->reason = keep(summary, event->reason);
	gap->count++;
}

static void take_limit(struct summary *summary, const struct event *event)
{
	struct index_key key = {{INDEX_WORD(keep(summary, event->rule))}};
	struct summary_limit *limit;
	bool fresh;

	limit = table_get(&summary->limits, &key, &fresh);
	if (limit == NULL)
		return;
	limit->rule = keep(summary, event->rule);
	limit->reason = keep(summary, event->reason);
	limit->count++;
}

/* What every program opens says nothing of what it did. */
static bool is_device(const char *file)
{
	return strncmp(file, "/dev/", 5) == 0 && strncmp(file, "/dev/shm/", 9) != 0;
}

/* Only what happened: a call that failed read or changed nothing. Where nobody knows, what was asked for. */
static void take_file(struct summary *summary, const struct event *event)
{
	const char *file = event_file(event);
	uint32_t marks = summary_marks(event);

	if (marks == 0 || file[0] != '/' || !event_went_through(event) || is_device(file) || summary_is_guard(event) ||
	    event_is_operand(event))
		return;
	if (event_has_no_end(event))
		marks = paths_asked(marks);
	if (event->outcome && event_failed(event))
		paths_take_back(&summary->paths, file, marks);
	else if (event->outcome)
		paths_mark(&summary->paths, file, marks);
	else if (!event_failed(event))
		paths_add(&summary->paths, file, marks);
	if (event_missed(event))
		paths_add(&summary->paths, file, PATH_MISSING);
}

uint32_t summary_take(struct summary *summary, const struct event *event)
{
	uint32_t process;
	bool gap = strncmp(event->rule, "coverage.", 9) == 0 || event->op == OP_COVERAGE;

	summary->lines++;
	widen(&summary->begin, &summary->end, event->time);
	take_session(summary, event);
	if (gap)
		take_gap(summary, event);
	if (strncmp(event->rule, "limit.", 6) == 0 || event->op == OP_LIMIT)
		take_limit(summary, event);
	if (event->op == OP_SESSION || event->op == OP_LIMIT)
		return INDEX_NONE;
	process = processes_take(&summary->processes, event);
	if (event->verdict == EVENT_NOTICE || (event->op == OP_COVERAGE && event->verdict != EVENT_DENY))
		return process;
	if (event_is_operand(event) && event->verdict == EVENT_ALLOW)
		return process; /* no call of its own */
	take_call(summary, event);
	if (event_failed(event) && !event_missed(event))
		take_failure(summary, event);
	if (event->op == OP_EXEC)
		take_program(summary, event);
	if (event->op == OP_CONNECT || event->op == OP_BIND || event->op == OP_RESOLVE)
		take_place(summary, event);
	if (event->verdict == EVENT_DENY) {
		take_rule(summary, event);
		take_violation(summary, event);
	}
	take_file(summary, event);
	return process;
}

void summary_finish(struct summary *summary)
{
	processes_finish(&summary->processes);
	paths_finish(&summary->paths);
}
