/* SPDX-License-Identifier: MIT */
/* The parts of a policy that speak of programs and their arguments, in the order in which they are compiled. */
#include "compile/commands.h"

#include <string.h>

#include "compile/draft.h"
#include "compile/tool_entry.h"
#include "compile/tool_file.h"

static const struct {
	const char *key;
	enum tool_list list;
} lists[] = {
	{"argv.interpreters", TOOL_LIST_INTERPRETERS},
	{"argv.wrappers", TOOL_LIST_WRAPPERS},
	{"argv.doors", TOOL_LIST_DOORS},
	{"argv.variables", TOOL_LIST_VARIABLES},
	{"argv.deny", TOOL_LIST_DENY},
};

static void add_denied(struct drafts *drafts, const struct setting *names)
{
	SETTING_EACH(name, names)
	{
		uint32_t tool = drafts_tool(drafts, IMAGE_TOOL_PROGRAM, name->text, strlen(name->text));
		struct image_tool *record = &drafts_at(drafts, tool)->record;

		record->flags |= IMAGE_TOOL_DENIED;
		record->deny = builder_origin(drafts->builder, name->file, name->line);
	}
}

static void add_callers(struct drafts *drafts, const struct setting *names)
{
	SETTING_EACH(name, names)
	drafts_tool(drafts, IMAGE_TOOL_CALLER, name->text, strlen(name->text));
}

static bool add_entries(struct drafts *drafts, const struct setting *top, struct failure *failure)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		SETTING_EACH(entry, setting_find(top, lists[i].key))
	if (!compile_tool_entry(drafts, lists[i].list, entry, failure))
		return false;
	return true;
}

uint32_t compile_command_flags(const struct policy *policy)
{
	const struct setting *top = policy_settings(policy);
	const char *code = setting_text(setting_member(top, "argv"), "inline", "deny");
	const char *metachars = setting_text(setting_member(top, "structure"), "metachars", "any");
	uint32_t flags = strcmp(code, "deny") ? 0 : IMAGE_INLINE_DENY;

	if (!strcmp(metachars, "any"))
		flags |= IMAGE_METACHARS_ANY;
	else if (!strcmp(metachars, "operators"))
		flags |= IMAGE_METACHARS_OPERATORS;
	return flags;
}

static void add_ground(struct builder *builder, const char *folder)
{
	uint32_t ground = builder_string(builder, folder);

	if (ground && strcmp(folder, "/"))
		BUILDER_APPEND(builder, grounds, &ground);
}

/* The root, and where temporary files go: to sweep there is ordinary work. */
static void add_grounds(struct builder *builder, const struct policy *policy, const struct compile_context *context)
{
	add_ground(builder, policy_root(policy));
	add_ground(builder, context->tmpdir);
	add_ground(builder, "/tmp");
	add_ground(builder, "/var/tmp");
}

bool compile_commands(struct builder *builder, const struct policy *policy,
		      const struct compile_context *context, struct failure *failure)
{
	const struct setting *top = policy_settings(policy);
	struct drafts drafts;
	bool good;

	drafts_start(&drafts, builder);
	good = add_entries(&drafts, top, failure);
	if (good) {
		add_denied(&drafts, setting_find(top, "names.deny"));
		add_callers(&drafts, setting_find(top, "argv.trusted_callers"));
		compile_tool_files(&drafts, context->path);
		drafts_finish(&drafts);
		add_grounds(builder, policy, context);
	}
	drafts_free(&drafts);
	return good;
}
