/* SPDX-License-Identifier: MIT */
/*
 * What is learnt from a report, and what is not. In the tables "@" is the session's root, "~" the home beside it; neither
 * exists but for the root itself.
 */
#include "report/learn.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report_case.h"

static char top[] = "/tmp/bridle-test-learn-XXXXXX", root[256], home[256];
static struct learn learn;
static struct policy *base;

static void setup(void)
{
	static const char *const sets[] = {"argv.inline=deny", NULL};
	struct policy_choice choice = {.profile = "tool", .root = root, .sets = sets};
	struct failure failure;

	cr_assert_not_null(mkdtemp(top));
	setenv("TMPDIR", "/var/tmp/nowhere", 1); /* what lies below it is allowed */
	snprintf(root, sizeof(root), "%s/work", top);
	snprintf(home, sizeof(home), "%s/home/me", top);
	cr_assert_eq(mkdir(root, 0755), 0);
	base = policy_load(&choice, &failure);
	cr_assert_not_null(base, "%s", failure.text);
	cr_assert(learn_open(&learn, base, home, &failure), "%s", failure.text);
}

static void teardown(void)
{
	learn_close(&learn);
	policy_free(base);
	rmdir(root);
	rmdir(top);
}

TestSuite(report_learn, .init = setup, .fini = teardown);

/* The text with "@" and "~" filled in. */
static void fill(const char *text, char *filled, size_t size)
{
	size_t length = 0;

	for (; *text != '\0' && length + 1 < size; text++) {
		const char *part = *text == '@' ? root : *text == '~' ? home
								      : NULL;

		if (part != NULL)
			length += (size_t)snprintf(filled + length, size - length, "%s", part);
		else
			filled[length++] = *text;
	}
	filled[length] = '\0';
}

/* Takes "read PATH", "write PATH", "exec PATH", or a JSON object's members. */
static void take(const char *line)
{
	static struct event event;
	char filled[4096], text[8192];

	fill(line, filled, sizeof(filled));
	if (line[0] == '"')
		snprintf(text, sizeof(text), "{\"v\":1,%s}", filled);
	else
		snprintf(text, sizeof(text),
			 "{\"v\":1,\"op\":\"%.*s\",\"path\":\"%s\",\"exe\":\"/bin/prog\",\"verdict\":\"allow\"}",
			 (int)strcspn(filled, " "), filled, strchr(filled, ' ') + 1);
	cr_assert_eq(event_parse(&event, text, strlen(text)), EVENT_GOOD, "%s", text);
	learn_take(&learn, &event);
}

/* All that was learnt: "read=~/x write=./y allow=h:1 ?read=~/.ssh/id", one a word. */
static void expect(const char *wanted)
{
	struct learn_additions additions;
	char text[8192] = "", spelling[4096];

	cr_assert(learn_add_up(&learn, &additions));
	for (size_t i = 0; i < LEARN_LISTS + additions.scalar_count; i++) {
		const struct learn_list *list = i < LEARN_LISTS ? &additions.lists[i] : &additions.scalars[i - LEARN_LISTS];

		for (size_t at = 0; at < list->count; at++)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s=%s", text[0] ? " " : "", list->name,
				 list->entries[at].text);
	}
	for (uint32_t i = 0; i < table_count(&learn.questions); i++) {
		const struct learn_question *question = table_at(&learn.questions, i);

		learn_spelling(&learn, question->subject, spelling, sizeof(spelling));
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s?%s=%s", text[0] ? " " : "", question->what,
			 spelling);
	}
	cr_expect_str_eq(text, wanted);
	learn_additions_free(&additions);
}

Test(report_learn, what_the_base_allows_is_not_repeated)
{
	take("read /usr/lib/x");
	take("read @/src/a.c");
	take("write @/out");
	take("exec /usr/bin/git");
	take("\"op\":\"connect\",\"addr\":\"127.0.0.1\",\"port\":80,\"verdict\":\"allow\"");
	expect("");
}

Test(report_learn, what_is_not_there_needs_no_permission)
{
	take("\"op\":\"write\",\"call\":\"open\",\"path\":\"/sys/a/marker\",\"verdict\":\"allow\",\"errno\":\"ENOENT\"");
	take("\"op\":\"write\",\"call\":\"unlink\",\"path\":\"/opt/a/lock\",\"verdict\":\"allow\",\"errno\":\"ENOTDIR\"");
	take("\"op\":\"write\",\"call\":\"open\",\"path\":\"/opt/b/c\",\"verdict\":\"allow\",\"errno\":\"EISDIR\"");
	take("\"op\":\"write\",\"call\":\"mkdir\",\"path\":\"/opt/d/e\",\"verdict\":\"deny\",\"errno\":\"ENOENT\"");
	expect("write=/opt/b write=/opt/d");
}

