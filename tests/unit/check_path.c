/* SPDX-License-Identifier: MIT */
/* check_path: which rule wins. In the tables "@" is the root. */
#include "check/path.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/validate.h"
#include "compile/compile.h"
#include "policy_image.h"

struct row {
	enum op op;
	const char *path;
	enum rule rule;
	uint32_t line; /* of the deciding entry; 0: do not ask */
};

#define NONE "extends = \"none\"; "
#define ALLOW RULE_NONE
#define JAIL RULE_PATH_JAIL
#define DENY RULE_PATH_DENY

static void try(const char *text, const struct row *rows, size_t count)
{
	size_t size;
	struct image *image = test_image(text, &size);

	cr_assert(check_validate(image, size));
	for (size_t i = 0; i < count; i++) {
		char *path = test_rooted(rows[i].path);
		struct decision decision = check_path(image, rows[i].op, path, strlen(path));

		cr_expect_eq(decision.rule, rows[i].rule, "op %d of %s: rule %d, wanted %d", rows[i].op, path,
			     decision.rule, rows[i].rule);
		cr_expect_eq(decision.denied, rows[i].rule != RULE_NONE);
		cr_expect(!rows[i].line || image_origins(image)[decision.origin - 1].line == rows[i].line,
			  "op %d of %s: not decided by line %u", rows[i].op, path, rows[i].line);
		free(path);
	}
	free(image);
}

#define TRY(text, ...)                                           \
	do {                                                     \
		static const struct row rows[] = {__VA_ARGS__};  \
		try(text, rows, sizeof(rows) / sizeof(rows[0])); \
	} while (0)

Test(check_path, trees_by_component)
{
	TRY(NONE "paths: {\n read = [\n \"/usr\",\n \"~/lib\" ];\n write = [ \".\", \"${TMPDIR}\" ]; };",
	    {OP_READ, "/usr", ALLOW, 3}, {OP_READ, "/usr/lib/x", ALLOW, 3}, {OP_READ, "/usrlocal", JAIL, 0},
	    {OP_READ, "/us", JAIL, 0}, {OP_READ, "/", JAIL, 0}, {OP_WRITE, "/usr/x", JAIL, 3},
	    {OP_EXEC, "/usr/bin/true", ALLOW, 3}, {OP_LOAD, "/usr/lib/x.so", ALLOW, 3},
	    {OP_READ, "/home/dev/lib/a", ALLOW, 4}, {OP_READ, "/home/dev/library", JAIL, 0},
	    {OP_WRITE, "@", ALLOW, 0}, {OP_WRITE, "@/new", ALLOW, 0}, {OP_READ, "@/a/b/c", ALLOW, 0},
	    {OP_READ, "@-old/a", JAIL, 0}, {OP_WRITE, "/scratch/tmp/x", ALLOW, 0}, {OP_WRITE, "/scratch", JAIL, 0});
}

Test(check_path, the_most_specific_tree_wins)
{
	TRY(NONE "paths: { read = [ \"/a\", \"/a/b/c/d\", \"/t\" ];\n write = [ \"/a/b\", \"/t\", \"/a/w\" ];\n"
		 " deny = [ \"/a/b/c\", \"/a/w\" ]; };",
	    {OP_READ, "/a/x", ALLOW, 1}, {OP_WRITE, "/a/x", JAIL, 1}, {OP_WRITE, "/a/b/x", ALLOW, 2},
	    {OP_READ, "/a/b/c", DENY, 3}, {OP_WRITE, "/a/b/c/x", DENY, 3}, {OP_READ, "/a/b/c/d", ALLOW, 1},
	    {OP_WRITE, "/a/b/c/d/e", JAIL, 1}, {OP_WRITE, "/t/x", ALLOW, 2}, {OP_READ, "/a/w", DENY, 3},
	    {OP_READ, "/a/w/x", DENY, 3});
}

