/* SPDX-License-Identifier: MIT */
/* Builds the command's environment from the policy. */
#include "run/environment.h"

#include <stdlib.h>
#include <string.h>

#include "check/glob.h"
#include "inherit.h"

/* A list of NAME=value strings that it owns. */
struct variables {
	char **list; /* NULL-terminated */
	size_t count;
};

static size_t name_length(const char *variable)
{
	return strcspn(variable, "=");
}

static void drop(struct variables *variables, const char *name)
{
	size_t length = strlen(name), kept = 0;

	for (size_t i = 0; i < variables->count; i++) {
		char *one = variables->list[i];

		if (name_length(one) == length && !strncmp(one, name, length))
			free(one);
		else
			variables->list[kept++] = one;
	}
	variables->count = kept;
	if (variables->list)
		variables->list[kept] = NULL;
}

static bool add(struct variables *variables, char *variable)
{
	char **list = realloc(variables->list, (variables->count + 2) * sizeof(*list));

	if (!list || !variable) {
		if (list)
			variables->list = list;
		free(variable);
		return false;
	}
	variables->list = list;
	list[variables->count++] = variable;
	list[variables->count] = NULL;
	return true;
}

static bool set(struct variables *variables, const char *name, const char *value)
{
	size_t size = strlen(name) + strlen(value) + 2;
	char *variable = malloc(size);

	if (!variable)
		return false;
	drop(variables, name);
	strcpy(variable, name);
	strcat(variable, "=");
	strcat(variable, value);
	return add(variables, variable);
}

static bool is_inherited(const struct policy_environment *rules, const char *variable)
{
	for (char **glob = rules->inherit; glob && *glob; glob++)
		if (check_glob(*glob, variable, name_length(variable)))
			return true;
	return false;
}

static bool set_expanded(struct variables *variables, const struct policy_variable *variable,
			 const struct compile_context *context)
{
	char *value = compile_expand(variable->value, context);
	bool good = value && set(variables, variable->name, value);

	free(value);
	return good;
}

static bool fill(struct variables *variables, const struct policy *policy, const struct compile_context *context,
		 const struct session *session, const char *directory, char *const *from)
{
	const struct policy_environment *rules = policy_environment(policy);
	bool good = true;

	for (size_t i = 0; good && from[i]; i++)
		if (strchr(from[i], '=') && is_inherited(rules, from[i]))
			good = add(variables, strdup(from[i]));
	for (size_t i = 0; good && i < rules->set_count; i++)
		good = set_expanded(variables, &rules->set[i], context);
	if (good && directory && environment_get(variables->list, "PWD"))
		good = set(variables, "PWD", directory);
	if (good && session && policy_private_tmp(policy))
		good = set(variables, "TMPDIR", session->tmp);
	drop(variables, HANDOFF_SESSION);
	return good;
}

/* Moves the strings into one block: the vector first, then what the vector points to. */
static char **one_block(const struct variables *variables, const struct inherit *inherit)
{
	char *const none[] = {NULL}, *const *from = variables->list ? variables->list : none;
	size_t slots = (variables->count + 3) * sizeof(char *), text = 0;
	size_t added = inherit ? inherit_text_size(inherit, from) : 0;
	char **block, *copy;

	for (size_t i = 0; i < variables->count; i++)
		text += strlen(from[i]) + 1;
	block = malloc(slots + added + text);
	if (!block)
		return NULL;
	memcpy(block, from, (variables->count + 1) * sizeof(char *));
	if (inherit)
		inherit_build(inherit, from, block, (char *)block + slots);
	copy = (char *)block + slots + added;
	for (size_t i = 0; block[i]; i++) {
		if (block[i] >= (char *)block && block[i] < (char *)block + slots + added)
			continue; /* written by inherit_build */
		block[i] = strcpy(copy, block[i]);
		copy += strlen(copy) + 1;
	}
	return block;
}

char **environment_build(const struct policy *policy, const struct compile_context *context,
			 const struct session *session, const char *directory, char *const *from)
{
	struct variables variables = {NULL, 0};
	struct inherit inherit = {0};
	char **block = NULL;

	if (session) {
		inherit.preload = session->preload;
		inherit.session = session->chain;
	}
	if (fill(&variables, policy, context, session, directory, from))
		block = one_block(&variables, session ? &inherit : NULL);
	for (size_t i = 0; i < variables.count; i++)
		free(variables.list[i]);
	free(variables.list);
	return block;
}

const char *environment_get(char *const *environment, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; environment && environment[i]; i++)
		if (!strncmp(environment[i], name, length) && environment[i][length] == '=')
			return environment[i] + length + 1;
	return NULL;
}
