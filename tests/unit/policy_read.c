/* SPDX-License-Identifier: MIT */
/* Reading and merging policies: what is taken, and what each complaint points at. */
#include "policy/policy.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/setting.h"
#include "policy/values.h"
#include "policy_image.h"
#include "policy_trust.h"

/* Each text is refused, and the words hold file:line and what is wrong. */
Test(policy_read, complaints)
{
	static const struct {
		const char *text, *where, *what;
	} rows[] = {
		{"extends = \"tool\";\nnames: { denny = [ \"x\" ]; };\n", "test.cfg:2", "names.denny"},
		{"extends = \"tool\";\n\nlimits: { wall_seconds = \"soon\"; };\n", "test.cfg:3", "a number"},
		{"mode = \"enforce\"\nnames: {\n", "test.cfg:2", "syntax"},
		{"extends = \"nobody\";\n", "test.cfg:1", "nobody"},
		{"extends = \"tool\";\nlimits: { wall_seconds = -5; };\n", "test.cfg:2", "from 0"},
		{"limits: { cpu_seconds = 1.5; };", "test.cfg:1", "whole number"},
		{"\nlimits: { memory_mb = 4294967297; };", "test.cfg:2", "out of range"},
		{"limits: { memory_mb = 0xfffffffff; };", "test.cfg:1", "out of range"},
		{"mode = \"warn\";", "test.cfg:1", "enforce|audit"},
		{"mode = 3;", "test.cfg:1", "string"},
		{"mode = \"enforce\"; mode = \"audit\";", "test.cfg:1", "duplicate"},
		{"nonsense = 1;", "test.cfg:1", "unknown key \"nonsense\""},
		{"paths = 3;", "test.cfg:1", "must be a group"},
		{"paths: { read = \"/usr\"; };", "test.cfg:1", "must be a list"},
		{"paths: { read = [\n\"/usr\",\n\"a[b\" ]; };", "test.cfg:3", "a[b"},
		{"paths: { read = [ 1 ]; };", "test.cfg:1", "strings"},
		{"paths: { read = [ \"\" ]; };", "test.cfg:1", "empty"},
		{"paths: { read = [ \"~bob/x\" ]; };", "test.cfg:1", "another user"},
		{"paths: { read = [ \"${HOME}/x\" ]; };", "test.cfg:1", "no other variables"},
		{"paths: { read = [ \"/a/${TMPDIR}\" ]; };", "test.cfg:1", "TMPDIR"},
		{"paths: { read = [ \"/a/b**/c\" ]; };", "test.cfg:1", "whole component"},
		{"paths: { list = [ \"etc\" ]; };", "test.cfg:1", "a bare name stands for no place"},
		{"paths: { list = [ \"${PATH}\" ]; };", "test.cfg:1", "more than one place"},
		{"paths: { tmp = \"own\"; };", "test.cfg:1", "private|shared"},
		{"paths: {\n read = [ \"!/nowhere\" ]; };", "test.cfg:2", "drops nothing"},
		{"names: { deny = [ \"a/b\" ]; };", "test.cfg:1", "without a slash"},
		{"network: { allow = [ \"1.2.3.4/33\" ]; };", "test.cfg:1", "prefix"},
		{"network: { allow = [ \"1.2.3.400\" ]; };", "test.cfg:1", "IPv4"},
		{"network: { deny = [ \"[::1\" ]; };", "test.cfg:1", "not closed"},
		{"network: { deny = [ \"[::g]\" ]; };", "test.cfg:1", "IPv6"},
		{"network: { deny = [ \"[::1]:65536\" ]; };", "test.cfg:1", "port"},
		{"network: { deny = [ \"a.org:9-1\" ]; };", "test.cfg:1", "ends before"},
		{"network: { deny = [ \"a b\" ]; };", "test.cfg:1", "host name"},
		{"network: { connect = \"maybe\"; };", "test.cfg:1", "deny|allow"},
		{"argv: { deny = ( { flags = [ \"-x\" ]; } ); };", "test.cfg:1", "needs \"name\""},
		{"argv: { deny = [ \"rm\" ]; };", "test.cfg:1", "must hold groups"},
		{"argv: { deny = ( { name = \"rm\"; whence = \"any\"; } ); };", "test.cfg:1", "argv.deny[].whence"},
		{"argv: { deny = ( { name = \"rm\"; match = ( \"a\" ); } ); };", "test.cfg:1", "lists of strings"},
		{"argv: { deny = ( \"!nobody\" ); };", "test.cfg:1", "drops nothing"},
		{"report: { content = \"yes\"; };", "test.cfg:1", "true or false"},
		{"report: { redact = [ \"a(b\" ]; };", "test.cfg:1", "regular expression"},
		{"integrity: { pins = ( { path = \"./x\"; sha256 = \"12\"; } ); };", "test.cfg:1", "64"},
		{"environment: { inherit = [ \"A=B\" ]; };", "test.cfg:1", "variable"},
		{"root = \"no-such-folder\";", "test.cfg:1", "no-such-folder"},
		{"# one\nmode = \"never ends;\n\n", "test.cfg:2", "never ends"},
		{"\n@include \"no-such-part.cfg\"\n", "test.cfg:2", "no-such-part.cfg"},
		{"@include \"test.cfg\"\n", "test.cfg:1", "deeper"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct failure failure = {""};
		struct policy *policy = test_policy(rows[i].text, &failure);

		cr_expect_null(policy, "taken: %s", rows[i].text);
		cr_expect_not_null(strstr(failure.text, rows[i].where), "no %s in: %s", rows[i].where, failure.text);
		cr_expect_not_null(strstr(failure.text, rows[i].what), "no \"%s\" in: %s", rows[i].what, failure.text);
		policy_free(policy);
	}
}

/* The strings of a list, each with a space behind. */
static char *joined(const struct policy *policy, const char *key)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	SETTING_EACH(entry, setting_find(policy_settings(policy), key))
	fprintf(stream, "%s ", entry->text ? entry->text : setting_text(entry, "name", "?"));
	fclose(stream);
	return text;
}

