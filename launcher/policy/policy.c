/* SPDX-License-Identifier: MIT */
/* From a command line's choice to one merged, checked policy. */
#include "policy/policy.h"

#include <stdlib.h>
#include <string.h>

#include "policy/find.h"
#include "policy/layers.h"
#include "policy/setting.h"

#define DEFAULT_GRACE 2
#define DEFAULT_OUTPUT 65536

struct policy {
	struct layers layers;
	const char *root;
	enum policy_mode mode;
	struct policy_limits limits;
	struct policy_environment environment;
	struct policy_pin *pins;
	size_t pin_count;
};

static void fill_limits(struct policy *policy)
{
	const struct setting *from = setting_member(policy->layers.settings, "limits");

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
	const struct setting *inherit = setting_find(policy->layers.settings, "environment.inherit");
	const struct setting *set = setting_find(policy->layers.settings, "environment.set");
	struct policy_environment *environment = &policy->environment;
	size_t count = 0;

	environment->inherit = arena_take(policy->layers.arena, (setting_count(inherit) + 1) * sizeof(char *));
	SETTING_EACH(entry, inherit)
	environment->inherit[count++] = (char *)entry->text;
	environment->set = arena_take(policy->layers.arena, (setting_count(set) + 1) * sizeof(*environment->set));
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
		return arena_format(policy->layers.arena, "%s%s", home, path + 1);
	if (*path == '/')
		return arena_text(policy->layers.arena, path, strlen(path));
	return arena_format(policy->layers.arena, "%s/%s", policy->root, path + (strncmp(path, "./", 2) ? 0 : 2));
}

static void fill_pins(struct policy *policy)
{
	const struct setting *pins = setting_find(policy->layers.settings, "integrity.pins");

	policy->pins = arena_take(policy->layers.arena, (setting_count(pins) + 1) * sizeof(*policy->pins));
	SETTING_EACH(pin, pins)
	policy->pins[policy->pin_count++] = (struct policy_pin){
		pin_path(policy, setting_text(pin, "path", "")), (char *)setting_text(pin, "sha256", ""),
		pin->line};
}

static bool fill_mode(struct policy *policy, const struct policy_choice *choice, struct failure *failure)
{
	const char *mode = choice->mode ? choice->mode : setting_text(policy->layers.settings, "mode", "enforce");

	if (strcmp(mode, "enforce") && strcmp(mode, "audit"))
		return failure_set(failure, "--mode %s: must be enforce or audit", mode);
	policy->mode = strcmp(mode, "audit") ? POLICY_ENFORCE : POLICY_AUDIT;
	return true;
}

static bool load(struct policy *policy, const struct policy_choice *choice, struct failure *failure)
{
	if (!layers_load(&policy->layers, choice, failure) || !fill_mode(policy, choice, failure))
		return false;
	policy->root = find_root(policy->layers.arena, choice, &policy->layers.found, policy->layers.settings, failure);
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

	policy->layers.arena = arena;
	policy->layers.whole = whole;
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
		arena_free(policy->layers.arena);
}

const char *policy_name(const struct policy *policy)
{
	return policy->layers.found.name;
}

const char *policy_rules(const struct policy *policy)
{
	return policy->layers.rules;
}

const char *const *policy_allowed(const struct policy *policy, size_t *ret_count)
{
	*ret_count = policy->layers.allowed_count;
	return policy->layers.allowed;
}

const char *policy_file(const struct policy *policy)
{
	return policy->layers.found.file;
}

const char *policy_profile(const struct policy *policy)
{
	return policy->layers.profile;
}

const char *policy_root(const struct policy *policy)
{
	return policy->root;
}

const char *policy_untrusted(const struct policy *policy)
{
	return policy->layers.untrusted;
}

enum policy_mode policy_mode(const struct policy *policy)
{
	return policy->mode;
}

enum policy_uncovered policy_uncovered(const struct policy *policy)
{
	const char *word = setting_text(setting_member(policy->layers.settings, "coverage"), "uncovered", "report");

	return *word == 'd' ? POLICY_UNCOVERED_DENY : *word == 'a' ? POLICY_UNCOVERED_ALLOW
								   : POLICY_UNCOVERED_REPORT;
}

enum policy_backstop policy_backstop(const struct policy *policy)
{
	const char *word = setting_text(setting_member(policy->layers.settings, "coverage"), "backstop", "auto");

	return !strcmp(word, "on") ? POLICY_BACKSTOP_ON : *word == 'o' ? POLICY_BACKSTOP_OFF
								       : POLICY_BACKSTOP_AUTO;
}

bool policy_judges_libc(const struct policy *policy)
{
	return *setting_text(setting_member(policy->layers.settings, "coverage"), "libc", "trusted") == 'j';
}

bool policy_landlock(const struct policy *policy)
{
	return !strcmp(setting_text(setting_member(policy->layers.settings, "coverage"), "landlock", "off"), "on");
}

bool policy_private_tmp(const struct policy *policy)
{
	return *setting_text(setting_member(policy->layers.settings, "paths"), "tmp", "shared") == 'p';
}

bool policy_report_all(const struct policy *policy)
{
	return *setting_text(setting_member(policy->layers.settings, "report"), "level", "violations") == 'a';
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
	return policy->layers.settings;
}

const char *const *policy_sources(const struct policy *policy)
{
	return policy->layers.sources;
}

const struct policy_pin *policy_pins(const struct policy *policy, size_t *ret_count)
{
	*ret_count = policy->pin_count;
	return policy->pins;
}