Test(check_path, basenames)
{
	TRY(NONE "paths: { read = [ \"/data\", \"/data/examples/.env\", \"/data/.env.d/open\" ];\n write = [ \".\" ];\n"
		 " deny = [ \".env\", \"*.pem\", \".env.d\" ]; };",
	    {OP_READ, "/data/.env", DENY, 3}, {OP_READ, "/data/a/b/.env", DENY, 3}, {OP_READ, "@/.env", DENY, 3},
	    {OP_WRITE, "@/x/.env", DENY, 3}, {OP_READ, "/data/.envx", ALLOW, 1}, {OP_READ, "/data/x.env", ALLOW, 1},
	    {OP_READ, "/data/.env/beneath", DENY, 3}, {OP_READ, "/data/a.pem", DENY, 3},
	    {OP_READ, "/data/a.pem.txt", ALLOW, 1}, {OP_READ, "/data/k.pem/x/y", DENY, 3},
	    {OP_READ, "/data/examples/.env", ALLOW, 1}, {OP_READ, "/data/examples/x/.env", DENY, 3},
	    {OP_READ, "/data/examples/.env/x", ALLOW, 1}, {OP_READ, "/data/.env.d/open", ALLOW, 1},
	    {OP_READ, "/data/.env.d/open/x", DENY, 3}, {OP_READ, "/data/.env.d/other", DENY, 3},
	    {OP_READ, "/elsewhere/.env", DENY, 3}, {OP_READ, "/elsewhere", JAIL, 0});
}

Test(check_path, basenames_that_allow_open_nothing_that_is_shut)
{
	TRY(NONE "paths: { read = [ \"/a\", \"*.h\" ];\n write = [ \"*.log\" ];\n deny = [ \"/a/shut\", \"no.*\" ]; };",
	    {OP_READ, "/else/x.h", ALLOW, 1}, {OP_WRITE, "/else/x.h", JAIL, 0}, {OP_WRITE, "/a/x.log", ALLOW, 2},
	    {OP_WRITE, "/a/x", JAIL, 1}, {OP_READ, "/a/shut/x.h", DENY, 3}, {OP_WRITE, "/a/shut/x.log", DENY, 3},
	    {OP_READ, "/else/no.h", DENY, 3}, {OP_READ, "/else/dir.h/under", ALLOW, 1});
}

Test(check_path, the_root_is_named_whatever_its_folders_are_called)
{
	/* The root is /tmp/bridle-test-...: denies by the names of its folders shut others only. */
	TRY(NONE "paths: { read = [ \"/\" ]; write = [ \".\" ]; deny = [ \"tmp\", \"bridle-test-*\" ]; };",
	    {OP_WRITE, "@/a", ALLOW, 0}, {OP_READ, "@/tmp", DENY, 0}, {OP_READ, "@/tmp/x", DENY, 0},
	    {OP_READ, "/var/tmp/x", DENY, 0}, {OP_READ, "/var/bridle-test-1", DENY, 0}, {OP_READ, "/var", ALLOW, 0});
}

Test(check_path, folders_that_may_be_listed)
{
	TRY(NONE "paths: { read = [ \"/etc/hosts\", \"/both\" ];\n write = [ \".\" ];\n"
		 " deny = [ \"/etc/shut\", \"/tie\", \"*.d\" ];\n"
		 " list = [ \"/\", \"/etc/\", \"/proc/[0-9]*\", \"/both\", \"/tie\", \"/etc/shut/open\", \"/etc/x.d\" ]; };",
	    {OP_READ, "/", ALLOW, 4}, {OP_READ, "/etc", ALLOW, 4}, {OP_WRITE, "/etc", JAIL, 0}, {OP_WRITE, "/", JAIL, 0},
	    {OP_EXEC, "/etc", JAIL, 0}, {OP_READ, "/etc/passwd", JAIL, 0}, {OP_READ, "/etc/a/b", JAIL, 0},
	    {OP_READ, "/home", JAIL, 0}, {OP_READ, "/etc/hosts", ALLOW, 1}, {OP_READ, "/proc", JAIL, 0},
	    {OP_READ, "/proc/12", ALLOW, 4}, {OP_READ, "/proc/12/environ", JAIL, 0}, {OP_READ, "/proc/sys", JAIL, 0},
	    {OP_READ, "/both", ALLOW, 1}, {OP_READ, "/both/x", ALLOW, 1}, {OP_READ, "/tie", DENY, 3},
	    {OP_READ, "/etc/shut", DENY, 3}, {OP_READ, "/etc/shut/open", ALLOW, 4}, {OP_READ, "/etc/shut/open/x", DENY, 3},
	    {OP_READ, "/etc/x.d", DENY, 3});
}

