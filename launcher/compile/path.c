/* SPDX-License-Identifier: MIT */
/* From the policy's path entries to patterns in the trie. */
#include "compile/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/glob.h"
#include "compile/home.h"
#include "compile/path_pattern.h"
#include "compile/trie.h"
#include "handoff.h"
#include "policy/setting.h"
#include "policy/trust.h"
#include "policy/values.h"

struct work {
	struct trie trie;
	const struct policy *policy;
	const struct compile_context *context;
	struct homes homes;
	struct resolver resolver;
	struct failure *failure;
};

static uint32_t walk_pattern(struct work *work, const struct path_pattern *pattern)
{
	uint32_t node = IMAGE_PATH_ROOT;

	for (size_t i = 0; i < pattern->count; i++) {
		const struct path_pattern_component *component = &pattern->components[i];

		if (component->kind == PATH_PATTERN_DEEP)
			node = trie_deep(&work->trie, node);
		else
			node = trie_step(&work->trie, node, component->text, component->length,
					 component->kind == PATH_PATTERN_GLOB);
	}
	return node;
}

static bool add_tree(struct work *work, const struct path_pattern *pattern, const struct trie_rule *rule)
{
	if (pattern->count > TRIE_DEPTH)
		return failure_set(work->failure, "%s: a path of more than %d components", policy_name(work->policy),
				   TRIE_DEPTH);
	if (rule->verdict == IMAGE_PATH_NONE)
		trie_list(&work->trie, walk_pattern(work, pattern), rule);
	else
		trie_tree(&work->trie, walk_pattern(work, pattern), rule, path_pattern_is_literal(pattern));
	return true;
}

/* As given and as the file system has it. */
static bool add_pattern(struct work *work, struct path_pattern *pattern, const struct trie_rule *rule)
{
	struct path_pattern resolved;

	bool good = add_tree(work, pattern, rule);

	if (good && path_pattern_resolve(pattern, &work->resolver, &resolved)) {
		good = add_tree(work, &resolved, rule);
		path_pattern_free(&resolved);
	}
	return good;
}

static bool add_literal(struct work *work, const char *path, const struct trie_rule *rule)
{
	struct path_pattern pattern;
	bool good;

	path_pattern_start(&pattern);
	path_pattern_add_path(&pattern, path, false);
	good = add_pattern(work, &pattern, rule);
	path_pattern_free(&pattern);
	return good;
}

/* A tree that holds the home never comes in through "${PATH}". resolved: no symlink is on the path. */
static bool add_program_tree(struct work *work, const char *path, bool resolved, const struct trie_rule *rule)
{
	char *real = resolved ? NULL : resolver_real(&work->resolver, path);
	bool wanted = !homes_within(&work->homes, path) && (!real || !homes_within(&work->homes, real));

	free(real);
	return !wanted || add_literal(work, path, rule);
}

static bool add_program_folder(struct work *work, const char *folder, bool resolved, const struct trie_rule *rule)
{
	static const char *const names[] = {"bin", "sbin", "shims", "libexec"};
	const char *slash = strrchr(folder, '/');
	char *parent;
	bool good;

	if (!add_program_tree(work, folder, resolved, rule))
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(slash + 1, names[i]))
			continue;
		parent = strndup(folder, (size_t)(slash - folder));
		good = !parent || !*parent || add_program_tree(work, parent, resolved, rule);
		free(parent);
		return good;
	}
	return true;
}

/* Both as PATH spells the folder and as it resolves: ~/bin -> ~/.tool/bin means ~/.tool. */
static bool add_program_trees(struct work *work, const struct trie_rule *rule)
{
	const char *at = work->context->path ? work->context->path : "";
	bool good = true;

	for (; *at && good; at += strcspn(at, ":"), at += *at == ':') {
		size_t length = strcspn(at, ":");
		char *folder, *real;

		while (length > 1 && at[length - 1] == '/')
			length--;
		if (*at != '/' || !length)
			continue;
		folder = strndup(at, length);
		real = folder ? resolver_real(&work->resolver, folder) : NULL;
		if (real)
			good = add_program_folder(work, real, true, rule) &&
			       (!strcmp(real, folder) || add_program_folder(work, folder, false, rule));
		free(real);
		free(folder);
	}
	return good;
}

/* The start of the entry that stands for another path, into the pattern; NULL: it has no meaning in this run. */
static const char *add_start(const struct work *work, struct path_pattern *pattern, const char *home,
			     const char *text)
{
	const char *base = NULL;
	size_t skip = 0;

	if (*text == '~') {
		base = home;
		skip = 1;
	} else if (!strncmp(text, "${TMPDIR}", 9)) {
		base = work->context->tmpdir;
		skip = 9;
	} else if (*text != '/' && strncmp(text, "**/", 3) && strcmp(text, "**")) {
		base = policy_root(work->policy);
	} else {
		return text;
	}
	if (!base || *base != '/')
		return NULL;
	path_pattern_add_path(pattern, base, false);
	return text + skip;
}

static bool add_spelt(struct work *work, const struct setting *entry, const char *home,
		      const struct trie_rule *rule)
{
	struct path_pattern pattern;
	const char *rest;
	bool good = true;

	path_pattern_start(&pattern);
	rest = add_start(work, &pattern, home, entry->text);
	if (rest && !path_pattern_add_path(&pattern, rest, true))
		good = failure_set(work->failure, "%s:%u: \"%s\" goes up with \"..\" behind a pattern", entry->file,
				   entry->line, entry->text);
	else if (rest)
		good = add_pattern(work, &pattern, rule);
	path_pattern_free(&pattern);
	return good;
}

