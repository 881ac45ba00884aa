/* SPDX-License-Identifier: MIT */
/* What an agent says before it uses a tool, whichever agent it is. */
#ifndef BRIDLE_HOOK_EVENT_H
#define BRIDLE_HOOK_EVENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "failure.h"

/* The most that an event may hold; a tool that writes a larger file must do it in parts. */
#define HOOK_EVENT_MAX (16u << 20)

enum hook_agent {
	HOOK_CLAUDE_CODE,
	HOOK_CODEX,
	HOOK_GEMINI,
	HOOK_CURSOR,
	HOOK_QWEN_CODE,
	HOOK_COPILOT,
	HOOK_AGENTS
};

enum hook_act {
	HOOK_SHELL, /* a line for a shell */
	HOOK_READ,  /* a path */
	HOOK_LOOK,  /* a folder is listed */
	HOOK_WRITE,
	HOOK_FIND,  /* the names that fit a pattern are told */
	HOOK_GLOB,  /* files that fit patterns are read */
	HOOK_PATCH, /* files that a patch names are written */
	HOOK_FETCH  /* the URLs in a text are fetched */
};

struct hook_tool {
	enum hook_agent agent;
	const char *name;
	enum hook_act act;
	const char *keys;
};

struct hook_event {
	enum hook_agent agent;
	json_t *whole;
	bool before;         /* it comes before a tool; else there is nothing to judge */
	const char *name;    /* of the event, as given or as this agent calls it */
	const char *tool;    /* borrowed from whole, as the rest */
	const json_t *input; /* what the tool gets: an object, or a string where a row of the tool takes one */
	const char *cwd;     /* NULL: not said */
	const char *project; /* NULL: not said */
};

/* The agent of a name as in `bridle hook NAME`; HOOK_AGENTS when there is none. And its name. */
enum hook_agent hook_agent_of(const char *name);
const char *hook_agent_name(enum hook_agent agent);

/* Does it run the command that a hook gives it instead of its own? */
bool hook_agent_rewrites(enum hook_agent agent);

/*
 * Reads one event. False with the reason in failure where it is not JSON, no object, or says nothing of a tool. Either way
 * hook_event_free, and agent and name hold enough to answer.
 */
bool hook_event_read(enum hook_agent agent, const char *text, size_t size, struct hook_event *ret_event,
		     struct failure *failure);
void hook_event_free(struct hook_event *event);

/* By number, the rows of tools.def; NULL behind the last. */
const struct hook_tool *hook_tool_at(size_t index);

/*
 * The value of the tool's input that a row is about. NULL and false: it is missing though it must be there, or is neither
 * a string nor a list of strings; NULL and true: there is nothing to judge. *ret_key: its key.
 */
bool hook_value(const struct hook_event *event, const struct hook_tool *tool, const char **ret_key,
		const json_t **ret_value);

/* The folder in which a tool that takes patterns is told to search; NULL: the event's. */
const char *hook_searched(const struct hook_event *event);

/* The folder that a shell tool is told to start in; NULL: the event's. */
const char *hook_folder(const struct hook_event *event);

#endif