static struct policy *good(const char *text, const char *const *sets)
{
	struct failure failure = {""};
	char *file = test_file("test.cfg", text);
	struct policy_choice choice = {.file = file, .sets = sets};
	struct policy *policy = policy_load(&choice, &failure);

	cr_assert_not_null(policy, "%s", failure.text);
	free(file);
	return policy;
}

static void expect_list(const struct policy *policy, const char *key, const char *wanted)
{
	char *text = joined(policy, key);

	cr_expect_str_eq(text, wanted, "%s is: %s", key, text);
	free(text);
}

Test(policy_read, values_arrive)
{
	struct policy *policy = good("extends = \"none\"; mode = \"audit\"; paths: { tmp = \"private\"; };\n"
				     "limits: { wall_seconds = 1.5; cpu_seconds = 3; };\n"
				     "report: { level = \"all\"; };\n"
				     "environment: { inherit = [ \"A\" ]; set = ( { name = \"X\"; value = \"1\"; },\n"
				     " { name = \"Y\"; value = \"\"; }, { name = \"X\"; value = \"2\"; } ); };\n"
				     "coverage: { uncovered = \"deny\"; backstop = \"off\"; };",
				     NULL);
	const struct policy_environment *environment = policy_environment(policy);

	cr_expect_eq(policy_mode(policy), POLICY_AUDIT);
	cr_expect(policy_private_tmp(policy));
	cr_expect(policy_report_all(policy));
	cr_expect_eq(policy_uncovered(policy), POLICY_UNCOVERED_DENY);
	cr_expect_eq(policy_backstop(policy), POLICY_BACKSTOP_OFF);
	cr_expect_float_eq(policy_limits(policy)->wall_seconds, 1.5, 1e-9);
	cr_expect_eq(policy_limits(policy)->cpu_seconds, 3);
	cr_expect_eq(policy_limits(policy)->output_bytes, 65536);
	cr_expect_str_eq(environment->inherit[0], "A");
	cr_expect_null(environment->inherit[1]);
	cr_assert_eq(environment->set_count, 2);
	cr_expect_str_eq(environment->set[0].value, "2");
	cr_expect_str_eq(policy_profile(policy), "none");
	cr_expect_str_eq(policy_root(policy), test_folder());
	policy_free(policy);
}

