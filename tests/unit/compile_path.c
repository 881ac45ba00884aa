/* SPDX-License-Identifier: MIT */
/* compile_image: what the variables, the session and the symlinks of a run make of a policy's paths. */
#include "compile/compile.h"

#include <criterion/criterion.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/path.h"
#include "check/validate.h"
#include "policy_image.h"

static char *below(const char *name)
{
	char *path;

	cr_assert_gt(asprintf(&path, "%s/%s", test_folder(), name), 0);
	return path;
}

static void make_folder(const char *name)
{
	char *path = below(name);

	cr_assert(!mkdir(path, 0700), "%s", path);
	free(path);
}

static void make_link(const char *target, const char *name)
{
	char *path = below(name);

	cr_assert(!symlink(target, path), "%s", path);
	free(path);
}

static void remove_all(const char *const *names)
{
	for (; *names; names++) {
		char *path = below(*names);

		if (unlink(path))
			rmdir(path);
		free(path);
	}
}

static struct image *compiled(const char *text, const struct compile_context *context)
{
	struct failure failure = {""};
	struct policy *policy = test_policy(text, &failure);
	void *image;
	size_t size;

	cr_assert_not_null(policy, "%s", failure.text);
	cr_assert(compile_image(policy, context, &image, &size, &failure), "%s", failure.text);
	cr_assert(check_validate(image, size));
	policy_free(policy);
	return image;
}

/* "r+" read allowed, "r-" read refused, "w+", "w-"; "@" is the root. */
static void expect(const struct image *image, const char *what, const char *path)
{
	char *rooted = test_rooted(path);
	enum op op = *what == 'w' ? OP_WRITE : OP_READ;

	cr_expect_eq(check_path(image, op, rooted, strlen(rooted)).denied, what[1] == '-', "%s %s", what, rooted);
	free(rooted);
}

Test(compile_path, the_installation_trees_of_path)
{
	static const char *const names[] = {"home/.tool/bin", "home/.tool", "home/bin", "home/.shims/shims", "home/.shims",
					    "home/plain", "linked/libexec", "linked", "home/alias", "home", NULL};
	char *home, *path;
	struct image *image;

	for (size_t i = sizeof(names) / sizeof(names[0]) - 1; i-- > 0;)
		if (strcmp(names[i], "home/alias"))
			make_folder(names[i]);
	make_link("../linked/libexec", "home/alias");
	home = below("home");
	path = test_rooted("@/home/.tool/bin:@/home/bin:@/home/.shims/shims/:@/home/plain:@/home/alias:@/home:/bin:/:"
			   "relative:@/nowhere/bin::");
	image = compiled("extends = \"none\"; root = \"/usr/share\"; paths: { read = [ \"${PATH}\" ]; };",
			 &(struct compile_context){.home = home, .path = path});
	expect(image, "r+", "@/home/.tool/bin/x");
	expect(image, "r+", "@/home/.tool/lib/data");
	expect(image, "w-", "@/home/.tool/lib/data");
	expect(image, "r+", "@/home/bin/x");
	expect(image, "r-", "@/home/.bashrc");
	expect(image, "r-", "@/home");
	expect(image, "r+", "@/home/.shims/versions/1/lib");
	expect(image, "r+", "@/home/plain/x");
	expect(image, "r+", "@/linked/libexec/x");
	expect(image, "r+", "@/linked/share/x");
	expect(image, "r-", "@/other");
	expect(image, "r-", "/etc/passwd");
	expect(image, "r+", "/bin/sh");
	free(image);
	free(home);
	free(path);
	remove_all(names);
}

Test(compile_path, symlinks_of_a_tree_are_followed)
{
	static const char *const names[] = {"real/sub", "real", "link", NULL};
	struct image *image;
	char *text;

	make_folder("real");
	make_folder("real/sub");
	make_link("real", "link");
	text = test_rooted("extends = \"none\"; paths: { write = [ \"@/link/sub\", \"@/link/n*/x\" ];\n"
			   " deny = [ \"@/link/sub/shut\" ]; };");
	image = compiled(text, &(struct compile_context){.home = "/nowhere"});
	free(text);
	expect(image, "w+", "@/link/sub/a");
	expect(image, "w+", "@/real/sub/a");
	expect(image, "w-", "@/real/other");
	expect(image, "r-", "@/real/sub/shut/x");
	expect(image, "w+", "@/real/new/x/y");
	expect(image, "w-", "@/real/new/y");
	free(image);
	remove_all(names);
}

Test(compile_path, the_session_folder_is_shut_but_for_its_tmp)
{
	struct image *image =
		compiled("extends = \"none\"; paths: { write = [ \"/tmp\", \"${TMPDIR}\" ]; };",
			 &(struct compile_context){.session = "/tmp/bridle-1", .tmpdir = "/tmp/bridle-1/tmp"});

	expect(image, "w+", "/tmp/other");
	expect(image, "r-", "/tmp/bridle-1");
	expect(image, "r-", "/tmp/bridle-1/session");
	expect(image, "w-", "/tmp/bridle-1/report");
	expect(image, "w+", "/tmp/bridle-1/tmp");
	expect(image, "w+", "/tmp/bridle-1/tmp/a/b");
	expect(image, "r+", "/tmp/bridle-1/libbridle.so");
	expect(image, "w-", "/tmp/bridle-1/libbridle.so");
	free(image);
}

