/* SPDX-License-Identifier: MIT */
/* Reads one report line. */
#include "report/event.h"

#include <string.h>

#include "report.h"

#define MILLION 1000000
#define TIME_MAX (INT64_C(253402300800) * MILLION) /* the end of the year 9999 */

static const char *const op_words[OP_COUNT] = {
#define OP(name, words) [OP_##name] = (words),
#include "ops.def"
#undef OP
};

struct string_key {
	const char *key;
	size_t offset;
};

#define STRING_KEY(word, member)                       \
	{                                              \
		(word), offsetof(struct event, member) \
	}

static const struct string_key string_keys[] = {
	STRING_KEY("session", session),
	STRING_KEY("exe", exe),
	STRING_KEY("via", via),
	STRING_KEY("call", call),
	STRING_KEY("op", op_name),
	STRING_KEY("change", change),
	STRING_KEY("path", path),
	STRING_KEY("target", target),
	STRING_KEY("addr", addr),
	STRING_KEY("family", family),
	STRING_KEY("host", host),
	STRING_KEY("rule", rule),
	STRING_KEY("reason", reason),
	STRING_KEY("errno", error),
	STRING_KEY("policy", policy),
	STRING_KEY("root", root),
	STRING_KEY("mode", mode),
	STRING_KEY("profile", profile),
	STRING_KEY("version", version),
};

static const struct string_key number_keys[] = {
	STRING_KEY("pid", pid),
	STRING_KEY("ppid", ppid),
	STRING_KEY("tid", tid),
	STRING_KEY("port", port),
	STRING_KEY("checked", checked),
	STRING_KEY("denied", denied),
	STRING_KEY("lost", lost),
	STRING_KEY("status", exit_code),
};

static const size_t string_key_count = sizeof(string_keys) / sizeof(string_keys[0]);
static const size_t number_key_count = sizeof(number_keys) / sizeof(number_keys[0]);

static void clear(struct event *event)
{
	memset(event, 0, offsetof(struct event, argv));
	event->argc = 0;
	event->argv_cut = false;
	event->op = OP_COUNT;
	event->enforced = true;
	event->checked = event->denied = event->lost = -1;
	event->exit_code = EVENT_NO_EXIT;
	for (size_t i = 0; i < string_key_count; i++)
		*(const char **)((char *)event + string_keys[i].offset) = "";
}

static const struct string_key *find(const struct string_key *keys, size_t count, const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (keys[i].key[0] == key[0] && strcmp(keys[i].key, key) == 0)
			return &keys[i];
	return NULL;
}

static bool read_argv(struct scan *scan, struct event *event)
{
	const char *element;

	if (!scan_take(scan, '['))
		return scan_skip(scan);
	event->argc = 0;
	if (scan_take(scan, ']'))
		return true;
	do {
		scan_space(scan);
		if (scan->at == scan->end || *scan->at != '"') {
			if (!scan_skip(scan))
				return false;
			continue;
		}
		if (!scan_string(scan, &element))
			return false;
		if (event->argc < EVENT_ARGV_MAX)
			event->argv[event->argc++] = element;
		else
			event->argv_cut = true;
	} while (scan_take(scan, ','));
	return scan_take(scan, ']');
}

static bool read_string(struct scan *scan, struct event *event, const struct string_key *key)
{
	const char *text;

	if (*scan->at != '"')
		return scan_skip(scan);
	if (!scan_string(scan, &text))
		return false;
	*(const char **)((char *)event + key->offset) = text;
	return true;
}

static bool read_number(struct scan *scan, int64_t *ret_number, int64_t unit)
{
	int64_t millionths;

	if (*scan->at != '-' && (*scan->at < '0' || *scan->at > '9'))
		return scan_skip(scan);
	if (!scan_number(scan, &millionths))
		return false;
	*ret_number = millionths / unit;
	return true;
}

static bool read_flag(struct scan *scan, bool *ret_flag)
{
	if (*scan->at != 't' && *scan->at != 'f')
		return scan_skip(scan);
	return scan_bool(scan, ret_flag);
}