Test(check_path, what_is_hidden_is_shut_and_not_worth_a_line)
{
	static const struct {
		enum op op;
		const char *path;
		bool quiet;
	} rows[] = {
		{OP_READ, "/proc/1/environ", true},
		{OP_WRITE, "/proc/1/environ", false},
		{OP_EXEC, "/proc/1/environ", false},
		{OP_READ, "/proc/1/mem", false},
		{OP_READ, "/tie", false},
		{OP_READ, "/h/x/y", true},
		{OP_READ, "/h/no.key", false},
		{OP_READ, "/elsewhere", false},
	};
	struct image *image = test_image(NONE "paths: { read = [ \"/proc\" ];"
					      " deny = [ \"/proc/*/mem\", \"/tie\", \"*.key\" ];"
					      " hide = [ \"/proc/*/environ\", \"/tie\", \"/h\" ]; };",
					 NULL);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct decision decision = check_path(image, rows[i].op, rows[i].path, strlen(rows[i].path));

		cr_expect(decision.denied, "op %d of %s", rows[i].op, rows[i].path);
		cr_expect_eq(decision.quiet, rows[i].quiet, "op %d of %s", rows[i].op, rows[i].path);
	}
	free(image);
}

Test(check_path, patterns)
{
	TRY(NONE "paths: { read = [ \"/\", \"/v/*/open\", \"/r/v[0-9]\" ];\n write = [ \".\", \"**/cache\" ];\n"
		 " deny = [ \"**/.git/hooks\", \"/home/*/.ssh\", \"/v/*/x?\", \"/d/**/leaf/end\" ]; };",
	    {OP_READ, "@/.git/hooks", DENY, 3}, {OP_WRITE, "@/.git/hooks/pre-commit", DENY, 3},
	    {OP_WRITE, "@/a/b/.git/hooks/x", DENY, 3}, {OP_WRITE, "@/.git/config", ALLOW, 2},
	    {OP_WRITE, "@/hooks", ALLOW, 2}, {OP_READ, "/.git/hooks", DENY, 3}, {OP_READ, "/home/dev/.ssh/id", DENY, 3},
	    {OP_READ, "/home/a/b/.ssh", ALLOW, 1}, {OP_READ, "/v/q/open/y", ALLOW, 1}, {OP_READ, "/v/q/xy", DENY, 3},
	    {OP_READ, "/v/q/xyz", ALLOW, 1}, {OP_WRITE, "/q/cache/y", ALLOW, 2}, {OP_WRITE, "/cache", ALLOW, 2},
	    {OP_WRITE, "/q/caches", JAIL, 1}, {OP_READ, "/d/leaf/end", DENY, 3},
	    {OP_READ, "/d/a/b/leaf/end/x", DENY, 3},
	    {OP_READ, "/d/a/leaf/leaf/end", DENY, 3}, {OP_READ, "/d/leaf/x/end", ALLOW, 1},
	    {OP_READ, "/e/leaf/end", ALLOW, 1});
}

