/* SPDX-License-Identifier: MIT */
/* From a command line's choice to one merged, checked policy. */
#include "policy/policy.h"

#include <stdlib.h>
#include <string.h>

#include "compile/rules.h"
#include "policy/embedded.h"
#include "policy/find.h"
#include "policy/merge.h"
#include "policy/override.h"
#include "policy/read.h"
#include "policy/schema.h"
#include "policy/setting.h"
#include "policy/source.h"
#include "policy/trust.h"

#define EXTENDS_DEPTH 8
#define DEFAULT_GRACE 2
#define DEFAULT_OUTPUT 65536

struct policy {
	struct arena *arena;
	struct found_policy found;
	struct setting *settings;
	const char *profile, *root, *untrusted;
	const char *rules;    /* the part left out because it is compiled already */
	bool whole;           /* nothing is left out */
	const char **allowed; /* "!dd" in names.deny, where "dd" stands in what is left out */
	size_t allowed_count;
	const char **sources;
	size_t source_count;
	enum policy_mode mode;
	struct policy_limits limits;
	struct policy_environment environment;
	struct policy_pin *pins;
	size_t pin_count;
};

static void add_source(struct policy *policy, const char *path)
{
	const char **sources;

	for (size_t i = 0; i < policy->source_count; i++)
		if (!strcmp(policy->sources[i], path))
			return;
	sources = arena_take(policy->arena, (policy->source_count + 2) * sizeof(*sources));
	if (policy->source_count)
		memcpy(sources, policy->sources, policy->source_count * sizeof(*sources));
	sources[policy->source_count++] = path;
	policy->sources = sources;
}

/* The policy file and its parts, under every name by which they could be written. */
static void note_sources(struct policy *policy, const struct source *source)
{
	add_source(policy, policy->found.file);
	for (size_t i = 0; i < source->count; i++) {
		const char *file = source->lines[i].file;
		char *real;

		if (i && file == source->lines[i - 1].file)
			continue;
		real = realpath(file, NULL);
		if (*file == '/')
			add_source(policy, file);
		if (real)
			add_source(policy, arena_text(policy->arena, real, strlen(real)));
		free(real);
	}
}

static size_t count_of(const struct setting *list)
{
	size_t count = 0;

	SETTING_EACH(entry, list)
	count++;
	return count;
}

static bool is_entry(const struct setting *list, const char *text)
{
	SETTING_EACH(entry, list)
	if (!strcmp(entry->text, text))
		return true;
	return false;
}

static bool is_allowed(const struct policy *policy, const char *name)
{
	for (size_t i = 0; i < policy->allowed_count; i++)
		if (!strcmp(policy->allowed[i], name))
			return true;
	return false;
}

/*
 * Takes "!NAME" out of names.deny where NAME is denied by what is left out. What the base drops too, or an entry that
 * comes twice, stays for the merge to judge.
 */
static void take_allowed(struct policy *policy, const struct setting *base, const struct setting *above)
{
	struct setting *list = setting_find(above, "names.deny"), *last = NULL;
	const struct setting *inherited = setting_find(base, "names.deny");
	const char **allowed;

	if (!list || !policy->rules)
		return;
	allowed = arena_take(policy->arena, (policy->allowed_count + count_of(list) + 1) * sizeof(*allowed));
	if (policy->allowed_count)
		memcpy(allowed, policy->allowed, policy->allowed_count * sizeof(*allowed));
	policy->allowed = allowed;
	for (struct setting **at = &list->first; *at;) {
		const char *name = (*at)->text[0] == '!' ? (*at)->text + 1 : NULL;

		if (name && !is_entry(inherited, name) && !is_allowed(policy, name) &&
		    rules_deny(rules_image(policy->rules), name)) {
			policy->allowed[policy->allowed_count++] = name;
			*at = (*at)->next;
		} else {
			last = *at;
			at = &(*at)->next;
		}
	}
	list->last = last;
}

/* Lays settings that were just read over what they extend. */
static struct setting *lay_over(struct policy *policy, const struct setting *base, const struct setting *above,
				struct failure *failure)
{
	take_allowed(policy, base, above);
	return merge_settings(policy->arena, base, above, failure);
}

static struct setting *load_profile(struct policy *policy, const char *profile, int depth,
				    struct failure *failure);

/* Reads and checks one text and lays it over what it extends. */
static struct setting *load_source(struct policy *policy, const struct source *source, const char *fallback,
				   int depth, struct failure *failure)
{
	struct setting *top = read_settings(policy->arena, source, failure), *base = NULL;
	const struct setting *extends;
	const char *profile;

	if (!top || !schema_check(top, failure))
		return NULL;
	extends = setting_member(top, "extends");
	profile = extends ? extends->text : fallback;
	if (!depth)
		policy->profile = profile;
	if (extends && strcmp(profile, "none") && !source_profile_text(profile)) {
		failure_set(failure, "%s:%u: extends \"%s\": no built-in profile is called so; there are: %s, none",
			    extends->file, extends->line, profile, source_profile_names(policy->arena));
		return NULL;
	}
	if (strcmp(profile, "none")) {
		base = load_profile(policy, profile, depth + 1, failure);
		if (!base)
			return NULL;
	}
	return lay_over(policy, base, top, failure);
}

