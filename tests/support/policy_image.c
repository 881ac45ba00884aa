/* SPDX-License-Identifier: MIT */
/* Policies and images for tests. */
#include "policy_image.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compile/compile.h"

static char folder[64];

static void remove_folder(void)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/test.cfg", folder);
	unlink(path);
	rmdir(folder);
}

const char *test_folder(void)
{
	if (!folder[0]) {
		strcpy(folder, "/tmp/bridle-test-XXXXXX");
		cr_assert_not_null(mkdtemp(folder));
		atexit(remove_folder);
	}
	return folder;
}

char *test_file(const char *name, const char *text)
{
	char *path;
	FILE *stream;

	cr_assert_gt(asprintf(&path, "%s/%s", test_folder(), name), 0);
	stream = fopen(path, "we");
	cr_assert_not_null(stream);
	fputs(text, stream);
	fclose(stream);
	return path;
}

struct policy *test_policy(const char *text, struct failure *failure)
{
	char *path = test_file("test.cfg", text);
	struct policy_choice choice = {.file = path};
	struct policy *policy = policy_load(&choice, failure);

	free(path);
	return policy;
}

struct image *test_image(const char *text, size_t *ret_size)
{
	struct compile_context context = {.home = "/home/dev", .tmpdir = "/scratch/tmp", .path = ""};
	struct failure failure = {""};
	struct policy *policy = test_policy(text, &failure);
	void *image;
	size_t size;

	cr_assert_not_null(policy, "%s", failure.text);
	cr_assert(compile_image(policy, &context, &image, &size, &failure), "%s", failure.text);
	policy_free(policy);
	if (ret_size)
		*ret_size = size;
	return image;
}

char *test_rooted(const char *text)
{
	size_t length = strlen(text) + 1;
	char *rooted, *end;

	for (const char *at = text; *at; at++)
		length += *at == '@' ? strlen(test_folder()) : 0;
	rooted = end = malloc(length);
	cr_assert_not_null(rooted);
	for (; *text; text++) {
		if (*text == '@')
			end = stpcpy(end, test_folder());
		else
			*end++ = *text;
	}
	*end = '\0';
	return rooted;
}
