/* SPDX-License-Identifier: MIT */
/* The policy's parts, one after the other, into one image. */
#include "compile/compile.h"

#include <stdlib.h>
#include <string.h>

#include "compile/builder.h"
#include "compile/commands.h"
#include "compile/network.h"
#include "compile/path.h"
#include "policy/setting.h"

/* Each fills its own sections. Strings and origins are shared, so the order is part of the image's bytes. */
static bool (*const parts[])(struct builder *builder, const struct policy *policy,
			     const struct compile_context *context, struct failure *failure) = {
	compile_commands, /* first: the rules that it may take over as they are count on a fresh builder */
	compile_paths,
	compile_network,
};

static uint32_t flags_of(const struct policy *policy, const struct compile_context *context)
{
	const struct setting *report = setting_member(policy_settings(policy), "report");
	uint32_t flags = compile_command_flags(policy);

	if (context->audit || policy_mode(policy) == POLICY_AUDIT)
		flags |= IMAGE_AUDIT;
	if (context->report_all || policy_report_all(policy))
		flags |= IMAGE_REPORT_ALL;
	if (context->content || setting_boolean(report, "content", false))
		flags |= IMAGE_CONTENT;
	if (setting_boolean(report, "drop", false))
		flags |= IMAGE_DROP;
	if (!strcmp(setting_text(report, "explain", "off"), "stderr"))
		flags |= IMAGE_EXPLAIN;
	if (policy_uncovered(policy) == POLICY_UNCOVERED_DENY)
		flags |= IMAGE_UNCOVERED_DENY;
	if (policy_uncovered(policy) == POLICY_UNCOVERED_ALLOW)
		flags |= IMAGE_UNCOVERED_ALLOW;
	return flags;
}

static bool build(struct builder *builder, const struct policy *policy, const struct compile_context *context,
		  struct failure *failure)
{
	bool good = true;

	builder_start(builder);
	builder->screen = context->screen;
	for (size_t i = 0; good && i < sizeof(parts) / sizeof(parts[0]); i++)
		good = parts[i](builder, policy, context, failure);
	return good;
}

bool compile_image(const struct policy *policy, const struct compile_context *context, void **ret_image,
		   size_t *ret_size, struct failure *failure)
{
	struct builder builder;
	bool good = build(&builder, policy, context, failure) &&
		    builder_finish(&builder, flags_of(policy, context), ret_image, ret_size, failure);

	builder_free(&builder);
	return good;
}

bool compile_to_file(const struct policy *policy, const struct compile_context *context, int file, off_t offset,
		     size_t *ret_size, struct failure *failure)
{
	struct builder builder;
	bool good = build(&builder, policy, context, failure) &&
		    builder_write(&builder, flags_of(policy, context), file, offset, ret_size, failure);

	builder_free(&builder);
	return good;
}

char *compile_expand(const char *text, const struct compile_context *context)
{
	static const char variable[] = "${TMPDIR}";
	const char *base = NULL, *rest = text;
	char *expanded;

	if (!strncmp(text, variable, sizeof(variable) - 1)) {
		base = context->tmpdir;
		rest = text + sizeof(variable) - 1;
	} else if (text[0] == '~' && (!text[1] || text[1] == '/')) {
		base = context->home;
		rest = text + 1;
	}
	expanded = malloc(strlen(base ? base : "") + strlen(rest) + 1);
	if (expanded)
		stpcpy(stpcpy(expanded, base ? base : ""), rest);
	return expanded;
}
