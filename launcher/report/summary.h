/* SPDX-License-Identifier: MIT */
/*
 * What happened, from report lines: fed line by line, bounded whatever comes (a session of a million calls fits into a
 * few tens of MiB), and read by every output format. What found no room is counted, never silently dropped.
 * No effects but memory.
 */
#ifndef BRIDLE_SUMMARY_H
#define BRIDLE_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"
#include "report/event.h"
#include "report/paths.h"
#include "report/process.h"
#include "report/table.h"

/* All strings in these records are interned, never NULL. Times are microseconds since the epoch. */

struct summary_session {
	const char *id, *mode, *profile, *policy, *root, *version, *command;
	int64_t begin, end;
	int64_t checked, denied, lost; /* the session's own totals; -1: its closing line is not there */
	int64_t exit_code;             /* EVENT_NO_EXIT: not given */
	uint64_t lines;
};

struct summary_call {
	const char *name;
	enum op op;
	uint64_t allowed, denied, failed; /* failed: of the allowed ones, by themselves */
};

struct summary_program {
	const char *path;              /* resolved where known */
	const char *name;              /* argv[0]'s basename */
	uint64_t runs, denied, failed; /* failed: of the runs, could not be started after all */
};

struct summary_place {
	enum op op; /* OP_CONNECT, OP_BIND or OP_RESOLVE */
	const char *host, *addr, *family;
	int64_t port;
	uint64_t allowed, denied, failed;
	const char *error; /* of the last that failed */
};

/* Same rule, subject, program and op: counted once, the first one's details kept. */
struct summary_violation {
	const char *rule, *reason, *call, *exe, *subject, *target, *error;
	const char *session;
	enum op op;
	bool enforced;
	int64_t pid, first, last;
	uint64_t count;
};

struct summary_rule {
	const char *rule;
	uint64_t count, enforced;
};

/* What the guard did not see: rule coverage.*, or a notice of op coverage. */
struct summary_gap {
	const char *rule, *subject, *reason;
	uint64_t count;
};

/* Calls that were let through and failed; files that were looked for and are not there stand in the paths instead. */
struct summary_failure {
	const char *call, *subject, *target, *exe, *error;
	enum op op;
	uint64_t count;
};

struct summary_limit {
	const char *rule, *reason;
	uint64_t count;
};

struct summary {
	struct intern *names;
	struct table sessions, calls, programs, places, violations, rules, gaps, limits, failures;
	struct processes processes;
	struct paths paths;
	uint64_t lines, allowed, denied, enforced; /* enforced: denied and refused */
	uint64_t failed, missed;                   /* of all that was let through; missed: of these, files not there */
	uint64_t endless;                          /* of all that was let through: it is not known how they ended */
	uint64_t by_op[OP_COUNT + 1][2];           /* allowed, denied; the last row: unknown ops */
	uint64_t failed_by_op[OP_COUNT + 1];
	uint64_t unkept; /* lines some of whose detail found no room */
	int64_t begin, end;
};

/* NULL when out of memory. */
struct summary *summary_new(void);
void summary_free(struct summary *summary);

/* Takes one line. Returns the process that it belongs to (processes_take), or INDEX_NONE. */
uint32_t summary_take(struct summary *summary, const struct event *event);

/* Call once, when all lines are in and before reading. */
void summary_finish(struct summary *summary);

/*
 * The violations by rule (in the order of summary->rules) and then by count, as indexes into summary->violations.
 * *ret_order is malloc'ed, or NULL; returns their number; 0 when out of memory.
 */
uint32_t summary_violations(const struct summary *summary, uint32_t **ret_order);

/* The failures, the most frequent first. As summary_violations. */
uint32_t summary_failures(const struct summary *summary, uint32_t **ret_order);

/*
 * The subject of a line in one string: the command line, the path, "host (address) port", ... NUL-terminated, cut to
 * size. Pure.
 */
void summary_subject(const struct event *event, char *buffer, size_t size);

/* What the call did to the file it names (enum path_mark), did it not fail: 0 when it is about no file. Pure. */
uint32_t summary_marks(const struct event *event);

/* Is this the guard's own library, which ld.so reads in every program? It says nothing of what the program did. Pure. */
bool summary_is_guard(const struct event *event);

/* The word of an op: "exec", ... ; "other" for OP_COUNT. */
const char *summary_op(enum op op);

#endif
