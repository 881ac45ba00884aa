/* SPDX-License-Identifier: MIT */
/* Reads the events of each agent into one shape. */
#include "hook/event.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;    /* bridle hook NAME */
	const char *event;   /* how it calls the event that comes before a tool */
	const char *project; /* the variable that names the project's folder */
	bool judged_only;    /* it does not take a changed command from its hook */
} agents[HOOK_AGENTS] = {
	[HOOK_CLAUDE_CODE] = {"claude-code", "PreToolUse", "CLAUDE_PROJECT_DIR"},
	[HOOK_CODEX] = {"codex", "PreToolUse", NULL},
	[HOOK_GEMINI] = {"gemini", "BeforeTool", "GEMINI_PROJECT_DIR"},
	[HOOK_CURSOR] = {"cursor", "preToolUse", "CURSOR_PROJECT_DIR"},
	[HOOK_QWEN_CODE] = {"qwen-code", "PreToolUse", "QWEN_PROJECT_DIR", true},
	[HOOK_COPILOT] = {"copilot", "PreToolUse", "COPILOT_PROJECT_DIR"},
};

static const struct hook_tool tools[] = {
#define TOOL(agent, name, act, keys) {HOOK_##agent, name, HOOK_##act, keys},
#include "hook/tools.def"
#undef TOOL
};

enum hook_agent hook_agent_of(const char *name)
{
	enum hook_agent agent = 0;

	while (agent < HOOK_AGENTS && strcmp(agents[agent].name, name))
		agent++;
	return agent;
}

const char *hook_agent_name(enum hook_agent agent)
{
	return agents[agent].name;
}

bool hook_agent_rewrites(enum hook_agent agent)
{
	return !agents[agent].judged_only;
}

const struct hook_tool *hook_tool_at(size_t index)
{
	return index < sizeof(tools) / sizeof(tools[0]) ? &tools[index] : NULL;
}

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* An event of Cursor that is about one thing has the rows of a tool of its own name. */
static bool is_tool(enum hook_agent agent, const char *name)
{
	const struct hook_tool *tool;

	for (size_t i = 0; (tool = hook_tool_at(i)) != NULL; i++)
		if (tool->agent == agent && !strcmp(tool->name, name))
			return true;
	return false;
}

static bool takes_text(enum hook_agent agent, const char *name)
{
	const struct hook_tool *tool;

	for (size_t i = 0; (tool = hook_tool_at(i)) != NULL; i++)
		if (tool->agent == agent && !*tool->keys && !strcmp(tool->name, name))
			return true;
	return false;
}

static bool read_tool(struct hook_event *event, struct failure *failure)
{
	if (event->agent == HOOK_CURSOR && event->name != agents[HOOK_CURSOR].event && is_tool(HOOK_CURSOR, event->name)) {
		event->tool = event->name;
		event->input = event->whole;
		event->before = true;
		return true;
	}
	event->before = !strcmp(event->name, agents[event->agent].event);
	if (!event->before)
		return true;
	event->tool = text_of(event->whole, "tool_name");
	event->input = json_object_get(event->whole, "tool_input");
	if (!event->tool)
		return failure_set(failure, "the event has no 'tool_name'; is it one of %s's %s hook?",
				   agents[event->agent].name, agents[event->agent].event);
	if (!json_is_object(event->input) && !(json_is_string(event->input) && takes_text(event->agent, event->tool)))
		return failure_set(failure, "the event's 'tool_input' is no object");
	return true;
}

/* The folder that holds the project, where the event takes place inside it. */
static const char *project_of(const struct hook_event *event)
{
	const json_t *roots = json_object_get(event->whole, "workspace_roots");
	const char *variable = agents[event->agent].project, *project = variable ? getenv(variable) : NULL;
	size_t length;

	if (event->agent == HOOK_CURSOR && json_array_size(roots))
		project = json_string_value(json_array_get(roots, 0));
	if (!project || project[0] != '/' || !event->cwd)
		return event->cwd ? NULL : project;
	length = strlen(project);
	while (length > 1 && project[length - 1] == '/')
		length--;
	return !strncmp(event->cwd, project, length) && strchr("/", event->cwd[length]) ? project : NULL;
}

bool hook_event_read(enum hook_agent agent, const char *text, size_t size, struct hook_event *ret_event,
		     struct failure *failure)
{
	struct hook_event *event = ret_event;
	json_error_t error;
	const char *name;

	*event = (struct hook_event){.agent = agent, .name = agents[agent].event};
	event->whole = json_loadb(text, size, 0, &error);
	if (!event->whole)
		return failure_set(failure, "the event is not JSON: line %d: %s", error.line, error.text);
	if (!json_is_object(event->whole))
		return failure_set(failure, "the event is no JSON object");
	name = text_of(event->whole, "hook_event_name");
	if (name && strcmp(name, event->name))
		event->name = name;
	event->cwd = text_of(event->whole, "cwd");
	if (event->cwd && !*event->cwd)
		event->cwd = NULL;
	event->project = project_of(event);
	return read_tool(event, failure);
}

void hook_event_free(struct hook_event *event)
{
	json_decref(event->whole);
	event->whole = NULL;
}

static bool all_texts(const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (!json_is_string(json_array_get(list, i)))
			return false;
	return json_is_array(list);
}

bool hook_value(const struct hook_event *event, const struct hook_tool *tool, const char **ret_key,
		const json_t **ret_value)
{
	bool optional = tool->keys[0] == '?';
	const char *key = tool->keys + optional, *keys = key;

	*ret_key = keys;
	*ret_value = *keys ? NULL : event->input;
	if (!*keys)
		return true;
	for (; *key; key += strcspn(key, "|"), key += *key == '|') {
		const json_t *value = json_object_getn(event->input, key, strcspn(key, "|"));

		if (!value || json_is_null(value))
			continue;
		if (!json_is_string(value) && !all_texts(value))
			return false;
		*ret_value = value;
		*ret_key = key;
		return true;
	}
	return optional;
}

/* The first of the keys, NULL-terminated, that says something. */
static const char *first_of(const json_t *input, const char *const *keys)
{
	for (; *keys; keys++) {
		const char *text = text_of(input, *keys);

		if (text && *text)
			return text;
	}
	return NULL;
}

const char *hook_searched(const struct hook_event *event)
{
	static const char *const keys[] = {"path", "dir_path", "target_directory", NULL};

	return first_of(event->input, keys);
}

const char *hook_folder(const struct hook_event *event)
{
	static const char *const keys[] = {"workdir", "dir_path", "directory", "working_directory", NULL};

	return first_of(event->input, keys);
}