Test(report_learn, a_file_stands_for_its_folder)
{
	take("read ~/sdk/lib/a");
	take("read /opt/tool/share/b");
	take("write ~/store/data/c");
	take("read ~/store/data/d");
	expect("read=/opt/tool/share read=~/sdk/lib write=~/store/data");
}

Test(report_learn, folders_side_by_side_become_one)
{
	take("read /opt/tool/a/1");
	take("read /opt/tool/b/1");
	take("read /opt/tool/c/1");
	take("read /opt/tool/d/1");
	expect("read=/opt/tool");
}

Test(report_learn, never_the_root_of_everything)
{
	take("read /file");
	take("write /top/file");
	expect("read=/file write=/top/file");
}

Test(report_learn, never_the_home_or_above)
{
	take("read ~/file");
	take("write ~/a/1");
	take("write ~/b/1");
	take("write ~/c/1");
	take("write ~/d/1");
	expect("read=~/file write=~/a write=~/b write=~/c write=~/d");
}

Test(report_learn, never_the_parent_of_the_root)
{
	take("write @/../beside");
	take("read @/../other/x");
	char wanted[600];

	snprintf(wanted, sizeof(wanted), "read=%s/other write=%s/beside", top, top);
	expect(wanted);
}

Test(report_learn, listing_what_is_too_wide_is_a_question)
{
	take("read /root");
	take("read /"); /* the profile lets these be listed: */
	take("read /home");
	expect("?read=/root");
}

Test(report_learn, secrets_are_questions)
{
	take("read ~/.ssh/id_ed25519");
	take("read ~/.aws/credentials");
	take("read /etc/shadow");
	take("\"op\":\"connect\",\"addr\":\"169.254.169.254\",\"port\":80,\"verdict\":\"allow\"");
	expect("?read=~/.ssh/id_ed25519 ?read=~/.aws/credentials ?read=/etc/shadow ?connect=169.254.169.254");
}

Test(report_learn, no_tree_takes_a_secret_in)
{
	take("read ~/.config/app.conf");
	take("read ~/.config/app/x");
	take("read ~/.config/b/x");
	take("read ~/.config/c/x");
	take("read ~/.config/d/x");
	expect("read=~/.config/app read=~/.config/app.conf read=~/.config/b read=~/.config/c read=~/.config/d");
}

Test(report_learn, places_are_learnt_by_name)
{
	take("\"op\":\"connect\",\"addr\":\"93.184.216.34\",\"port\":443,\"host\":\"example.org\",\"verdict\":\"allow\"");
	take("\"op\":\"connect\",\"addr\":\"93.184.216.35\",\"port\":443,\"host\":\"example.org\",\"verdict\":\"deny\"");
	take("\"op\":\"connect\",\"addr\":\"10.1.2.3\",\"port\":22,\"verdict\":\"allow\"");
	take("\"op\":\"connect\",\"addr\":\"2001:db8::1\",\"port\":22,\"verdict\":\"allow\"");
	take("\"op\":\"bind\",\"addr\":\"0.0.0.0\",\"port\":8080,\"verdict\":\"deny\",\"rule\":\"network.bind\"");
	expect("allow=example.org:443 allow=10.1.2.3:22 allow=[2001:db8::1]:22 bind=allow");
}

Test(report_learn, rules_about_programs_are_questions)
{
	take("\"op\":\"exec\",\"path\":\"/usr/bin/sudo\",\"argv\":[\"sudo\",\"id\"],\"exe\":\"/bin/sh\",\"verdict\":\"deny\","
	     "\"rule\":\"name.denylist\",\"via\":\"shim\"");
	take("\"op\":\"exec\",\"path\":\"/usr/bin/python3\",\"argv\":[\"python3\",\"-c\",\"1\"],\"exe\":\"/usr/bin/tox\","
	     "\"verdict\":\"deny\",\"rule\":\"argv.inline\",\"via\":\"shim\"");
	expect("trusted_callers=tox ?name.denylist=sudo id");
}

Test(report_learn, process_numbers_and_session_folders_do_not_stay)
{
	take("\"op\":\"read\",\"pid\":4711,\"path\":\"/proc/4711/smaps\",\"verdict\":\"allow\"");
	take("\"op\":\"read\",\"pid\":4711,\"path\":\"/proc/4712/smaps\",\"verdict\":\"allow\"");
	take("write /tmp/bridle-0123456789abcdef/tmp/x");
	expect("read=/proc/*/smaps write=${TMPDIR}");
}

