/* SPDX-License-Identifier: MIT */
/* Knows the settings of each agent. */
#include "init/merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const files[HOOK_AGENTS] = {
	[HOOK_CLAUDE_CODE] = ".claude/settings.json",
	[HOOK_CODEX] = ".codex/hooks.json",
	[HOOK_GEMINI] = ".gemini/settings.json",
	[HOOK_CURSOR] = ".cursor/hooks.json",
	[HOOK_QWEN_CODE] = ".qwen/settings.json",
	[HOOK_COPILOT] = ".github/hooks/bridle.json",
};

static const char *const locked[HOOK_AGENTS] = {
	[HOOK_CLAUDE_CODE] = "\"./.claude/settings.json\", \"./.claude/settings.local.json\"",
	[HOOK_CODEX] = "\"./.codex/hooks.json\", \"./.codex/config.toml\"",
	[HOOK_GEMINI] = "\"./.gemini/settings.json\"",
	[HOOK_CURSOR] = "\"./.cursor/hooks.json\"",
	[HOOK_QWEN_CODE] = "\"./.qwen/settings.json\"",
	[HOOK_COPILOT] = "\"./.github/hooks\", \"./.github/copilot\"",
};

/* The events that bridle is asked at. matcher NULL: the agent takes none. */
static const struct place {
	enum hook_agent agent;
	const char *event, *matcher;
	bool flat; /* the entry holds the command itself, without a list of hooks */
} places[] = {
	{HOOK_CLAUDE_CODE, "PreToolUse", "*", false},
	{HOOK_CODEX, "PreToolUse", NULL, false},
	{HOOK_GEMINI, "BeforeTool", ".*", false},
	{HOOK_QWEN_CODE, "PreToolUse", "*", false},
	/* Under this name it sends what Claude Code sends; preToolUse would be a protocol of its own. */
	{HOOK_COPILOT, "PreToolUse", ".*", false},
	/* Its shell commands come with an event of their own, and must be rewritten once only. */
	{HOOK_CURSOR, "beforeShellExecution", NULL, true},
	{HOOK_CURSOR, "beforeReadFile", NULL, true},
	{HOOK_CURSOR, "preToolUse", "Write|Edit|StrReplace|Delete", true},
};

#define PLACES (sizeof(places) / sizeof(places[0]))

const char *merge_file(enum hook_agent agent)
{
	return files[agent];
}

const char *merge_locked(enum hook_agent agent)
{
	return locked[agent];
}

/* The command of an agent's hook, from malloc: the path in quotes where a shell needs them. */
static char *command_of(enum hook_agent agent, const char *program)
{
	bool quote = strpbrk(program, " \t'\"$`\\&;|<>()*?[]#~") != NULL;
	char *path = malloc(4 * strlen(program) + 3), *end = path, *command = NULL;

	if (!path)
		return NULL;
	if (quote)
		*end++ = '\'';
	for (; *program; program++)
		end = *program == '\'' ? stpcpy(end, "'\\''") : stpncpy(end, program, 1);
	strcpy(end, quote ? "'" : "");
	if (asprintf(&command, "%s hook %s%s", path, hook_agent_name(agent),
		     hook_agent_rewrites(agent) ? " --enforce" : "") < 0)
		command = NULL;
	free(path);
	return command;
}

static bool is_ours(enum hook_agent agent, const json_t *hook)
{
	const char *command = json_string_value(json_object_get(hook, "command")), *at;
	char mark[64];

	snprintf(mark, sizeof(mark), " hook %s", hook_agent_name(agent));
	at = command ? strstr(command, mark) : NULL;
	return at && memmem(command, (size_t)(at - command), "bridle", 6) && strchr(" ", at[strlen(mark)]);
}

/* Takes our hooks out of a list; true when there were some. */
static bool drop_ours(const struct place *place, json_t *list)
{
	bool found = false;

	for (size_t i = json_array_size(list); i-- > 0;) {
		json_t *entry = json_array_get(list, i), *inner = json_object_get(entry, "hooks");
		bool dropped = false;

		for (size_t j = place->flat ? 0 : json_array_size(inner); j-- > 0;)
			if (is_ours(place->agent, json_array_get(inner, j)))
				dropped = !json_array_remove(inner, j);
		if (place->flat ? is_ours(place->agent, entry) : dropped && !json_array_size(inner))
			dropped = !json_array_remove(list, i);
		found |= dropped;
	}
	return found;
}

static bool has_ours(const struct place *place, const json_t *list)
{
	json_t *copy = json_deep_copy(list);
	bool has = drop_ours(place, copy);

	json_decref(copy);
	return has;
}

static json_t *entry_of(const struct place *place, const char *command)
{
	json_t *hook = place->flat ? json_pack("{s:s}", "command", command)
				   : json_pack("{s:s, s:s}", "type", "command", "command", command);
	json_t *entry = place->flat ? hook : json_object();

	/* A hook that does not answer blocks; the others take that for an answer by itself or have no word for it. */
	if (place->agent == HOOK_CURSOR)
		json_object_set_new(entry, "failClosed", json_true());
	if (place->matcher)
		json_object_set_new(entry, "matcher", json_string(place->matcher));
	if (!place->flat)
		json_object_set_new(entry, "hooks", json_pack("[o]", hook));
	return entry;
}

/* The member of an object, made where it is missing; NULL where it is of another kind. */
static json_t *member(json_t *object, const char *name, bool list)
{
	json_t *value = json_object_get(object, name);

	if (!value) {
		value = list ? json_array() : json_object();
		json_object_set_new(object, name, value);
	}
	return (list ? json_is_array(value) : json_is_object(value)) ? value : NULL;
}

bool merge_add(enum hook_agent agent, json_t *settings, const char *program, struct failure *failure)
{
	char *command = command_of(agent, program);
	json_t *hooks = member(settings, "hooks", false), *list = NULL;
	bool good = command && hooks;

	if (good && agent == HOOK_CURSOR && !json_object_get(settings, "version"))
		json_object_set_new(settings, "version", json_integer(1));
	for (size_t i = 0; good && i < PLACES; i++) {
		if (places[i].agent != agent)
			continue;
		list = member(hooks, places[i].event, true);
		good = list != NULL;
		if (good && !has_ours(&places[i], list))
			json_array_append_new(list, entry_of(&places[i], command));
	}
	free(command);
	return good || failure_set(failure, "%s: 'hooks' is not what %s documents: put the hook in by hand", files[agent],
				   hook_agent_name(agent));
}

void merge_remove(enum hook_agent agent, json_t *settings)
{
	json_t *hooks = json_object_get(settings, "hooks");
	bool found = false;

	for (size_t i = 0; i < PLACES; i++) {
		json_t *list = json_object_get(hooks, places[i].event);

		if (places[i].agent != agent || !drop_ours(&places[i], list))
			continue;
		found = true;
		if (!json_array_size(list))
			json_object_del(hooks, places[i].event);
	}
	if (found && !json_object_size(hooks))
		json_object_del(settings, "hooks");
	if (found && agent == HOOK_CURSOR && json_object_size(settings) == 1 && json_object_get(settings, "version"))
		json_object_del(settings, "version");
}