Test(check_path, entries_are_normalised)
{
	TRY(NONE "paths: { read = [ \"/a//b/./c/../d/\", \"./sub/\", \"x/y\", \"..\" ]; write = [ \"/w/**\" ];\n"
		 " deny = [ \"\\\\!bang\" ]; };",
	    {OP_READ, "/a/b/d/x", ALLOW, 1}, {OP_READ, "/a/b/c", JAIL, 0}, {OP_READ, "@/sub/x", ALLOW, 1},
	    {OP_READ, "@/x/y", ALLOW, 1}, {OP_READ, "/tmp/any", ALLOW, 1}, {OP_READ, "/x/y", JAIL, 0},
	    {OP_WRITE, "/w", ALLOW, 1}, {OP_WRITE, "/w/a/b", ALLOW, 1}, {OP_WRITE, "/w/!bang", DENY, 2},
	    {OP_WRITE, "/w/bang", ALLOW, 1});
}

Test(check_path, what_is_no_path_is_refused)
{
	TRY(NONE "paths: { write = [ \"/\" ]; };", {OP_READ, "", RULE_PATH_UNRESOLVED, 0},
	    {OP_READ, "relative", RULE_PATH_UNRESOLVED, 0}, {OP_WRITE, "/", ALLOW, 0}, {OP_WRITE, "/x", ALLOW, 0});
}

Test(check_path, the_policy_in_use_is_never_writable)
{
	TRY(NONE "paths: { write = [ \"/\", \".\", \"*.cfg\", \"./test.cfg\" ]; };", {OP_WRITE, "@/test.cfg", DENY, 0},
	    {OP_READ, "@/test.cfg", ALLOW, 0}, {OP_WRITE, "@/other.cfg", ALLOW, 0},
	    {OP_WRITE, "@/sub/test.cfg", ALLOW, 0});
}

Test(check_path, needs_no_nul_and_reads_not_beyond)
{
	struct image *image = test_image(NONE "paths: { read = [ \"/usr/lib/exactly8/x\" ]; };", NULL);
	const char *path = "/usr/lib/exactly8/x";
	char *exact = malloc(strlen(path));

	cr_assert_not_null(exact);
	memcpy(exact, path, strlen(path));
	cr_expect_not(check_path(image, OP_READ, exact, strlen(path)).denied);
	cr_expect(check_path(image, OP_READ, exact, strlen(path) - 2).denied);
	free(exact);
	free(image);
}

Test(check_path, bridles_own_denials_say_why)
{
	struct image *image = test_image(NONE "paths: { write = [ \".\" ]; };", NULL);
	char *path = test_rooted("@/test.cfg");
	struct decision decision = check_path(image, OP_WRITE, path, strlen(path));

	cr_expect_eq(decision.rule, RULE_PATH_DENY);
	cr_expect_not_null(strstr(image_string(image, decision.reason), "policy in use"));
	free(path);
	free(image);
}

Test(check_path, patterns_that_could_overlap_without_bound_are_refused)
{
	struct failure failure = {""};
	struct compile_context context = {.home = "/home/dev"};
	char text[8192] = NONE "paths: { read = [ \"/a\"";
	struct policy *policy;
	size_t size;
	void *image;

	for (int i = 0; i < 60; i++)
		sprintf(text + strlen(text), ", \"**/a*%d/b*/c\"", i);
	strcat(text, " ]; };");
	policy = test_policy(text, &failure);
	cr_assert_not_null(policy, "%s", failure.text);
	cr_expect_not(compile_image(policy, &context, &image, &size, &failure));
	cr_expect_not_null(strstr(failure.text, "overlap"));
	policy_free(policy);
}

struct below_row {
	const char *path, *other; /* NULL: nobody knows it */
	const char *rule;         /* that is in the way; NULL: none */
};