Test(report_learn, names_are_not_taken_for_patterns)
{
	take("read ~/we*rd/[x]/a");
	take("read ~/we*rd/[x]/\xff");
	expect("read=~/we\\*rd/\\[x\\]");
}

static void write_policy(FILE *out, const void *data)
{
	learn_write(out, &learn, data, "tool", "a\nb");
}

Test(report_learn, the_policy_is_good_and_allows_it)
{
	static const char *const lines[] = {"read ~/sdk/we*rd \\\"x\\\"/lib", "write ~/store/data/c", "read /file"};
	struct learn_additions additions;
	struct failure failure;
	char path[300];

	for (size_t i = 0; i < 3; i++)
		take(lines[i]);
	take("\"op\":\"connect\",\"addr\":\"2001:db8::1\",\"port\":22,\"verdict\":\"allow\"");
	cr_assert(learn_add_up(&learn, &additions));
	char *text = test_written(write_policy, &additions);

	snprintf(path, sizeof(path), "%s/bridle.cfg", root);
	FILE *file = fopen(path, "we");

	cr_assert(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
	learn_additions_free(&additions);
	learn_close(&learn);
	policy_free(base);
	base = policy_load(&(struct policy_choice){.file = path}, &failure);
	unlink(path);
	cr_assert_not_null(base, "%s\n%s", failure.text, text);
	cr_assert(learn_open(&learn, base, home, &failure), "%s", failure.text);
	for (size_t i = 0; i < 3; i++)
		take(lines[i]);
	take("\"op\":\"connect\",\"addr\":\"2001:db8::1\",\"port\":22,\"verdict\":\"allow\"");
	expect("");
	free(text);
}

static const struct {
	const char *before, *after;
} updates[] = {
	{"", "\npaths: {\n\tread = [\n\t\t\"/new\" // mark: c\n\t];\n};\n"},
	{"mode = \"audit\";\n", "mode = \"audit\";\n\npaths: {\n\tread = [\n\t\t\"/new\" // mark: c\n\t];\n};\n"},
	{"paths: {};", "paths: {\n\tread = [\n\t\t\"/new\" // mark: c\n\t];\n};"},
	{"paths = { read = []; };", "paths = { read = [\n\t\t\"/new\" // mark: c\n\t]; };"},
	{"paths: { read = [ \"/a\" ]; }", "paths: { read = [ \"/a\",\n\t\t\"/new\" // mark: c\n\t ]; }"},
	{"paths: { read = [ \"/a\", ]; }", "paths: { read = [ \"/a\",\n\t\t\"/new\" // mark: c\n\t ]; }"},
	{"/* paths: { */ x: { paths = { read = [\"]}\"]; }; };\n# }\n"
	 "paths: { /* ] */ write = [\"/w\"]; read = (\"/a\" \"b\"); };",
	 "/* paths: { */ x: { paths = { read = [\"]}\"]; }; };\n# }\npaths: { /* ] */ write = [\"/w\"]; read = (\"/a\" \"b\",\n"
	 "\t\t\"/new\" // mark: c\n\t); };"},
	{"@include \"x.cfg\"\npaths: { read = [ \"\\\"]\" ]; };",
	 "@include \"x.cfg\"\npaths: { read = [ \"\\\"]\",\n\t\t\"/new\" // mark: c\n\t ]; };"},
};

Test(report_learn_update, entries_go_where_they_belong, .init = NULL)
{
	struct learn_entry entry = {"/new", "c"};
	struct learn_additions additions = {.lists = {{"paths", "read", &entry, 1}}};
	struct failure failure;

	for (size_t i = 0; i < sizeof(updates) / sizeof(updates[0]); i++) {
		char *after = learn_update(updates[i].before, &additions, "mark", &failure);

		cr_assert_not_null(after, "%s: %s", updates[i].before, failure.text);
		cr_expect_str_eq(after, updates[i].after);
		free(after);
	}
	cr_expect_null(learn_update("paths = 7;", &additions, "mark", &failure));
	cr_expect_null(learn_update("paths: { read = \"/a\"; };", &additions, "mark", &failure));
}

Test(report_learn_update, what_is_set_is_not_overwritten)
{
	struct learn_entry entry = {"allow", "c"};
	struct learn_additions additions = {.scalars = {{"network", "bind", &entry, 1}}, .scalar_count = 1};
	struct failure failure;
	char *after = learn_update("network: { connect = \"deny\"; };", &additions, "mark", &failure);

	cr_expect_str_eq(after, "network: { connect = \"deny\"; \n\tbind = \"allow\"; // mark: c\n};");
	free(after);
	cr_expect_null(learn_update("network: { bind = \"deny\"; };", &additions, "mark", &failure));
	cr_expect_not_null(strstr(failure.text, "network.bind"));
}