Test(policy_read, lists_append_and_drop)
{
	const char *const sets[] = {"names.deny=one", "names.deny=[ \"two\", \"three\" ]", "names.deny=!two",
				    "limits.wall_seconds=7", "report.content=true", "network.allow=[::1]", NULL};
	const char *const lists[] = {"argv.deny=( { name = \"a\"; }, { name = \"b\"; }, { name = \"c\"; } )",
				     "argv.deny=( \"!b\" )", NULL};
	struct policy *policy = good("extends = \"none\"; names: { deny = [ \"zero\" ]; };", sets);

	expect_list(policy, "names.deny", "zero one three ");
	expect_list(policy, "network.allow", "[::1] ");
	cr_expect_eq(policy_limits(policy)->wall_seconds, 7);
	policy_free(policy);
	policy = good("extends = \"none\";", lists);
	expect_list(policy, "argv.deny", "a c ");
	policy_free(policy);
}

Test(policy_read, a_policy_lies_over_its_profile)
{
	struct policy *base = good("extends = \"tool\";", NULL);
	struct policy *policy = good("extends = \"tool\"; limits: { wall_seconds = 9; };\n"
				     "network: { allow = [ \"!127.0.0.0/8\", \"127.0.0.1\" ]; };",
				     NULL);

	cr_expect_eq(policy_limits(policy)->wall_seconds, 9);
	cr_expect_eq(policy_limits(policy)->grace_seconds, policy_limits(base)->grace_seconds);
	expect_list(base, "network.allow", "127.0.0.0/8 [::1] ");
	expect_list(policy, "network.allow", "[::1] 127.0.0.1 ");
	cr_expect_str_eq(policy_profile(policy), "tool");
	policy_free(base);
	policy_free(policy);
}

Test(policy_read, without_extends_the_base_is_tool)
{
	struct policy *policy = good("names: { deny = [ \"x\" ]; };", NULL);

	cr_expect_str_eq(policy_profile(policy), "tool");
	expect_list(policy, "network.allow", "127.0.0.0/8 [::1] ");
	policy_free(policy);
}

Test(policy_read, bad_overrides_name_their_key)
{
	static const char *const rows[] = {"limits.wall_seconds=soon", "limits.wall_seconds=-1", "limits.cpu_seconds=1.5",
					   "limits.wall=1", "limits=1", "mode=off", "report.content=maybe", "nothing",
					   "=1", "names.deny=!nobody", "paths.read=a[", "extends=none", "argv.deny=rm",
					   "limits.memory_mb=99999999999999999999", "argv.deny[].name=x"};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *sets[] = {rows[i], NULL};
		struct policy_choice choice = {.profile = "tool", .sets = sets};
		struct failure failure = {""};
		struct policy *policy = policy_load(&choice, &failure);

		cr_expect_null(policy, "taken: %s", rows[i]);
		cr_expect_not_null(strstr(failure.text, "--set"), "%s: %s", rows[i], failure.text);
		cr_expect(strstr(failure.text, rows[i]) || strstr(failure.text, "!nobody"), "%s: %s", rows[i],
			  failure.text);
		policy_free(policy);
	}
}

Test(policy_read, parts_keep_their_own_lines)
{
	struct failure failure = {""};
	char *part = test_file("part.cfg", "// a part\nnetwork: {\n alow = [ ];\n};\n");

	cr_expect_null(test_policy("mode = \"enforce\";\n@include \"part.cfg\"\n", &failure));
	cr_expect_not_null(strstr(failure.text, "part.cfg:3"), "%s", failure.text);
	unlink(part);
	free(part);
}

