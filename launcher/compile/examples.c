/* SPDX-License-Identifier: MIT */
/* The examples that entries carry, run against the compiled policy. */
#include <stdlib.h>
#include <string.h>

#include "check/command.h"
#include "compile/commands.h"

#define WORDS_MAX 256

struct run {
	const struct image *image;
	struct failure *failure;
	size_t count, failed;
};

static void complain(struct run *run, const struct setting *example, const char *const *argv, size_t argc,
		     bool refused)
{
	char words[256] = "", before[sizeof(run->failure->text)];

	for (size_t i = 0; i < argc; i++) {
		size_t used = strlen(words);

		if (used + strlen(argv[i]) + 2 < sizeof(words)) {
			words[used] = ' ';
			strcpy(words + used + (i > 0), argv[i]);
		}
	}
	memcpy(before, run->failure->text, sizeof(before));
	failure_set(run->failure, "%s%s%s:%u: example \"%s\" is %s", run->failed ? before : "", run->failed ? "\n" : "",
		    example->file, example->line, words,
		    refused ? "refused, but stands in not_match" : "let pass, but stands in match");
	run->failed++;
}

static void run_example(struct run *run, const struct setting *example, bool expected)
{
	const char *argv[WORDS_MAX + 1];
	struct command command = {.launch = true};
	struct decision decision;

	SETTING_EACH(word, example)
	if (command.argc < WORDS_MAX)
		argv[command.argc++] = word->text;
	argv[command.argc] = NULL;
	command.argv = (char *const *)argv;
	command.program = command.argc ? argv[0] : "";
	decision = check_command(run->image, &command);
	run->count++;
	/* A policy may deny the name of a program that an inherited entry finds harmless in this shape. */
	if (!expected && decision.rule == RULE_NAME_DENYLIST)
		return;
	if (decision.denied != expected)
		complain(run, example, argv, command.argc, decision.denied);
}

/* An example of a variable is NAME=value in front of some command. */
static void run_variable(struct run *run, const struct setting *example, bool expected)
{
	bool refused = false;

	SETTING_EACH(word, example)
	refused |= strchr(word->text, '=') && check_variable(run->image, word->text).denied;
	run->count++;
	if (refused != expected)
		complain(run, example, (const char *const *)&example->first->text, 1, refused);
}

static void run_list(struct run *run, const struct setting *top, const char *list,
		     void (*one)(struct run *run, const struct setting *example, bool expected))
{
	SETTING_EACH(entry, setting_find(top, list))
	{
		SETTING_EACH(example, setting_member(entry, "match"))
		one(run, example, true);
		SETTING_EACH(example, setting_member(entry, "not_match"))
		one(run, example, false);
	}
}

bool compile_examples(const struct policy *policy, const void *image, size_t size, size_t *ret_count,
		      struct failure *failure)
{
	const struct setting *top = policy_settings(policy);
	struct image *strict = malloc(size);
	struct run run = {.image = strict, .failure = failure};

	if (!strict)
		return failure_set(failure, "out of memory");
	memcpy(strict, image, size);
	strict->flags |= IMAGE_INLINE_DENY;
	strict->flags &= ~(IMAGE_METACHARS_ANY | IMAGE_METACHARS_OPERATORS);
	run_list(&run, top, "argv.deny", run_example);
	run_list(&run, top, "argv.interpreters", run_example);
	run_list(&run, top, "argv.wrappers", run_example);
	run_list(&run, top, "argv.doors", run_example);
	run_list(&run, top, "argv.variables", run_variable);
	free(strict);
	*ret_count = run.count;
	return !run.failed;
}
