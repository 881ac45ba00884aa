/* SPDX-License-Identifier: MIT */
/* compile_restamp: an image made out to another session decides as one that was compiled for it. */
#include "compile/restamp.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/path.h"
#include "check/validate.h"
#include "compile/compile.h"
#include "policy_image.h"

#define FROM "/tmp/bridle-00112233445566ff"
#define TO "/tmp/bridle-fedcba9876543210"

static const char text[] = "extends = \"agent\"; root = \"/usr/share\";\n"
			   "paths: { write = [ \"${TMPDIR}\", \"${TMPDIR}/x*/y\" ]; deny = [ \"**/bridle.secret\" ]; };\n";

static struct image *compiled(const char *folder, size_t *ret_size)
{
	struct failure failure = {""};
	struct policy *policy = test_policy(text, &failure);
	char *tmp = NULL;
	struct compile_context context = {.home = "/home/dev", .session = folder};
	void *image = NULL;

	cr_assert_not_null(policy, "%s", failure.text);
	cr_assert_gt(asprintf(&tmp, "%s/tmp", folder), 0);
	context.tmpdir = tmp;
	cr_assert(compile_image(policy, &context, &image, ret_size, &failure), "%s", failure.text);
	policy_free(policy);
	free(tmp);
	return image;
}

static void expect_alike(const struct image *one, const struct image *other)
{
	static const char *const paths[] = {
		TO,
		TO "/session",
		TO "/report",
		TO "/tmp",
		TO "/tmp/file",
		TO "/tmp/xa/y",
		TO "/libbridle.so",
		FROM,
		FROM "/session",
		FROM "/tmp/file",
		"/tmp/bridle-0000000000000000/session",
		"/tmp/other",
		"/home/dev/.ssh/id",
		"/usr/share/a",
		"/etc/passwd",
		"/",
		"/usr/share/bridle.secret",
		"/tmp",
		"/home/dev/.cache/x",
	};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		for (enum op op = OP_READ; op <= OP_WRITE; op++) {
			struct decision a = check_path(one, op, paths[i], strlen(paths[i]));
			struct decision b = check_path(other, op, paths[i], strlen(paths[i]));

			cr_expect(a.denied == b.denied && a.rule == b.rule, "%s: %d and %d", paths[i], a.denied, b.denied);
		}
}

Test(restamp, decides_as_one_that_was_compiled_for_it)
{
	size_t size, other;
	struct image *image = compiled(FROM, &size), *wanted = compiled(TO, &other);

	cr_expect_eq(size, other);
	cr_expect(check_path(image, OP_READ, TO "/session", strlen(TO "/session")).denied == false,
		  "before, the folder is one like any other");
	cr_assert(compile_restamp(image, FROM, TO));
	cr_expect(check_validate(image, size));
	expect_alike(image, wanted);
	cr_expect(check_path(image, OP_READ, TO "/session", strlen(TO "/session")).denied);
	cr_expect_null(memmem(image, size, "00112233445566ff", 16), "nothing of the old name is left");
	free(image);
	free(wanted);
}

Test(restamp, refuses_what_differs_in_more_than_the_name)
{
	size_t size;
	struct image *image = compiled(FROM, &size);

	cr_expect_not(compile_restamp(image, FROM, "/var/bridle-fedcba9876543210"));
	cr_expect_not(compile_restamp(image, FROM, TO "0"));
	cr_expect_not(compile_restamp(image, "bridle-00112233445566ff", "bridle-fedcba9876543210"));
	free(image);
}
