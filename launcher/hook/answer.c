/* SPDX-License-Identifier: MIT */
/* Says yes or no in the words of each agent. */
#include "hook/answer.h"

#include "run/result.h"

static const char *word_of(enum hook_opinion opinion)
{
	return opinion == HOOK_DENY ? "deny" : "allow";
}

static void put_reason(json_t *object, const char *key, const char *reason)
{
	if (reason)
		json_object_set_new(object, key, result_words(reason));
}

static void put_input(json_t *object, const char *key, json_t *input)
{
	if (input)
		json_object_set(object, key, input);
}

/* Claude Code and Codex. */
static json_t *pre_tool_use(const char *event, const struct hook_answer *answer)
{
	json_t *inner = json_pack("{s:s, s:s}", "hookEventName", event, "permissionDecision", word_of(answer->opinion));

	put_reason(inner, "permissionDecisionReason", answer->reason);
	put_input(inner, "updatedInput", answer->input);
	return json_pack("{s:o}", "hookSpecificOutput", inner);
}

static json_t *before_tool(const char *event, const struct hook_answer *answer)
{
	json_t *object = json_pack("{s:s}", "decision", word_of(answer->opinion));

	put_reason(object, "reason", answer->reason);
	if (answer->input)
		json_object_set_new(object, "hookSpecificOutput",
				    json_pack("{s:s, s:O}", "hookEventName", event, "tool_input", answer->input));
	return object;
}

static json_t *permission(const struct hook_answer *answer)
{
	json_t *object = json_pack("{s:s}", "permission", word_of(answer->opinion));

	put_reason(object, "user_message", answer->reason);
	put_reason(object, "agent_message", answer->reason);
	put_input(object, "updated_input", answer->input);
	return object;
}

json_t *hook_answer_json(enum hook_agent agent, const char *event, const struct hook_answer *answer)
{
	/* Codex takes an "allow" that changes nothing for a mistake: silence means the same. */
	if (answer->opinion == HOOK_NONE || (agent == HOOK_CODEX && answer->opinion == HOOK_ALLOW && !answer->input))
		return json_object();
	switch (agent) {
	case HOOK_GEMINI:
		return before_tool(event, answer);
	case HOOK_CURSOR:
		return permission(answer);
	default:
		return pre_tool_use(event, answer);
	}
}

int hook_answer_status(enum hook_agent agent, const struct hook_answer *answer)
{
	return agent == HOOK_GEMINI && answer->opinion == HOOK_DENY ? HOOK_STATUS_BLOCK : 0;
}