static bool add_entry(struct work *work, const struct setting *entry, enum image_path_verdict verdict)
{
	struct trie_rule rule = {verdict, builder_origin(work->trie.builder, entry->file, entry->line), 0};
	const char *text = entry->text;

	if (!strcmp(text, "${PATH}"))
		return add_program_trees(work, &rule);
	if (path_is_basename(text)) {
		trie_base(&work->trie,
			  trie_step(&work->trie, IMAGE_PATH_ANYWHERE, text, strlen(text),
				    check_glob_is_pattern(text)),
			  verdict, rule.origin);
		return true;
	}
	if (*text == '~' && verdict >= IMAGE_PATH_HIDE && work->homes.table &&
	    !add_spelt(work, entry, work->homes.table, &rule))
		return false;
	return add_spelt(work, entry, work->homes.given, &rule);
}

/* verdict: NONE where the entries may only be listed. */
static bool add_list(struct work *work, const char *key, enum image_path_verdict verdict)
{
	SETTING_EACH(entry, setting_find(policy_settings(work->policy), key))
	if (!add_entry(work, entry, verdict))
		return false;
	return true;
}

static bool add_flag(struct work *work, const char *path, uint32_t flag, const char *reason)
{
	struct path_pattern pattern;
	struct image_path_node *node;
	bool good;

	path_pattern_start(&pattern);
	path_pattern_add_path(&pattern, path, false);
	good = pattern.count <= TRIE_DEPTH;
	if (good) {
		uint32_t at = walk_pattern(work, &pattern); /* may move the nodes */

		node = &work->trie.nodes[at];
		node->flags |= flag;
		if (reason)
			node->reason = builder_string(work->trie.builder, reason);
	} else {
		failure_set(work->failure, "%s: a path of more than %d components", path, TRIE_DEPTH);
	}
	path_pattern_free(&pattern);
	return good;
}

/* No deny by basename shuts the root: it was named. */
static bool mark_root(struct work *work)
{
	char *path = strdup(policy_root(work->policy));
	bool good = path != NULL;

	while (good && path[0] && path[1]) {
		good = add_flag(work, path, IMAGE_NODE_ABOVE, NULL);
		*strrchr(path, '/') = '\0';
	}
	free(path);
	return good;
}

/* Nor is the list of policies that its user trusts, however the home is given away. */
static bool lock_trust(struct work *work)
{
	static const char *const names[] = {TRUST_FOLDER, TRUST_LIST, TRUST_LIST ".new"};
	static const char reason[] = "which policies are trusted is said outside of a session";
	const char *home = work->context->home;
	bool good = true;

	for (size_t i = 0; good && home && home[0] == '/' && i < sizeof(names) / sizeof(names[0]); i++) {
		char *path = NULL, *leads = NULL;

		good = asprintf(&path, "%s/%s", home, names[i]) > 0 && add_flag(work, path, IMAGE_NODE_LOCKED, reason);
		leads = good ? resolver_follow(&work->resolver, path) : NULL;
		if (leads)
			good = add_flag(work, leads, IMAGE_NODE_LOCKED, reason);
		free(leads);
		free(path);
	}
	return good;
}

static bool lock_policy(struct work *work)
{
	for (const char *const *file = policy_sources(work->policy); *file; file++)
		if (!add_flag(work, *file, IMAGE_NODE_LOCKED,
			      "the policy in use is never writable: change it outside of the session"))
			return false;
	return true;
}

/* The session's folder is bridle's; programs get its temporary folder and see the library that they carry. */
static bool add_session(struct work *work)
{
	static const struct {
		const char *name;
		enum image_path_verdict verdict;
		const char *reason;
	} parts[] = {{"", IMAGE_PATH_DENY, "this folder is bridle's own, of the running session"},
		     {"/" SESSION_TMP, IMAGE_PATH_WRITE, NULL},
		     {"/" SESSION_LIBRARY, IMAGE_PATH_READ, NULL}};
	const char *session = work->context->session;

	for (size_t i = 0; session && i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct trie_rule rule = {parts[i].verdict, 0, builder_string(work->trie.builder, parts[i].reason)};
		char *path;
		bool good;

		if (asprintf(&path, "%s%s", session, parts[i].name) < 0)
			abort();
		good = add_literal(work, path, &rule);
		free(path);
		if (!good)
			return false;
	}
	return true;
}

bool compile_paths(struct builder *builder, const struct policy *policy, const struct compile_context *context,
		   struct failure *failure)
{
	struct work work = {.policy = policy, .context = context, .failure = failure};
	bool good;

	trie_start(&work.trie, builder);
	homes_find(&work.homes, context->home);
	resolver_start(&work.resolver);
	good = add_list(&work, "paths.list", IMAGE_PATH_NONE) &&
	       add_list(&work, "paths.read", IMAGE_PATH_READ) &&
	       add_list(&work, "paths.write", IMAGE_PATH_WRITE) &&
	       add_list(&work, "paths.hide", IMAGE_PATH_HIDE) &&
	       add_list(&work, "paths.deny", IMAGE_PATH_DENY) && add_session(&work) &&
	       mark_root(&work) && lock_policy(&work) && lock_trust(&work);
	if (good && trie_bound(&work.trie) > IMAGE_PATH_ACTIVE)
		good = failure_set(failure, "%s: its path patterns with \"*\" and \"**\" before further components "
					    "overlap too much to be checked in bounded time; use fewer of them",
				   policy_name(policy));
	if (good)
		trie_finish(&work.trie);
	trie_free(&work.trie);
	resolver_free(&work.resolver);
	homes_free(&work.homes);
	return good;
}