/* The value of `key`; a value of a type that the key cannot have is skipped. */
static bool read_value(struct scan *scan, struct event *event, const char *key, int64_t *version)
{
	const struct string_key *known = find(string_keys, string_key_count, key);
	const char *verdict = "";
	struct string_key verdict_key = {"verdict", 0};

	scan_space(scan);
	if (scan->at == scan->end)
		return false;
	if (known != NULL)
		return read_string(scan, event, known);
	known = find(number_keys, number_key_count, key);
	if (known != NULL)
		return read_number(scan, (int64_t *)((char *)event + known->offset), MILLION);
	if (strcmp(key, "v") == 0)
		return read_number(scan, version, MILLION);
	if (strcmp(key, "ts") == 0)
		return read_number(scan, &event->time, 1);
	if (strcmp(key, "argv") == 0)
		return read_argv(scan, event);
	if (strcmp(key, "enforced") == 0)
		return read_flag(scan, &event->enforced);
	if (strcmp(key, "outcome") == 0)
		return read_flag(scan, &event->outcome);
	if (strcmp(key, "cut") == 0)
		return read_flag(scan, &event->cut);
	if (strcmp(key, verdict_key.key) != 0 || *scan->at != '"')
		return scan_skip(scan);
	if (!scan_string(scan, &verdict))
		return false;
	event->verdict = strcmp(verdict, "deny") == 0    ? EVENT_DENY
			 : strcmp(verdict, "allow") == 0 ? EVENT_ALLOW
							 : EVENT_NOTICE;
	return true;
}

static enum event_result read_object(struct scan *scan, struct event *event)
{
	const char *key;
	int64_t version = 0;

	if (!scan_take(scan, '{'))
		return EVENT_BROKEN;
	if (!scan_take(scan, '}')) {
		do {
			if (!scan_string(scan, &key) || !scan_take(scan, ':') ||
			    !read_value(scan, event, key, &version))
				return EVENT_BROKEN;
		} while (scan_take(scan, ','));
		if (!scan_take(scan, '}'))
			return EVENT_BROKEN;
	}
	scan_space(scan);
	if (scan->at != scan->end)
		return EVENT_BROKEN;
	if (version == 0 || event->op_name[0] == '\0')
		return EVENT_FOREIGN;
	return version == REPORT_VERSION ? EVENT_GOOD : EVENT_NEWER;
}

/* Whoever wrote the line may have written anything. */
static void bound(int64_t *number, int64_t most)
{
	if (*number < 0 || *number > most)
		*number = 0;
}

enum event_result event_parse(struct event *event, const char *line, size_t length)
{
	struct scan scan = {line, line + length, event->text, event->text + sizeof(event->text)};
	enum event_result result;

	clear(event);
	scan_space(&scan);
	if (scan.at == scan.end)
		return EVENT_BLANK;
	result = read_object(&scan, event);
	bound(&event->time, TIME_MAX);
	bound(&event->pid, INT32_MAX);
	bound(&event->ppid, INT32_MAX);
	bound(&event->tid, INT32_MAX);
	bound(&event->port, UINT16_MAX);
	for (int op = 0; op < OP_COUNT; op++)
		if (strcmp(op_words[op], event->op_name) == 0)
			event->op = (enum op)op;
	return result;
}

const char *event_result_words(enum event_result result)
{
	switch (result) {
	case EVENT_GOOD:
	case EVENT_BLANK:
		return "good";
	case EVENT_FOREIGN:
		return "JSON, but not a report line";
	case EVENT_NEWER:
		return "a report line of another version";
	case EVENT_BROKEN:
		break;
	}
	return "not a whole JSON object";
}

const char *event_file(const struct event *event)
{
	return event->target[0] != '\0' ? event->target : event->path;
}

bool event_went_through(const struct event *event)
{
	return event->verdict != EVENT_DENY || !event->enforced;
}

bool event_failed(const struct event *event)
{
	return event->error[0] != '\0' && event->verdict == EVENT_ALLOW;
}

bool event_is_operand(const struct event *event)
{
	static const char *const starting[] = {"exec", "spawn", "popen", "system"};
	bool starts = strcmp(event->via, VIA_LAUNCHER) == 0;

	for (size_t i = 0; i < sizeof(starting) / sizeof(starting[0]); i++)
		starts = starts || strstr(event->call, starting[i]) != NULL;
	return starts && (event->op == OP_READ || event->op == OP_WRITE);
}

bool event_has_no_end(const struct event *event)
{
	return event->op != OP_COVERAGE && event->verdict != EVENT_NOTICE && event_went_through(event) &&
	       !event_is_operand(event) &&
	       !event_failed(event) && strcmp(event->via, VIA_BACKSTOP) == 0;
}

bool event_missed(const struct event *event)
{
	return (event->op == OP_READ || event->op == OP_LOAD) && event_failed(event) &&
	       (strcmp(event->error, "ENOENT") == 0 || strcmp(event->error, "ENOTDIR") == 0);
}
