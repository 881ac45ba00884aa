/* SPDX-License-Identifier: MIT */
/* Judges shell lines as `bridle check --shell` does. */
#include "shell_policy.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compile/compile.h"
#include "decide/decide.h"
#include "policy/policy.h"

static const char *const rules[] = {
#define RULE(name, words) words,
#include "rules.def"
#undef RULE
};

struct world {
	char root[PATH_MAX];
	struct policy *policy;
	struct image *image;
};

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	cr_assert_not_null(file, "%s", path);
	fputs(text, file);
	fclose(file);
}

/* A project with a few files, which becomes the working directory. */
static void make_project(struct world *world)
{
	static const char *const folders[] = {"src", "docs", "docs/sub", "build", ".git", ".git/hooks", "../outside"};
	static const char *const files[] = {"README", "f", "s.sh", "script.py", "app.js", "src/main.c", "src/a.c",
					    ".env", "src/.env", "docs/page", "docs/.env",
					    "../outside/secret"};
	char top[] = "/tmp/bridle-shell-XXXXXX", *real;

	cr_assert_not_null(mkdtemp(top));
	real = realpath(top, NULL);
	snprintf(world->root, sizeof(world->root), "%s/proj", real);
	free(real);
	cr_assert_eq(mkdir(world->root, 0700), 0);
	cr_assert_eq(chdir(world->root), 0);
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		cr_assert_eq(mkdir(folders[i], 0700), 0);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		write_file(files[i], "text\n");
}

static void open_world(struct world *world, const char *policy)
{
	const struct policy_choice choice = {.file = policy, .root = world->root};
	const struct compile_context context = {
		.home = "/home/dev",
		.tmpdir = "/tmp/bridle-shell-none",
		.path = "/usr/bin:/bin",
	};
	struct failure failure = {{0}};
	void *image = NULL;
	size_t size;

	world->policy = policy_load(&choice, &failure);
	cr_assert_not_null(world->policy, "%s", failure.text);
	cr_assert(compile_image(world->policy, &context, &image, &size, &failure), "%s", failure.text);
	world->image = image;
}

static void close_world(struct world *world)
{
	char command[PATH_MAX + 32];

	free(world->image);
	policy_free(world->policy);
	cr_assert_eq(chdir("/"), 0);
	snprintf(command, sizeof(command), "rm -rf '%s/..'", world->root);
	strcpy(strstr(command, "/proj/.."), "'");
	cr_assert_eq(system(command), 0);
}

static void judge(const struct world *world, const char *line, struct verdict *ret_verdict)
{
	char *text = strdup(line);
	char *argv[] = {text, NULL};
	const struct question question = {
		.image = world->image,
		.policy = world->policy,
		.argv = argv,
		.argc = 1,
		.shell = true,
		.search = "/usr/bin:/bin",
		.home = "/home/dev",
	};

	decide_command(&question, ret_verdict);
	verdict_free(ret_verdict);
	free(text);
}

void shell_policy_expect(const char *const *lines, size_t count, bool denied)
{
	char *policy = realpath("tests/cases/corpus.cfg", NULL);
	struct verdict *verdict = malloc(sizeof(*verdict));
	struct world world;

	cr_assert(policy && verdict, "the tests run at the top of the tree");
	make_project(&world);
	open_world(&world, policy);
	for (size_t i = 0; i < count; i++) {
		judge(&world, lines[i], verdict);
		cr_expect_eq(verdict->decision.denied, denied, "<%s> is %s: %s", lines[i],
			     verdict->decision.denied ? "refused" : "allowed", verdict->reason);
	}
	close_world(&world);
	free(verdict);
	free(policy);
}

const char *shell_policy_rule(const char *policy, const char *line)
{
	struct verdict *verdict = malloc(sizeof(*verdict));
	struct world world;
	const char *rule;

	cr_assert_not_null(verdict);
	make_project(&world);
	write_file("../policy.cfg", policy);
	open_world(&world, "../policy.cfg");
	judge(&world, line, verdict);
	rule = rules[verdict->decision.rule];
	close_world(&world);
	free(verdict);
	return rule;
}