static struct setting *load_profile(struct policy *policy, const char *profile, int depth,
				    struct failure *failure)
{
	struct source source;

	for (const struct embedded_settings *at = embedded_settings; at->profile && !policy->whole; at++) {
		if (strcmp(at->profile, profile))
			continue;
		policy->rules = at->rules;
		return at->top;
	}
	if (depth > EXTENDS_DEPTH) {
		failure_set(failure, "profile %s: extends itself", profile);
		return NULL;
	}
	if (!source_profile(policy->arena, profile, policy->whole ? NULL : &policy->rules, &source, failure))
		return NULL;
	return load_source(policy, &source, "none", depth, failure);
}

/* Where the file that was found is not trusted, the built-in profile holds. */
static void drop_untrusted(struct policy *policy)
{
	const struct policy_choice nothing = {.profile = "tool"};
	bool here = !strchr(policy->found.name, '/');
	struct setting *top;
	struct source source;
	struct failure ignored;

	if (source_file(policy->arena, policy->found.name, &source, &ignored)) {
		if (trust_holds(policy->found.resolved, &source))
			return;
		top = read_settings(policy->arena, &source, &ignored);
		if (top && schema_check(top, &ignored) && trust_is_needless(top, &source, here))
			return;
	}
	policy->untrusted = policy->found.file;
	find_policy(policy->arena, &nothing, &policy->found, &ignored);
}

static bool load_settings(struct policy *policy, const struct policy_choice *choice, struct failure *failure)
{
	struct source source;

	if (policy->found.searched && !choice->untrusted)
		drop_untrusted(policy);
	if (policy->found.file) {
		if (!source_file(policy->arena, policy->found.name, &source, failure))
			return false;
		note_sources(policy, &source);
		policy->settings = load_source(policy, &source, "tool", 0, failure);
	} else {
		policy->settings = load_profile(policy, policy->found.profile, 1, failure);
		policy->profile = policy->found.profile;
	}
	for (size_t i = 0; policy->settings && choice->sets && choice->sets[i]; i++) {
		struct setting *set = override_read(policy->arena, choice->sets[i], failure);

		policy->settings = set ? lay_over(policy, policy->settings, set, failure) : NULL;
	}
	return policy->settings != NULL;
}

static void fill_limits(struct policy *policy)
{
	const struct setting *from = setting_member(policy->settings, "limits");

	policy->limits = (struct policy_limits){
		.wall_seconds = setting_real(from, "wall_seconds", 0),
		.grace_seconds = setting_real(from, "grace_seconds", DEFAULT_GRACE),
		.cpu_seconds = setting_integer(from, "cpu_seconds", 0),
		.memory_mb = setting_integer(from, "memory_mb", 0),
		.file_size_mb = setting_integer(from, "file_size_mb", 0),
		.open_files = setting_integer(from, "open_files", 0),
		.processes = setting_integer(from, "processes", 0),
		.output_bytes = setting_integer(from, "output_bytes", DEFAULT_OUTPUT),
	};
}

/* A name that is set twice gets the later value: a policy overrides its base. */
static void fill_environment(struct policy *policy)
{
	const struct setting *inherit = setting_find(policy->settings, "environment.inherit");
	const struct setting *set = setting_find(policy->settings, "environment.set");
	struct policy_environment *environment = &policy->environment;
	size_t count = 0;

	environment->inherit = arena_take(policy->arena, (count_of(inherit) + 1) * sizeof(char *));
	SETTING_EACH(entry, inherit)
	environment->inherit[count++] = (char *)entry->text;
	environment->set = arena_take(policy->arena, (count_of(set) + 1) * sizeof(*environment->set));
	SETTING_EACH(entry, set)
	{
		char *name = (char *)setting_text(entry, "name", "");
		size_t at = 0;

		while (at < environment->set_count && strcmp(environment->set[at].name, name))
			at++;
		environment->set[at] = (struct policy_variable){name, (char *)setting_text(entry, "value", "")};
		environment->set_count += at == environment->set_count;
	}
}

/* A pinned file is named like a path of the rules: absolute, below the home, or below the root. */
static char *pin_path(const struct policy *policy, const char *path)
{
	const char *home = getenv("HOME");

	if (!strncmp(path, "~/", 2) && home)
		return arena_format(policy->arena, "%s%s", home, path + 1);
	if (*path == '/')
		return arena_text(policy->arena, path, strlen(path));
	return arena_format(policy->arena, "%s/%s", policy->root, path + (strncmp(path, "./", 2) ? 0 : 2));
}

