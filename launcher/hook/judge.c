/* SPDX-License-Identifier: MIT */
/* Judges a tool by the rules that would hold for what it does. */
#include "hook/judge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hook/url.h"

/* One value of a tool while it is judged; true results mean: it is refused. */
struct hearing {
	const struct hook_event *event;
	const struct question *question;
	struct verdict verdict;
};

static bool judge_path(struct hearing *hearing, enum op op, const char *path)
{
	const char *home = hearing->question->home;
	struct place place = {.depth = 0};
	char *whole = NULL;
	bool refused;

	if (path[0] == '~' && strchr("/", path[1]) && home && asprintf(&whole, "%s%s", home, path + 1) < 0)
		return decide_path(hearing->question, op, path, place, -1, &hearing->verdict);
	refused = decide_path(hearing->question, op, whole ? whole : *path ? path
									   : ".",
			      place, -1, &hearing->verdict);
	free(whole);
	return refused;
}

/* Of a pattern the folders before its first wildcard are certain; what lies below them it may list. */
static bool judge_glob(struct hearing *hearing, const char *pattern)
{
	size_t length = strcspn(pattern, "*?[{"), plain = length;
	char *folder;
	bool refused;

	while (pattern[length] && length && pattern[length - 1] != '/')
		length--;
	/* "../.." behind a wildcard leads out again, wherever the wildcard leads. */
	if (strstr(pattern + plain, "/../") || (strlen(pattern + plain) >= 3 && !strcmp(pattern + strlen(pattern) - 3, "/..")))
		return judge_path(hearing, OP_READ, "/");
	folder = strndup(pattern, length);
	refused = !folder || judge_path(hearing, OP_READ, folder);
	free(folder);
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
			refused = !path || judge_path(hearing, OP_WRITE, path);
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
		return judge_path(hearing, OP_READ, text);
	case HOOK_WRITE:
		return judge_path(hearing, OP_WRITE, text);
	case HOOK_GLOB:
		return judge_glob(hearing, text);
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

		if (tool->agent != event->agent || strcmp(tool->name, event->tool))
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
