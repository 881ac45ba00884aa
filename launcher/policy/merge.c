/* SPDX-License-Identifier: MIT */
/* Lays a policy over its base. Both have passed the schema. */
#include "policy/merge.h"

#include <string.h>

/* What "!entry" calls an entry of a list. */
static const char *entry_name(const struct setting *entry)
{
	const char *name = entry->text;

	if (entry->kind == SETTING_GROUP)
		name = setting_text(entry, "name", setting_text(entry, "path", NULL));
	return name ? name : "";
}

static const char *dropped_name(const struct setting *entry)
{
	return entry->kind == SETTING_STRING && entry->text[0] == '!' ? entry->text + 1 : NULL;
}

static bool is_dropped(const struct setting *inherited, const struct setting *above)
{
	SETTING_EACH(entry, above)
	{
		const char *name = dropped_name(entry);

		if (name && !strcmp(name, entry_name(inherited)))
			return true;
	}
	return false;
}

static bool drops_something(const struct setting *base, const char *name)
{
	SETTING_EACH(inherited, base)
	if (!strcmp(name, entry_name(inherited)))
		return true;
	return false;
}

static struct setting *merge_lists(struct arena *arena, const struct setting *base,
				   const struct setting *above, struct failure *failure)
{
	struct setting *merged = setting_new(arena, SETTING_LIST, above->name, above->file, above->line);

	SETTING_EACH(inherited, base)
	if (!is_dropped(inherited, above))
		setting_append(merged, setting_copy(arena, inherited));
	SETTING_EACH(entry, above)
	{
		const char *name = dropped_name(entry);

		if (!name) {
			setting_append(merged, setting_copy(arena, entry));
		} else if (!drops_something(base, name)) {
			failure_set(failure, "%s:%u: \"!%s\" drops nothing: no inherited entry of %s is \"%s\"; "
					     "`bridle policy show` prints them",
				    entry->file, entry->line, name, above->name, name);
			return NULL;
		}
	}
	return merged;
}

static struct setting *merge_one(struct arena *arena, const struct setting *base, const struct setting *above,
				 struct failure *failure)
{
	if (above->kind == SETTING_GROUP)
		return merge_settings(arena, base, above, failure);
	if (above->kind == SETTING_LIST)
		return merge_lists(arena, base, above, failure);
	return setting_copy(arena, above);
}

struct setting *merge_settings(struct arena *arena, const struct setting *base, const struct setting *above,
			       struct failure *failure)
{
	struct setting *merged = setting_new(arena, SETTING_GROUP, above->name, above->file, above->line);

	SETTING_EACH(inherited, base)
	if (!setting_member(above, inherited->name))
		setting_append(merged, setting_copy(arena, inherited));
	SETTING_EACH(member, above)
	{
		struct setting *one = merge_one(arena, setting_member(base, member->name), member, failure);

		if (!one)
			return NULL;
		setting_append(merged, one);
	}
	return merged;
}
