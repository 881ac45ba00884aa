/* SPDX-License-Identifier: MIT */
/* From `flags`, `operands`, `without`, `chosen`, `least`, `implied` and `where` to the conditions of a shape. */
#include "compile/tool_shape.h"

#include <string.h>

struct work {
	struct builder *builder;
	struct draft_sheet *sheet;
	struct image_shape shape;
	struct failure *failure;
};

static void add_condition(struct work *work, const struct image_condition *condition)
{
	BUILDER_APPEND(work->builder, tool_conditions, condition);
	work->shape.condition_count++;
}

/* The scan must know the option to tell it apart from others; what else is known of it stands in other entries. */
static void add_weak_option(struct work *work, const char *name, size_t length, bool has_value)
{
	size_t known = work->sheet->options.count;
	struct draft_option *option = draft_option(work->builder, work->sheet, name, length);

	if (work->sheet->options.count == known)
		return;
	option->record.flags |= IMAGE_OPTION_WEAK;
	option->record.arity = has_value ? IMAGE_VALUE_NEEDED : IMAGE_VALUE_NONE;
}

/* One option of a flag, with each of the values that the flag may have. */
static void add_flag_name(struct work *work, const char *name, size_t length, const char *values, uint32_t kind,
			  uint32_t group)
{
	struct builder *builder = work->builder;
	struct image_condition condition = {.kind = kind, .group = group, .name = builder_string_length(builder, name, length)};

	add_weak_option(work, name, length, values != NULL);
	if (!values) {
		add_condition(work, &condition);
		return;
	}
	do {
		size_t size = strcspn(values, "|");

		condition.value = builder_string_length(builder, values, size);
		add_condition(work, &condition);
		values += size;
	} while (*values++);
}

/* NAME{|NAME}[=PATTERN{|PATTERN}]; the name of what is no option by its dash ends in "=" itself ("of=PATTERN"). */
static bool add_flag(struct work *work, const struct setting *flag, uint32_t kind, uint32_t group)
{
	const char *equals = strchr(flag->text, '='), *values = equals && equals[1] ? equals + 1 : NULL;
	bool dashed = *flag->text == '-' || *flag->text == '+';
	const char *end = equals ? equals + !dashed : flag->text + strlen(flag->text);

	for (const char *at = flag->text; at < end;) {
		const char *bar = memchr(at, '|', (size_t)(end - at));
		size_t size = bar ? (size_t)(bar - at) : (size_t)(end - at);

		if (!size)
			return failure_set(work->failure, "%s:%u: %s: has an empty name beside \"|\"", flag->file,
					   flag->line, flag->text);
		add_flag_name(work, at, size, values, kind, group);
		at += size + 1;
	}
	return true;
}

static bool add_flags(struct work *work, const struct setting *list)
{
	SETTING_EACH(flag, list)
	if (!add_flag(work, flag, IMAGE_CONDITION_FLAG, work->shape.groups++))
		return false;
	return true;
}

/* PATTERN{|PATTERN}, or "@denied". */
static void add_operands(struct work *work, const struct setting *list)
{
	SETTING_EACH(operand, list)
	{
		uint32_t group = work->shape.groups++;
		const char *at = operand->text;

		if (!strcmp(at, "@denied")) {
			add_condition(work, &(struct image_condition){.kind = IMAGE_CONDITION_DENIED, .group = group});
			continue;
		}
		do {
			size_t size = strcspn(at, "|");

			add_condition(work, &(struct image_condition){
						    .kind = IMAGE_CONDITION_OPERAND,
						    .group = group,
						    .value = builder_string_length(work->builder, at, size),
					    });
			at += size;
		} while (*at++);
	}
}

static uint32_t where_of(const struct setting *entry)
{
	static const struct {
		const char *word;
		uint32_t flag;
	} words[] = {{"broad", IMAGE_SHAPE_BROAD}, {"direct", IMAGE_SHAPE_DIRECT}, {"outside", IMAGE_SHAPE_OUTSIDE}};
	const char *where = setting_text(entry, "where", "any");

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(where, words[i].word))
			return words[i].flag;
	return 0;
}

bool compile_tool_shape(struct builder *builder, struct draft_sheet *sheet, const struct setting *entry,
			struct failure *failure)
{
	struct work work = {
		.builder = builder,
		.sheet = sheet,
		.failure = failure,
		.shape = {.origin = sheet->record.origin, .reason = sheet->record.reason},
	};
	int64_t least = setting_integer(entry, "least", 0);

	work.shape.condition_first = builder_count(builder, IMAGE_SECTION_tool_conditions);
	work.shape.flags = where_of(entry);
	work.shape.implied = builder_string(builder, setting_text(entry, "implied", ""));
	if (!add_flags(&work, setting_member(entry, "flags")))
		return false;
	add_operands(&work, setting_member(entry, "operands"));
	SETTING_EACH(flag, setting_member(entry, "without"))
	if (!add_flag(&work, flag, IMAGE_CONDITION_WITHOUT, 0))
		return false;
	SETTING_EACH(flag, setting_member(entry, "chosen"))
	{
		work.shape.flags |= IMAGE_SHAPE_CHOOSES;
		if (!add_flag(&work, flag, IMAGE_CONDITION_CHOICE, 0))
			return false;
	}
	if (least)
		add_condition(&work, &(struct image_condition){.kind = IMAGE_CONDITION_COUNT, .group = (uint32_t)least});
	if (work.shape.groups > IMAGE_SHAPE_GROUPS)
		return failure_set(failure, "%s:%u: more than %u flags and operands in one entry", entry->file,
				   entry->line, IMAGE_SHAPE_GROUPS);
	*(struct image_shape *)draft_list_add(&sheet->shapes, sizeof(work.shape)) = work.shape;
	return true;
}