static void fill_pins(struct policy *policy)
{
	const struct setting *pins = setting_find(policy->settings, "integrity.pins");

	policy->pins = arena_take(policy->arena, (count_of(pins) + 1) * sizeof(*policy->pins));
	SETTING_EACH(pin, pins)
	policy->pins[policy->pin_count++] = (struct policy_pin){
		pin_path(policy, setting_text(pin, "path", "")), (char *)setting_text(pin, "sha256", ""),
		pin->line};
}

static bool fill_mode(struct policy *policy, const struct policy_choice *choice, struct failure *failure)
{
	const char *mode = choice->mode ? choice->mode : setting_text(policy->settings, "mode", "enforce");

	if (strcmp(mode, "enforce") && strcmp(mode, "audit"))
		return failure_set(failure, "--mode %s: must be enforce or audit", mode);
	policy->mode = strcmp(mode, "audit") ? POLICY_ENFORCE : POLICY_AUDIT;
	return true;
}

static bool load(struct policy *policy, const struct policy_choice *choice, struct failure *failure)
{
	static const char *const none = NULL;

	policy->sources = (const char **)&none;
	if (!find_policy(policy->arena, choice, &policy->found, failure) ||
	    !load_settings(policy, choice, failure) || !fill_mode(policy, choice, failure))
		return false;
	policy->root = find_root(policy->arena, choice, &policy->found, policy->settings, failure);
	if (!policy->root)
		return false;
	fill_limits(policy);
	fill_environment(policy);
	fill_pins(policy);
	return true;
}

static struct policy *load_whole(const struct policy_choice *choice, bool whole, struct failure *failure)
{
	struct arena *arena = arena_new();
	struct policy *policy = arena_take(arena, sizeof(*policy));

	policy->arena = arena;
	policy->whole = whole;
	if (load(policy, choice, failure))
		return policy;
	arena_free(arena);
	return NULL;
}

/* What drops an inherited entry, and what complains of one, needs the inherited entries. */
struct policy *policy_load(const struct policy_choice *choice, struct failure *failure)
{
	struct policy *policy = choice->whole ? NULL : load_whole(choice, false, failure);

	if (policy)
		return policy;
	failure->text[0] = '\0';
	return load_whole(choice, true, failure);
}

void policy_free(struct policy *policy)
{
	if (policy)
		arena_free(policy->arena);
}

const char *policy_name(const struct policy *policy)
{
	return policy->found.name;
}

const char *policy_rules(const struct policy *policy)
{
	return policy->rules;
}

const char *const *policy_allowed(const struct policy *policy, size_t *ret_count)
{
	*ret_count = policy->allowed_count;
	return policy->allowed;
}

const char *policy_file(const struct policy *policy)
{
	return policy->found.file;
}

const char *policy_profile(const struct policy *policy)
{
	return policy->profile;
}

const char *policy_root(const struct policy *policy)
{
	return policy->root;
}

const char *policy_untrusted(const struct policy *policy)
{
	return policy->untrusted;
}

enum policy_mode policy_mode(const struct policy *policy)
{
	return policy->mode;
}

enum policy_uncovered policy_uncovered(const struct policy *policy)
{
	const char *word = setting_text(setting_member(policy->settings, "coverage"), "uncovered", "report");

	return *word == 'd' ? POLICY_UNCOVERED_DENY : *word == 'a' ? POLICY_UNCOVERED_ALLOW
								   : POLICY_UNCOVERED_REPORT;
}

enum policy_backstop policy_backstop(const struct policy *policy)
{
	const char *word = setting_text(setting_member(policy->settings, "coverage"), "backstop", "auto");

	return !strcmp(word, "on") ? POLICY_BACKSTOP_ON : *word == 'o' ? POLICY_BACKSTOP_OFF
								       : POLICY_BACKSTOP_AUTO;
}

bool policy_landlock(const struct policy *policy)
{
	return !strcmp(setting_text(setting_member(policy->settings, "coverage"), "landlock", "off"), "on");
}

bool policy_private_tmp(const struct policy *policy)
{
	return *setting_text(setting_member(policy->settings, "paths"), "tmp", "shared") == 'p';
}

bool policy_report_all(const struct policy *policy)
{
	return *setting_text(setting_member(policy->settings, "report"), "level", "violations") == 'a';
}

const struct policy_limits *policy_limits(const struct policy *policy)
{
	return &policy->limits;
}

const struct policy_environment *policy_environment(const struct policy *policy)
{
	return &policy->environment;
}

const struct setting *policy_settings(const struct policy *policy)
{
	return policy->settings;
}

const char *const *policy_sources(const struct policy *policy)
{
	return policy->sources;
}

const struct policy_pin *policy_pins(const struct policy *policy, size_t *ret_count)
{
	*ret_count = policy->pin_count;
	return policy->pins;
}
