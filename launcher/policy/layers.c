/* SPDX-License-Identifier: MIT */
/* From a command line's choice to one merged tree of settings. */
#include "policy/layers.h"

#include <stdlib.h>
#include <string.h>

#include "compile/rules.h"
#include "policy/embedded.h"
#include "policy/merge.h"
#include "policy/override.h"
#include "policy/read.h"
#include "policy/schema.h"
#include "policy/source.h"
#include "policy/trust.h"

#define EXTENDS_DEPTH 8

static void add_source(struct layers *layers, const char *path)
{
	const char **sources;

	for (size_t i = 0; i < layers->source_count; i++)
		if (!strcmp(layers->sources[i], path))
			return;
	sources = arena_take(layers->arena, (layers->source_count + 2) * sizeof(*sources));
	if (layers->source_count)
		memcpy(sources, layers->sources, layers->source_count * sizeof(*sources));
	sources[layers->source_count++] = path;
	layers->sources = sources;
}

/* The policy file and its parts, under every name by which they could be written. */
static void note_sources(struct layers *layers, const struct source *source)
{
	add_source(layers, layers->found.file);
	for (size_t i = 0; i < source->count; i++) {
		const char *file = source->lines[i].file;
		char *real;

		if (i && file == source->lines[i - 1].file)
			continue;
		real = realpath(file, NULL);
		if (*file == '/')
			add_source(layers, file);
		if (real)
			add_source(layers, arena_text(layers->arena, real, strlen(real)));
		free(real);
	}
}

static bool is_entry(const struct setting *list, const char *text)
{
	SETTING_EACH(entry, list)
	if (!strcmp(entry->text, text))
		return true;
	return false;
}

static bool is_allowed(const struct layers *layers, const char *name)
{
	for (size_t i = 0; i < layers->allowed_count; i++)
		if (!strcmp(layers->allowed[i], name))
			return true;
	return false;
}

/*
 * Takes "!NAME" out of names.deny where NAME is denied by what is left out. What the base drops too, or an entry that
 * comes twice, stays for the merge to judge.
 */
static void take_allowed(struct layers *layers, const struct setting *base, const struct setting *above)
{
	struct setting *list = setting_find(above, "names.deny"), *last = NULL;
	const struct setting *inherited = setting_find(base, "names.deny");
	const char **allowed;

	if (!list || !layers->rules)
		return;
	allowed = arena_take(layers->arena, (layers->allowed_count + setting_count(list) + 1) * sizeof(*allowed));
	if (layers->allowed_count)
		memcpy(allowed, layers->allowed, layers->allowed_count * sizeof(*allowed));
	layers->allowed = allowed;
	for (struct setting **at = &list->first; *at;) {
		const char *name = (*at)->text[0] == '!' ? (*at)->text + 1 : NULL;

		if (name && !is_entry(inherited, name) && !is_allowed(layers, name) &&
		    rules_deny(rules_image(layers->rules), name)) {
			layers->allowed[layers->allowed_count++] = name;
			*at = (*at)->next;
		} else {
			last = *at;
			at = &(*at)->next;
		}
	}
	list->last = last;
}

/* Lays settings that were just read over what they extend. */
static struct setting *lay_over(struct layers *layers, const struct setting *base, const struct setting *above,
				struct failure *failure)
{
	take_allowed(layers, base, above);
	return merge_settings(layers->arena, base, above, failure);
}

static struct setting *load_profile(struct layers *layers, const char *profile, int depth,
				    struct failure *failure);

/* Reads and checks one text and lays it over what it extends. */
static struct setting *load_source(struct layers *layers, const struct source *source, const char *fallback,
				   int depth, struct failure *failure)
{
	struct setting *top = read_settings(layers->arena, source, failure), *base = NULL;
	const struct setting *extends;
	const char *profile;

	if (!top || !schema_check(top, failure))
		return NULL;
	extends = setting_member(top, "extends");
	profile = extends ? extends->text : fallback;
	if (!depth)
		layers->profile = profile;
	if (extends && strcmp(profile, "none") && !source_profile_text(profile)) {
		failure_set(failure, "%s:%u: extends \"%s\": no built-in profile is called so; there are: %s, none",
			    extends->file, extends->line, profile, source_profile_names(layers->arena));
		return NULL;
	}
	if (strcmp(profile, "none")) {
		base = load_profile(layers, profile, depth + 1, failure);
		if (!base)
			return NULL;
	}
	return lay_over(layers, base, top, failure);
}

static struct setting *load_profile(struct layers *layers, const char *profile, int depth,
				    struct failure *failure)
{
	struct source source;

	for (const struct embedded_settings *at = embedded_settings; at->profile && !layers->whole; at++) {
		if (strcmp(at->profile, profile))
			continue;
		layers->rules = at->rules;
		return at->top;
	}
	if (depth > EXTENDS_DEPTH) {
		failure_set(failure, "profile %s: extends itself", profile);
		return NULL;
	}
	if (!source_profile(layers->arena, profile, layers->whole ? NULL : &layers->rules, &source, failure))
		return NULL;
	return load_source(layers, &source, "none", depth, failure);
}

/* Where the file that was found is not trusted, the built-in profile holds. */
static void drop_untrusted(struct layers *layers)
{
	const struct policy_choice nothing = {.profile = "tool"};
	bool here = !strchr(layers->found.name, '/');
	struct setting *top;
	struct source source;
	struct failure ignored;

	if (source_file(layers->arena, layers->found.name, &source, &ignored)) {
		if (trust_holds(layers->found.place, &source))
			return;
		top = read_settings(layers->arena, &source, &ignored);
		if (top && schema_check(top, &ignored) && trust_is_needless(top, &source, here))
			return;
	}
	layers->untrusted = layers->found.file;
	find_policy(layers->arena, &nothing, &layers->found, &ignored);
}

bool layers_load(struct layers *layers, const struct policy_choice *choice, struct failure *failure)
{
	static const char *const none = NULL;
	struct source source;

	layers->sources = (const char **)&none;
	if (!find_policy(layers->arena, choice, &layers->found, failure))
		return false;
	if (layers->found.searched && !choice->untrusted)
		drop_untrusted(layers);
	if (layers->found.file) {
		if (!source_file(layers->arena, layers->found.name, &source, failure))
			return false;
		note_sources(layers, &source);
		layers->settings = load_source(layers, &source, "tool", 0, failure);
	} else {
		layers->settings = load_profile(layers, layers->found.profile, 1, failure);
		layers->profile = layers->found.profile;
	}
	for (size_t i = 0; layers->settings && choice->sets && choice->sets[i]; i++) {
		struct setting *set = override_read(layers->arena, choice->sets[i], failure);

		layers->settings = set ? lay_over(layers, layers->settings, set, failure) : NULL;
	}
	return layers->settings != NULL;
}
