/* SPDX-License-Identifier: MIT */
/* What was read when bridle was built is what the profiles' texts say. */
#include "policy/embedded.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/command.h"
#include "compile/compile.h"
#include "policy/policy.h"
#include "policy/read.h"
#include "policy/schema.h"
#include "policy/source.h"
#include "policy/write.h"
#include "policy_image.h"

/* With "# file:line" behind each entry. */
static char *written(const struct setting *top)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);

	cr_assert(stream);
	write_settings(stream, top);
	fclose(stream);
	return text;
}

Test(policy_embedded, is_the_text)
{
	size_t count = 0;

	for (const struct embedded_settings *at = embedded_settings; at->profile; at++, count++) {
		struct arena *arena = arena_new();
		struct failure failure = {""};
		struct source source;
		const char *rules = NULL;
		struct setting *top;
		char *expected, *got;

		cr_assert(source_profile(arena, at->profile, &rules, &source, &failure), "%s", failure.text);
		top = read_settings(arena, &source, &failure);
		cr_assert(top && schema_check(top, &failure), "%s", failure.text);
		cr_assert_str_eq(at->rules, rules);
		expected = written(top);
		got = written(at->top);
		cr_assert_str_eq(got, expected, "%s", at->profile);
		free(expected);
		free(got);
		arena_free(arena);
	}
	cr_assert_geq(count, 3);
}

/* Names of files are anybody's: what is printed acts on no terminal, and reads back as the same. */
Test(policy_embedded, shows_what_would_act)
{
	struct setting entry = {.kind = SETTING_STRING, .name = "root", .file = "a\x1b[m", .line = 2};
	const struct setting top = {.kind = SETTING_GROUP, .first = &entry};
	char *text;

	entry.text = "x\xe2\x80\xaey\x1b\"\\\xff \xc3\xa9";
	text = written(&top);
	cr_expect_str_eq(text, "extends = \"none\";\nroot = \"x\\xe2\\x80\\xaey\\x1b\\\"\\\\\\xff \xc3\xa9\";"
			       "  # a\\x1b[m:2\n");
	free(text);
}

static bool denies(const struct image *image, const char *program)
{
	const char *argv[] = {program, "x", NULL};
	struct command command = {.program = program, .argv = (char *const *)(uintptr_t)argv, .argc = 2};

	return check_command(image, &command).rule == RULE_NAME_DENYLIST;
}

/* The text over profile tool, with --set on top. Whole: all of the profile's text is read. */
static struct policy *load(const char *text, const char *set, bool whole, struct failure *failure)
{
	const char *const sets[] = {set, NULL};
	char *file = test_file("drop.cfg", text);
	struct policy_choice choice = {.file = file, .root = test_folder(), .sets = sets, .whole = whole};
	struct policy *policy = policy_load(&choice, failure);

	remove(file);
	free(file);
	return policy;
}

/* Taking a name off the list needs not the whole text, and gives what the whole text gives. */
Test(policy_embedded, a_name_is_taken_off_the_list)
{
	static const struct {
		const char *text, *set;
		bool dd, ext4, own;
	} rows[] = {
		{"", NULL, true, true, false},
		{"names: { deny = [ \"!dd\" ]; };", NULL, false, true, false},
		{"names: { deny = [ \"!mkfs.*\", \"own\", \"!dd\" ]; };", NULL, false, false, true},
		{"names: { deny = [ \"!dd\", \"dd\" ]; };", NULL, true, true, false},
		{"names: { deny = [ \"!dd\", \"d*\" ]; };", NULL, true, true, false},
		{"names: { deny = [ \"!dd\" ]; };", "names.deny=[ \"dd\" ]", true, true, false},
		{"names: { deny = [ \"own\" ]; };", "names.deny=[ \"!own\", \"!dd\" ]", false, true, false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (int whole = 0; whole < 2; whole++) {
			struct compile_context context = {.home = "/home/dev", .tmpdir = "/scratch", .path = ""};
			struct failure failure = {""};
			struct policy *policy = load(rows[i].text, rows[i].set, whole, &failure);
			void *image;
			size_t size;

			cr_assert(policy, "%s: %s", rows[i].text, failure.text);
			cr_assert_eq(policy_rules(policy) == NULL, whole, "%s", rows[i].text);
			cr_assert(compile_image(policy, &context, &image, &size, &failure), "%s", failure.text);
			cr_assert_eq(denies(image, "dd"), rows[i].dd, "%s", rows[i].text);
			cr_assert_eq(denies(image, "mkfs.ext4"), rows[i].ext4, "%s", rows[i].text);
			cr_assert_eq(denies(image, "own"), rows[i].own, "%s", rows[i].text);
			cr_assert(denies(image, "sudo"), "%s", rows[i].text);
			free(image);
			policy_free(policy);
		}
}

Test(policy_embedded, what_is_not_on_the_list_cannot_be_taken_off)
{
	static const struct {
		const char *text, *set;
	} rows[] = {
		{"names: { deny = [ \"!nobody\" ]; };", NULL},
		{"names: { deny = [ \"!dd\" ]; };", "names.deny=[ \"!dd\" ]"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct failure failure = {""};

		cr_assert_null(load(rows[i].text, rows[i].set, false, &failure));
		cr_assert(strstr(failure.text, "drops nothing"), "%s", failure.text);
	}
}
