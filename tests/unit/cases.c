/* SPDX-License-Identifier: MIT */
/* The examples of the built-in profiles, and the labelled commands of tests/cases against tests/cases/corpus.cfg. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/command.h"
#include "compile/commands.h"
#include "compile/compile.h"
#include "policy/policy.h"

#define WORDS_MAX 64

static struct image *compiled(const struct policy_choice *choice, struct policy **ret_policy, size_t *ret_size)
{
	struct compile_context context = {.home = "/home/dev", .tmpdir = "/tmp", .path = ""};
	struct failure failure = {""};
	void *image;

	*ret_policy = policy_load(choice, &failure);
	cr_assert_not_null(*ret_policy, "%s", failure.text);
	cr_assert(compile_image(*ret_policy, &context, &image, ret_size, &failure), "%s", failure.text);
	return image;
}

Test(cases, examples_of_profiles)
{
	static const char *const profiles[] = {"tool", "agent", "code"};

	for (size_t i = 0; i < 3; i++) {
		struct policy_choice choice = {.profile = profiles[i], .root = "/", .whole = true};
		struct failure failure = {""};
		struct policy *policy;
		size_t size, count;
		struct image *image = compiled(&choice, &policy, &size);

		cr_expect(compile_examples(policy, image, size, &count, &failure), "%s", failure.text);
		cr_expect_gt(count, 500, "%zu examples", count);
		free(image);
		policy_free(policy);
	}
}

/* Rules that were compiled when bridle was built decide like rules that are read now. */
static bool refused(const struct image *image, json_t *argv)
{
	const char *words[WORDS_MAX + 1] = {NULL};
	struct command command = {.argv = (char *const *)words, .launch = true};

	for (; command.argc < json_array_size(argv) && command.argc < WORDS_MAX; command.argc++)
		words[command.argc] = json_string_value(json_array_get(argv, command.argc));
	command.program = words[0];
	return check_command(image, &command).denied;
}

Test(cases, commands)
{
	struct policy_choice choice = {.file = "tests/cases/corpus.cfg", .root = "/"};
	FILE *stream = fopen("tests/cases/commands.jsonl", "re");
	struct policy *policy, *whole_policy;
	struct image *image, *whole;
	char *line = NULL;
	size_t room = 0, size;

	cr_assert_not_null(stream, "run from the top of the tree");
	image = compiled(&choice, &policy, &size);
	choice.whole = true;
	whole = compiled(&choice, &whole_policy, &size);
	cr_expect_not_null(policy_rules(policy));
	cr_expect_null(policy_rules(whole_policy));
	while (getline(&line, &room, stream) > 0) {
		json_t *entry = json_loads(line, 0, NULL);
		bool wanted = !strcmp(json_string_value(json_object_get(entry, "expect")), "deny");

		cr_expect_eq(refused(image, json_object_get(entry, "argv")), wanted, "%s", line);
		cr_expect_eq(refused(whole, json_object_get(entry, "argv")), wanted, "read now: %s", line);
		json_decref(entry);
	}
	free(line);
	fclose(stream);
	free(image);
	free(whole);
	policy_free(policy);
	policy_free(whole_policy);
}
