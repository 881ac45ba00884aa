/* SPDX-License-Identifier: MIT */
/*
 * One report line, read back (design 1.4). Tolerant of what it does not know: unknown keys are skipped, missing ones
 * are empty, an unknown op is OP_COUNT. Pure.
 */
#ifndef BRIDLE_EVENT_H
#define BRIDLE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/scan.h"
#include "request.h"

#define EVENT_LINE_MAX 65536 /* bytes of a line that is looked at; our own have at most REPORT_LINE_MAX */
#define EVENT_ARGV_MAX 512   /* elements that are kept */

enum event_verdict {
	EVENT_NOTICE,
	EVENT_ALLOW,
	EVENT_DENY
};

/* Strings are never NULL; what the line does not have is "". They live in text, until the next event_parse. */
struct event {
	int64_t time;                  /* microseconds since the epoch; 0: not given, or none that a clock shows */
	int64_t pid, ppid, tid, port;  /* 0: not given, or none that there can be */
	int64_t checked, denied, lost; /* totals in the line that closes a session; -1: not given */
	int64_t exit_code;             /* of the session's command; EVENT_NO_EXIT: not given */
	enum op op;
	enum event_verdict verdict;
	bool enforced, cut;
	bool outcome; /* no call of its own: how one ended whose line came before */
	const char *session, *exe, *via, *call, *op_name, *change, *path, *target, *addr, *family, *host;
	const char *rule, *reason, *error;
	const char *policy, *root, *mode, *profile, *version; /* the line that opens a session */
	const char *argv[EVENT_ARGV_MAX];
	size_t argc;
	bool argv_cut; /* there were more */
	char text[SCAN_TEXT_SIZE(EVENT_LINE_MAX)];
};

#define EVENT_NO_EXIT INT64_MIN

enum event_result {
	EVENT_GOOD,
	EVENT_BLANK,   /* white space only */
	EVENT_BROKEN,  /* no JSON object, or cut short */
	EVENT_FOREIGN, /* a JSON object that is no report line */
	EVENT_NEWER,   /* a report line of another schema version */
};

/* Reads a line of at most EVENT_LINE_MAX bytes. Unless the result is EVENT_GOOD, *event means nothing. */
enum event_result event_parse(struct event *event, const char *line, size_t length);

/* The result in words, for a warning. */
const char *event_result_words(enum event_result result);

/* The path that was meant: the resolved one when the line has it. "" when the line is about no path. */
const char *event_file(const struct event *event);

/* Did the call go through, as far as the guard is concerned? */
bool event_went_through(const struct event *event);

/* Did it fail by itself, the policy having let it through? */
bool event_failed(const struct event *event);

/*
 * Is it about a file that a command line names? The guard judges those of programs that it cannot enter, and the launcher
 * those of the command; nothing has been done to the file yet.
 */
bool event_is_operand(const struct event *event);

/* Did it go through, and nobody knows how it ended? So it is with all that the backstop lets through. */
bool event_has_no_end(const struct event *event);

/* Did it look for a file that is not there? Programs do that all day. */
bool event_missed(const struct event *event);

#endif
