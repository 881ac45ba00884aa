/* SPDX-License-Identifier: MIT */
/* What a user copies must work: every policy in examples/ and in the README loads and compiles. */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "policy/policy.h"
#include "policy_image.h"

static void expect_good(const char *file)
{
	const struct compile_context context = {.home = "/home/dev", .tmpdir = "/tmp", .path = "/usr/bin:/bin"};
	const struct policy_choice choice = {.file = file};
	struct failure failure = {{0}};
	struct policy *policy = policy_load(&choice, &failure);
	void *image = NULL;
	size_t size;

	cr_assert(policy, "%s", failure.text);
	cr_assert(compile_image(policy, &context, &image, &size, &failure), "%s", failure.text);
	free(image);
	policy_free(policy);
}

Test(examples, are_good_policies)
{
	glob_t files;

	cr_assert_eq(glob("examples/*.cfg", 0, NULL, &files), 0, "the tests run from the top of the tree");
	cr_assert_eq(glob("examples/agents/*.cfg", GLOB_APPEND, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++)
		expect_good(files.gl_pathv[i]);
	globfree(&files);
}

/* The text of README.md, from malloc. */
static char *readme(void)
{
	FILE *file = fopen("README.md", "r");
	char *text = NULL;
	size_t room = 0;

	cr_assert(file, "the tests run from the top of the tree");
	cr_assert_gt(getdelim(&text, &room, '\0', file), 0);
	fclose(file);
	return text;
}

Test(examples, readme_shows_a_good_policy)
{
	static const char opens[] = "\n```cfg\n", closes[] = "\n```\n";
	char *text = readme(), *block = text, *file;
	size_t blocks = 0;

	while ((block = strstr(block, opens)) != NULL) {
		char *end = strstr(block += sizeof(opens) - 1, closes);

		cr_assert(end, "an open block");
		end[1] = '\0';
		file = test_file("readme.cfg", block);
		expect_good(file);
		remove(file);
		free(file);
		block = end + 2;
		blocks++;
	}
	cr_assert_gt(blocks, 0);
	free(text);
}