Test(policy_read, which_policy)
{
	struct policy_choice choice = {.profile = "nobody"};
	struct failure failure = {""};
	struct policy *policy;
	char *file = test_file("bridle.cfg", "extends = \"none\";\n"), *below, *trusted;

	unsetenv("BRIDLE_POLICY");
	cr_expect_null(policy_load(&choice, &failure));
	cr_expect_not_null(strstr(failure.text, "nobody"));
	cr_assert_gt(asprintf(&below, "%s/below", test_folder()), 0);
	cr_assert_eq(mkdir(below, 0700), 0);
	cr_assert_eq(chdir(below), 0);

	choice = (struct policy_choice){NULL};
	policy = policy_load(&choice, &failure);
	cr_assert_not_null(policy, "%s", failure.text);
	cr_expect_null(policy_file(policy), "found, and not trusted");
	cr_expect_str_eq(policy_untrusted(policy), file);
	cr_expect_str_eq(policy_root(policy), below);
	policy_free(policy);

	setenv("HOME", test_folder(), 1);
	cr_assert(policy_trust_file(NULL, &trusted, &failure), "%s", failure.text);
	cr_expect_str_eq(trusted, file);
	free(trusted);
	policy = policy_load(&choice, &failure);
	cr_assert_not_null(policy, "%s", failure.text);
	cr_expect_null(policy_untrusted(policy));
	cr_expect_str_eq(policy_file(policy), file);
	cr_expect_str_eq(policy_root(policy), test_folder());
	policy_free(policy);

	choice.root = ".";
	policy = policy_load(&choice, &failure);
	cr_expect_str_eq(policy_root(policy), below);
	policy_free(policy);

	setenv("BRIDLE_POLICY", "missing.cfg", 1);
	cr_expect_null(policy_load(&choice, &failure));
	cr_expect_not_null(strstr(failure.text, "missing.cfg"));
	unsetenv("BRIDLE_POLICY");

	unlink(file);
	policy = policy_load(&choice, &failure);
	cr_expect_str_eq(policy_name(policy), "profile tool");
	cr_expect_null(policy_file(policy));
	policy_free(policy);
	choice = (struct policy_choice){.file = "x.cfg", .profile = "tool"};
	cr_expect_null(policy_load(&choice, &failure));
	cr_assert_eq(chdir(test_folder()), 0);
	unlink(".config/bridle/trusted");
	rmdir(".config/bridle");
	rmdir(".config");
	cr_assert_eq(chdir("/"), 0);
	rmdir(below);
	free(below);
	free(file);
}

Test(policy_read, network_entries)
{
	static const struct {
		const char *text;
		int version, prefix;
		uint16_t low, high;
		const char *host;
	} rows[] = {
		{"10.0.0.0/8", 4, 8, 0, 65535, ""},
		{"10.0.0.1:80", 4, 32, 80, 80, ""},
		{"10.0.0.0/8:80-90", 4, 8, 80, 90, ""},
		{"::1", 6, 128, 0, 65535, ""},
		{"[::1]:0", 6, 128, 0, 0, ""},
		{"[fe80::/10]:1-2", 6, 10, 1, 2, ""},
		{"[fe80::]/10", 6, 10, 0, 65535, ""},
		{"fe80::/10", 6, 10, 0, 65535, ""},
		{"Example.ORG", 0, 0, 0, 65535, "example.org"},
		{"*.a.b:443", 0, 0, 443, 443, "*.a.b"},
		{"*:53", 0, 0, 53, 53, "*"},
		{"10.0.0.1:*", 4, 32, 0, 65535, ""},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct network_entry entry;
		const char *wrong = network_read(rows[i].text, &entry);

		cr_assert_null(wrong, "%s %s", rows[i].text, wrong);
		cr_expect(entry.version == rows[i].version && entry.prefix == rows[i].prefix, "%s", rows[i].text);
		cr_expect(entry.port_low == rows[i].low && entry.port_high == rows[i].high, "%s", rows[i].text);
		cr_expect_str_eq(entry.host, rows[i].host);
	}
}
