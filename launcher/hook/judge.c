/* SPDX-License-Identifier: MIT */
/* Judges a tool by the rules that would hold for what it does. */
#include "hook/judge.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decide/matches.h"
#include "decide/resolve.h"
#include "hook/pattern.h"
#include "hook/url.h"

/* One value of a tool while it is judged; true results mean: it is refused. */
struct hearing {
	const struct hook_event *event;
	const struct question *question;
	struct verdict verdict;
	enum hook_act act; /* of a pattern */
	const char *base;  /* where a pattern starts; NULL: here */
};

static bool judge_path(struct hearing *hearing, enum hook_act act, const char *path)
{
	const struct question *question = hearing->question;
	const char *home = question->home;
	struct place place = {.base = hearing->base};
	char *whole = NULL;
	bool refused;

	if (path[0] == '~' && strchr("/", path[1]) && home && asprintf(&whole, "%s%s", home, path + 1) < 0)
		whole = NULL;
	path = whole ? whole : *path ? path
				     : ".";
	if (act == HOOK_LOOK)
		refused = decide_look(question, path, place, -1, &hearing->verdict);
	else
		refused = decide_path(question, act == HOOK_WRITE ? OP_WRITE : OP_READ, path, place, -1, &hearing->verdict);
	free(whole);
	return refused;
}

static bool judge_matches(struct hearing *hearing, const char *pattern)
{
	struct matches matches;
	bool refused = false;

	matches_find(&matches, pattern, hearing->base);
	for (size_t i = 0; i < matches.count && !refused; i++)
		refused = judge_path(hearing, HOOK_READ, matches.names[i]);
	matches_free(&matches);
	return refused;
}

/* What the pattern finds now; unlike a shell's, "*" takes a leading dot as well. */
static bool judge_found(struct hearing *hearing, const char *pattern)
{
	const char *slash = strrchr(pattern, '/'), *last = slash ? slash + 1 : pattern;
	int folder = (int)(last - pattern);
	char *hidden = NULL;
	bool refused;

	if (!last[strspn(last, "*?.")])
		return false; /* all that is there, as where no pattern is given */
	refused = judge_matches(hearing, pattern);
	if (refused || *last != '*')
		return refused;
	if (asprintf(&hidden, "%.*s.%s", folder, pattern, last) < 0)
		return true;
	refused = judge_matches(hearing, hidden);
	if (!refused && last[1] == '.') {
		memmove(hidden + folder, last + 1, strlen(last));
		refused = judge_matches(hearing, hidden);
	}
	free(hidden);
	return refused;
}

/* The folders before the first wildcard are certain: they are listed or, where it goes deeper, read as a whole. */
static bool judge_wild(struct hearing *hearing, enum hook_act act, const char *pattern)
{
	size_t plain = strcspn(pattern, PATTERN_WILD), length = plain;
	const char *rest = pattern + plain;
	bool deep = strchr(rest, '/') || strstr(rest, "**");
	char *folder;
	bool refused;

	while (length && pattern[length - 1] != '/')
		length--;
	/* "../.." behind a wildcard leads out again, wherever the wildcard leads. */
	if (strstr(rest, "/../") || (strlen(rest) >= 3 && !strcmp(rest + strlen(rest) - 3, "/..")))
		return judge_path(hearing, HOOK_READ, "/");
	folder = strndup(pattern, length);
	refused = !folder || judge_path(hearing, act == HOOK_FIND && !deep ? HOOK_LOOK : HOOK_READ, folder) ||
		  (act == HOOK_GLOB && judge_found(hearing, pattern));
	free(folder);
	return refused;
}

static bool judge_one_pattern(struct hearing *hearing, enum hook_act act, const char *pattern)
{
	if (pattern[strcspn(pattern, PATTERN_WILD)])
		return judge_wild(hearing, act, pattern);
	return judge_path(hearing, act == HOOK_FIND ? HOOK_LOOK : HOOK_READ, pattern);
}

/* The pattern without its wildcards for any folders, which may stand for none. */
static char *without_any_folders(const char *pattern)
{
	char *copy = strdup(pattern), *at = copy;

	while (at && (at = strstr(at, "**/")))
		memmove(at, at + 3, strlen(at + 3) + 1);
	return copy;
}

/* A pattern_visit. */
static bool judge_pattern(void *context, const char *pattern)
{
	struct hearing *hearing = context;
	char first[NAME_MAX + 2] = "", *near;
	bool refused;

	if (*pattern == '!') /* what is not wanted */
		return false;
	/* "/src" is the search's own when the machine has no such folder. */
	if (*pattern == '/' && pattern[1]) {
		snprintf(first, sizeof(first), "/%.*s", (int)strcspn(pattern + 1, "/"), pattern + 1);
		if (!first[strcspn(first, PATTERN_WILD)] && access(first, F_OK))
			pattern++;
	}
	near = without_any_folders(pattern);
	refused = !near || judge_one_pattern(hearing, hearing->act, pattern) ||
		  (strcmp(near, pattern) && judge_one_pattern(hearing, hearing->act, near));
	free(near);
	return refused;
}

static bool judge_patterns(struct hearing *hearing, enum hook_act act, const char *text)
{
	const char *from = hook_searched(hearing->event);
	char folder[PATH_MAX];
	bool refused;

	hearing->act = act;
	if (from && *from && resolve_path(from, NULL, folder) != RESOLVED_NOT)
		hearing->base = folder;
	refused = pattern_each(text, act == HOOK_GLOB, judge_pattern, hearing);
	hearing->base = NULL;
	return refused;
}