static void try_below(const char *text, const struct below_row *rows, size_t count)
{
	size_t size;
	struct image *image = test_image(text, &size);

	cr_assert(check_validate(image, size));
	for (size_t i = 0; i < count; i++) {
		char *path = test_rooted(rows[i].path), *other = rows[i].other ? test_rooted(rows[i].other) : NULL;
		char *rule = rows[i].rule ? test_rooted(rows[i].rule) : NULL;
		struct decision decision = check_path_below(image, path, strlen(path), other, other ? strlen(other) : 0);
		const char *found = decision.denied ? image_string(image, decision.reason) : NULL;
		struct path_place place;
		const char *name = strrchr(path, '/') + 1;

		cr_expect_eq(decision.denied, rule != NULL, "%s to %s", path, other ? other : "anywhere");
		cr_expect(!rule || (decision.below && found && !strcmp(found, rule)), "%s: below it %s, not %s",
			  path, rule, found);
		/* the quick answer never lets pass what this one refuses */
		cr_assert(check_path_place(image, path, (size_t)(name - path) - 1, &place));
		cr_expect(!decision.denied || !check_path_moves(image, &place, name, strlen(name)), "%s moves", path);
		cr_expect(other || decision.denied || check_path(image, OP_WRITE, path, strlen(path)).denied ||
				  check_path_moves(image, &place, name, strlen(name)),
			  "%s does not move", path);
		free(path);
		free(other);
		free(rule);
	}
	free(image);
}

#define TRY_BELOW(text, ...)                                           \
	do {                                                           \
		static const struct below_row rows[] = {__VA_ARGS__};  \
		try_below(text, rows, sizeof(rows) / sizeof(rows[0])); \
	} while (0)

Test(check_path, what_lies_below_a_folder_goes_along)
{
	TRY_BELOW(NONE "paths: { read = [ \"/\", \"./lib/vendor\" ]; write = [ \".\", \"./shut/open\", \"/t\" ];\n"
		       " hide = [ \"./h/x\" ];"
		       " deny = [ \"./d/private\", \"./a/b/c/*.key\", \"./shut\", \"~/.ssh\" ]; };",
		  {"@/d", NULL, "@/d/private"}, {"@/d", "@/e", "@/d/private"}, {"@/d", "@/d", NULL},
		  {"@/d/private", "@/e", NULL},
		  {"@/d/other", "@/e", NULL}, {"@/dd", "@/e", NULL}, {"@/e", "@/d", NULL}, {"@/a", "@/e", "@/a/b/c/*.key"},
		  {"@/a/b/c", "@/a/b/d", "@/a/b/c/*.key"}, {"@/a/b/c/x.key", "@/e", NULL}, {"@/lib", "@/l", "@/lib/vendor"},
		  {"@/h", "@/i", "@/h/x"}, {"@/shut", "@/x", NULL}, {"@/shut/open", "@/x", NULL}, {"/t/x", NULL, NULL},
		  {"/home/dev", "/t/x", "/home/dev/.ssh"}, {"/home", NULL, "/home/dev/.ssh"},
		  {"/home/dev/src", "/home/dev/lib", NULL});
}

Test(check_path, what_is_shut_by_name_stays_shut_anywhere)
{
	TRY_BELOW(NONE "paths: { write = [ \".\" ];\n"
		       " deny = [ \".env\", \"**/secret\", \"**/.git/hooks\", \"./l/**/x\", \"./g/*/x\" ]; };",
		  {"@/src", NULL, NULL}, {"@/src", "@/lib", NULL}, {"@/r/.git", "@/r/g", "**/.git/hooks"},
		  {"@/r/.git", "@/q/.git", NULL},
		  {"@/r", "@/q", NULL}, {"@/l", "@/m", "@/l/**/x"}, {"@/l/a", "@/l/b", NULL}, {"@/l/a/b", "@/l/c", NULL},
		  {"@/l/a", "@/m", "@/l/**/x"}, {"@/g", "@/m", "@/g/*/x"}, {"@/g/a", "@/g/b", NULL},
		  {"@/g/a", "@/m", "@/g/*/x"},
		  {"@/g/a/b", "@/m", NULL});
}