Test(compile_path, what_has_no_meaning_in_this_run_opens_nothing)
{
	struct image *image;

	image = compiled("extends = \"none\";"
			 " paths: { read = [ \"~/x\", \"~\", \"${TMPDIR}/y\", \"${PATH}\" ]; };",
			 &(struct compile_context){.home = NULL});

	expect(image, "r-", "/x");
	expect(image, "r-", "/");
	expect(image, "r-", "/y");
	free(image);
}

Test(compile_path, names_with_pattern_characters_in_given_folders_are_literal)
{
	struct image *image = compiled("extends = \"none\"; paths: { read = [ \"~/a*\" ]; write = [ \"${TMPDIR}\" ]; };",
				       &(struct compile_context){.home = "/h[x]/d*v", .tmpdir = "/t?p"});

	expect(image, "r+", "/h[x]/d*v/abc");
	expect(image, "r-", "/hx/dev/abc");
	expect(image, "w+", "/t?p/x");
	expect(image, "w-", "/tmp/x");
	free(image);
}

Test(compile_path, what_is_shut_below_home_is_shut_in_the_home_of_the_user_table_too)
{
	const struct passwd *user = getpwuid(getuid());
	struct image *image = compiled("extends = \"none\"; paths: { read = [ \"/\" ]; deny = [ \"~/.ssh\" ]; };",
				       &(struct compile_context){.home = NULL});
	char path[4096];

	cr_assert_not_null(user);
	snprintf(path, sizeof(path), "%s/.ssh/id", user->pw_dir);
	expect(image, "r-", path);
	free(image);
	image = compiled("extends = \"none\"; paths: { read = [ \"~/x\" ]; deny = [ \"~/.ssh\" ]; };",
			 &(struct compile_context){.home = "/else"});
	expect(image, "r+", "/else/x");
	snprintf(path, sizeof(path), "%s/x", user->pw_dir);
	expect(image, "r-", path);
	free(image);
}

Test(compile_path, flags)
{
	struct compile_context context = {.home = "/h", .audit = true, .report_all = true, .content = true};
	struct image *image = compiled("extends = \"none\"; coverage: { uncovered = \"deny\"; };", &context);

	cr_expect_eq(image->flags & 0x1f, IMAGE_AUDIT | IMAGE_REPORT_ALL | IMAGE_CONTENT | IMAGE_UNCOVERED_DENY);
	free(image);
	context = (struct compile_context){.home = "/h"};
	image = compiled("extends = \"none\"; mode = \"audit\"; coverage: { uncovered = \"allow\"; };", &context);
	cr_expect_eq(image->flags & 0x1f, IMAGE_AUDIT | IMAGE_UNCOVERED_ALLOW);
	free(image);
}

Test(compile_path, expansion_of_values)
{
	static const struct {
		const char *value, *wanted;
	} rows[] = {
		{"plain", "plain"},
		{"${TMPDIR}/npm", "/t/npm"},
		{"${TMPDIR}", "/t"},
		{"~/x", "/h/x"},
		{"~", "/h"},
		{"~x", "~x"},
		{"a${TMPDIR}", "a${TMPDIR}"},
		{"", ""},
	};
	struct compile_context context = {.home = "/h", .tmpdir = "/t"};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *value = compile_expand(rows[i].value, &context);

		cr_expect_str_eq(value, rows[i].wanted);
		free(value);
	}
}

Test(compile_path, the_built_in_profiles)
{
	static const struct {
		const char *profile, *what, *path;
	} rows[] = {
		{"tool", "r+", "/usr/lib/x"},
		{"tool", "r+", "/etc/ld.so.cache"},
		{"tool", "r-", "/etc/passwd"},
		{"tool", "r-", "/etc/shadow"},
		{"tool", "r-", "/home/dev/.ssh/id"},
		{"tool", "r-", "/home/dev/notes"},
		{"tool", "r+", "/home/dev/.gitconfig"},
		{"tool", "r-", "/home/dev/.git-credentials"},
		{"tool", "r-", "/home/dev/.config/git/credentials"},
		{"tool", "r+", "/home/dev/.config/git/ignore"},
		{"tool", "w+", "@/a"},
		{"tool", "w+", "/scratch/tmp/a"},
		{"tool", "w-", "/tmp/a"},
		{"tool", "w+", "/dev/null"},
		{"tool", "w-", "/dev/sda"},
		{"tool", "r-", "/etc/ssl/private/k"},
		{"tool", "r+", "/etc/ssl/certs/a.pem"},
		{"tool", "r-", "/proc/1/environ"},
		{"tool", "r+", "/proc/self/maps"},
		{"agent", "r+", "/etc/passwd"},
		{"agent", "r-", "/etc/shadow"},
		{"agent", "r-", "/home/dev/.ssh/id"},
		{"agent", "r-", "/home/else/.ssh/id"},
		{"agent", "r+", "/home/dev/notes"},
		{"agent", "w-", "/home/dev/notes"},
		{"agent", "w+", "/home/dev/.cache/x"},
		{"agent", "w+", "/tmp/x"},
		{"agent", "w+", "@/a"},
		{"agent", "r-", "/run/docker.sock"},
		{"agent", "w-", "/etc/hosts"},
		{"code", "r+", "@/script.py"},
		{"code", "w-", "@/script.py"},
		{"code", "w+", "/scratch/tmp/x"},
		{"code", "r-", "/home/dev/notes"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[64];
		struct image *image;

		snprintf(text, sizeof(text), "extends = \"%s\";", rows[i].profile);
		image = test_image(text, NULL);
		expect(image, rows[i].what, rows[i].path);
		free(image);
	}
}