/* The files of a patch in the form of Codex's apply_patch. */
static bool judge_patch(struct hearing *hearing, const char *patch)
{
	static const char *const heads[] = {"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "};
	bool refused = false;

	for (const char *line = patch; !refused && line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		for (size_t i = 0; !refused && i < sizeof(heads) / sizeof(heads[0]); i++) {
			const char *from = line + strspn(line, " \t");
			size_t length = strlen(heads[i]);
			char *path;

			if (strncmp(from, heads[i], length))
				continue;
			path = strndup(from + length, strcspn(from + length, "\r\n"));
			refused = !path || judge_path(hearing, HOOK_WRITE, path);
			free(path);
		}
	return refused;
}

static bool judge_fetch(struct hearing *hearing, const char *text)
{
	struct verdict *verdict = &hearing->verdict;
	struct hook_peer peer;

	while (url_next(&text, &peer)) {
		verdict->decision = url_judge(hearing->question->image, &peer);
		if (!verdict->decision.denied)
			continue;
		verdict->request = (struct request){
			.op = peer.address.family ? OP_CONNECT : OP_RESOLVE, .call = "fetch", .subject = peer.host};
		verdict->request.address = peer.address.family ? &peer.address : NULL;
		decide_refuse(hearing->question, verdict);
		verdict->request.address = NULL;
		return true;
	}
	return false;
}

/* A line, or an argv, in the folder that the tool names. */
static bool judge_shell(struct hearing *hearing, const json_t *value)
{
	size_t count = json_is_array(value) ? json_array_size(value) : 1;
	char **argv = calloc(count + 1, sizeof(*argv));
	struct question question = *hearing->question;

	if (!argv)
		return true;
	for (size_t i = 0; i < count; i++)
		argv[i] = (char *)json_string_value(json_is_array(value) ? json_array_get(value, i) : value);
	question.argv = argv;
	question.argc = count;
	question.shell = !json_is_array(value);
	decide_directory(&question, ".", &hearing->verdict);
	if (!hearing->verdict.decision.denied) {
		verdict_free(&hearing->verdict);
		decide_command(&question, &hearing->verdict);
	}
	free(argv);
	return hearing->verdict.decision.denied;
}

static bool judge_text(struct hearing *hearing, enum hook_act act, const char *text)
{
	switch (act) {
	case HOOK_READ:
	case HOOK_LOOK:
	case HOOK_WRITE:
		return judge_path(hearing, act, text);
	case HOOK_FIND:
	case HOOK_GLOB:
		return judge_patterns(hearing, act, text);
	case HOOK_PATCH:
		return judge_patch(hearing, text);
	case HOOK_FETCH:
		return judge_fetch(hearing, text);
	default:
		return false;
	}
}

static bool judge_value(struct hearing *hearing, enum hook_act act, const json_t *value)
{
	bool refused = false;

	if (act == HOOK_SHELL)
		return judge_shell(hearing, value);
	if (json_is_string(value))
		return judge_text(hearing, act, json_string_value(value));
	for (size_t i = 0; !refused && i < json_array_size(value); i++)
		refused = judge_text(hearing, act, json_string_value(json_array_get(value, i)));
	return refused;
}

static void refuse(const struct hearing *hearing, struct hook_verdict *verdict)
{
	const char *reason = hearing->verdict.reason;

	verdict->opinion = HOOK_DENY;
	snprintf(verdict->reason, sizeof(verdict->reason), "bridle: %s",
		 *reason ? reason : "there is no memory to judge it");
}

/* A shell tool is judged where it will start. */
static bool enter_folder(const struct hook_event *event, const struct hook_tool *tool, struct failure *failure)
{
	const char *folder = tool->act == HOOK_SHELL ? hook_folder(event) : NULL;

	if (!folder || !chdir(folder))
		return true;
	return failure_set(failure, "cannot judge a command in '%s': %s", folder, strerror(errno));
}

bool hook_judge(const struct hook_event *event, const struct question *question, struct hook_verdict *ret_verdict,
		struct failure *failure)
{
	struct hearing hearing = {.event = event, .question = question};
	const struct hook_tool *tool;

	*ret_verdict = (struct hook_verdict){HOOK_NONE};
	for (size_t i = 0; (tool = hook_tool_at(i)) != NULL && ret_verdict->opinion != HOOK_DENY; i++) {
		const json_t *value;
		const char *key;

		if (tool->agent != event->agent || strcmp(tool->name, event->tool) ||
		    json_is_string(event->input) != !*tool->keys)
			continue;
		if (!hook_value(event, tool, &key, &value))
			return failure_set(failure, "%s says nothing that bridle can read in '%.*s'", tool->name,
					   (int)strcspn(key, "|"), key);
		if (!enter_folder(event, tool, failure))
			return false;
		ret_verdict->opinion = HOOK_ALLOW;
		if (tool->act == HOOK_SHELL && !ret_verdict->key)
			ret_verdict->key = strndup(key, strcspn(key, "|"));
		memset(&hearing.verdict, 0, sizeof(hearing.verdict));
		if (value && judge_value(&hearing, tool->act, value))
			refuse(&hearing, ret_verdict);
		verdict_free(&hearing.verdict);
	}
	return true;
}
