/* SPDX-License-Identifier: MIT */
/* The parts of a policy that speak of programs and their arguments, in the order in which they are compiled. */
#include "compile/commands.h"

#include <string.h>

#include "compile/draft.h"
#include "compile/rules.h"
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

/* What the policy takes off the list of the rules that were compiled with bridle. */
static void drop_denied(struct drafts *drafts, const struct policy *policy)
{
	size_t count;
	const char *const *name = policy_allowed(policy, &count);

	for (size_t i = 0; i < count; i++) {
		uint32_t tool = drafts_tool(drafts, IMAGE_TOOL_PROGRAM, name[i], strlen(name[i]));
		struct image_tool *record = &drafts_at(drafts, tool)->record;

		record->flags &= ~IMAGE_TOOL_DENIED;
		record->deny = 0;
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
	add_denied(drafts, setting_find(top, "names.deny"));
	add_callers(drafts, setting_find(top, "argv.trusted_callers"));
	return true;
}

/* What the policy says itself, on top of the rules that were compiled with bridle, where there are such. */
static bool add_rules(struct builder *builder, const struct policy *policy, struct failure *failure)
{
	const struct image *base = policy_rules(policy) ? rules_image(policy_rules(policy)) : NULL;
	struct drafts drafts;
	bool good;

	drafts_start(&drafts, builder, base);
	drop_denied(&drafts, policy);
	good = add_entries(&drafts, policy_settings(policy), failure);
	if (good)
		drafts_finish(&drafts);
	drafts_free(&drafts);
	return good;
}

uint32_t compile_command_flags(const struct policy *policy)
{
	const struct image *base = policy_rules(policy) ? rules_image(policy_rules(policy)) : NULL;
	const struct setting *top = policy_settings(policy);
	const char *code = setting_text(setting_member(top, "argv"), "inline", base ? NULL : "deny");
	const char *metachars = setting_text(setting_member(top, "structure"), "metachars", base ? NULL : "any");
	uint32_t flags = 0;

	if (!code)
		flags |= base->flags & IMAGE_INLINE_DENY;
	else if (!strcmp(code, "deny"))
		flags |= IMAGE_INLINE_DENY;
	if (!metachars)
		flags |= base->flags & (IMAGE_METACHARS_ANY | IMAGE_METACHARS_OPERATORS);
	else if (!strcmp(metachars, "any"))
		flags |= IMAGE_METACHARS_ANY;
	else if (!strcmp(metachars, "operators"))
		flags |= IMAGE_METACHARS_OPERATORS;
	return flags;
}

static void add_ground(struct builder *builder, const char *folder)
{
	uint32_t ground = folder && strcmp(folder, "/") ? builder_string(builder, folder) : 0;

	BUILDER_APPEND(builder, grounds, &ground);
}

/* The root, the home, and where temporary files go, in the order that include/image.h says. */
static void add_grounds(struct builder *builder, const struct policy *policy, const struct compile_context *context)
{
	add_ground(builder, policy_root(policy));
	add_ground(builder, context->home);
	add_ground(builder, context->tmpdir);
	add_ground(builder, "/tmp");
	add_ground(builder, "/var/tmp");
}

bool compile_commands(struct builder *builder, const struct policy *policy,
		      const struct compile_context *context, struct failure *failure)
{
	if (!add_rules(builder, policy, failure))
		return false;
	compile_tool_files(builder);
	add_grounds(builder, policy, context);
	return true;
}

bool compile_rules(const struct policy *policy, void **ret_image, size_t *ret_size, struct failure *failure)
{
	struct builder builder;
	bool good;

	builder_start(&builder);
	good = add_rules(&builder, policy, failure) &&
	       builder_finish(&builder, compile_command_flags(policy), ret_image, ret_size, failure);
	builder_free(&builder);
	return good;
}
