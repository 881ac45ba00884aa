/* SPDX-License-Identifier: MIT */
/* Report lines: whole JSON of bounded length whatever goes in, and no code in them. */
#include "report/line.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "check/path.h"
#include "policy_image.h"
#include "report.h"
#include "report/error.h"
#include "report/sha256.h"

static const struct report_context context = {
	.via = VIA_SHIM,
	.session = "1f3c9a",
	.exe = "/usr/bin/cat",
	.pid = 12,
	.ppid = 11,
	.tid = 13,
	.seconds = 1700000000,
	.microseconds = 42,
	.enforced = true,
	.errno_name = "EACCES",
};

/* An image without a rule: every section is empty but the strings, which hold the empty one. */
static const union {
	struct image image;
	char bytes[sizeof(struct image) + 8];
} bare = {.image = {.magic = IMAGE_MAGIC, .strings = {sizeof(struct image), 1}}};

static json_t *line_for(const struct image *image, const struct request *request, const struct decision *decision,
			size_t size)
{
	static char buffer[REPORT_LINE_MAX + 1];
	json_error_t error;
	size_t length;
	json_t *line;

	memset(buffer, '#', sizeof(buffer));
	length = report_line(buffer, size, image, request, decision, &context);
	cr_assert_leq(length, size);
	cr_assert_eq(buffer[size], '#', "written behind the end");
	cr_assert_eq(buffer[length - 1], '\n');
	cr_assert_null(memchr(buffer, '\n', length - 1), "a line break inside of the line");
	line = json_loadb(buffer, length - 1, 0, &error);
	cr_assert(line, "%s: %.*s", error.text, (int)length, buffer);
	return line;
}

static json_t *line_of(const struct request *request, const struct decision *decision, size_t size)
{
	return line_for(&bare.image, request, decision, size);
}

static const char *text_of(const json_t *line, const char *key)
{
	const char *text = json_string_value(json_object_get(line, key));

	return text ? text : "(none)";
}

Test(report_line, says_who_what_and_why)
{
	struct request request = {
		.op = OP_READ, .call = "open64", .subject = "../x", .path = "/srv/x", .path_length = 6};
	struct decision decision = DECISION_DENY(RULE_PATH_JAIL);
	json_t *line = line_of(&request, &decision, 1536);

	cr_expect_eq(json_integer_value(json_object_get(line, "v")), REPORT_VERSION);
	cr_expect_float_eq(json_real_value(json_object_get(line, "ts")), 1700000000.000042, 1e-6);
	cr_expect_str_eq(text_of(line, "session"), "1f3c9a");
	cr_expect_str_eq(text_of(line, "exe"), "/usr/bin/cat");
	cr_expect_str_eq(text_of(line, "call"), "open64");
	cr_expect_str_eq(text_of(line, "op"), "read");
	cr_expect_str_eq(text_of(line, "path"), "../x");
	cr_expect_str_eq(text_of(line, "target"), "/srv/x");
	cr_expect_str_eq(text_of(line, "verdict"), "deny");
	cr_expect_str_eq(text_of(line, "rule"), "path.jail");
	cr_expect_str_eq(text_of(line, "errno"), "EACCES");
	cr_expect(strstr(text_of(line, "reason"), "/srv/x"));
	cr_expect_null(json_object_get(line, "cut"));
	cr_expect_null(json_object_get(line, "argv"));
	json_decref(line);
}

Test(report_line, escapes_and_mends)
{
	struct request request = {.op = OP_WRITE, .call = "open", .subject = "a\"\\\n\t\x01\x7f\xff\xc3\xa9\xed\xa0\x80z"};
	struct decision decision = DECISION_ALLOW;
	json_t *line = line_of(&request, &decision, 1024);

	cr_expect_str_eq(text_of(line, "path"), "a\"\\\n\t\x01\x7f\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz");
	cr_expect_str_eq(text_of(line, "verdict"), "allow");
	cr_expect_null(json_object_get(line, "rule"));
	json_decref(line);
}

Test(report_line, cuts_what_is_too_long_and_says_so)
{
	static char longest[5000];
	char *argv[] = {longest, longest, NULL};
	struct request request = {.op = OP_EXEC,
				  .call = "execve",
				  .subject = longest,
				  .path = longest + 1,
				  .argv = argv,
				  .argc = 2};
	struct decision decision = DECISION_DENY(RULE_NAME_DENYLIST);

	/* Bytes that take one, three and six places in JSON. */
	for (const char *byte = "a\xff\x01\""; *byte; byte++) {
		memset(longest, *byte, sizeof(longest) - 1);
		for (size_t size = 1024; size <= REPORT_LINE_MAX; size += 512) {
			json_t *line = line_of(&request, &decision, size);

			cr_expect(json_is_true(json_object_get(line, "cut")));
			cr_expect_str_eq(text_of(line, "rule"), "name.denylist");
			cr_expect_str_eq(text_of(line, "errno"), "EACCES");
			cr_expect_str_neq(text_of(line, "reason"), "(none)");
			json_decref(line);
		}
	}
}

Test(report_line, writes_addresses_as_people_do)
{
	static const struct {
		struct address address;
		const char *text;
	} rows[] = {
		{{2, 443, {127, 0, 0, 1}, NULL}, "127.0.0.1"},
		{{10, 443, {[15] = 1}, NULL}, "::1"},
		{{10, 443, {0}, NULL}, "::"},
		{{10, 443, {0x20, 1, 0x0d, 0xb8, [15] = 1}, NULL}, "2001:db8::1"},
		{{10, 443, {0x20, 1, [3] = 1, [5] = 1, [7] = 1, [9] = 1, [11] = 1, [13] = 1, [15] = 1}, NULL},
		 "2001:1:1:1:1:1:1:1"},
		{{10, 443, {0xfe, 0x80}, NULL}, "fe80::"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct request request = {.op = OP_CONNECT, .call = "connect", .address = &rows[i].address};
		struct decision decision = DECISION_DENY(RULE_NETWORK_CONNECT);
		json_t *line = line_of(&request, &decision, 1024);

		cr_expect_str_eq(text_of(line, "addr"), rows[i].text);
		cr_expect_eq(json_integer_value(json_object_get(line, "port")), 443);
		json_decref(line);
	}
}

Test(report_line, knows_sha256)
{
	static const struct {
		const char *text, *hash;
	} rows[] = {
		{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
	};
	char hash[SHA256_TEXT];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		sha256_text(hash, rows[i].text, strlen(rows[i].text));
		cr_expect_str_eq(hash, rows[i].hash);
	}
}

static void expect_hidden(const struct image *image, char *const *argv, size_t argc, const char *code)
{
	struct request request = {.op = OP_EXEC, .call = "execve", .subject = argv[0], .argv = argv, .argc = argc};
	struct decision decision = DECISION_DENY(RULE_NAME_DENYLIST);
	json_t *line = line_for(image, &request, &decision, 1536);
	char *text = json_dumps(line, 0), hash[SHA256_TEXT];

	sha256_text(hash, code, strlen(code));
	cr_expect_null(strstr(text, code), "code in %s", text);
	cr_expect(strstr(text, hash), "no hash in %s", text);
	free(text);
	json_decref(line);
}

Test(report_line, tells_what_may_only_be_read_from_what_is_outside)
{
	static const struct {
		const char *path, *words;
		enum op op;
	} rows[] = {
		{"/lib/x", "\"/lib/x\" may be read but not written (rule path.jail", OP_WRITE},
		{"/names/x", "\"/names/x\" is outside of the allowed folders (rule path.jail", OP_WRITE},
		{"/names/x", "\"/names/x\" is outside of the allowed folders (rule path.jail", OP_READ},
		{"/else", "\"/else\" is outside of the allowed folders (rule path.jail", OP_WRITE},
	};
	struct image *image = test_image("extends = \"none\"; paths: { read = [ \"/lib\" ]; list = [ \"/names/*\" ]; };", NULL);

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		size_t length = strlen(rows[i].path);
		struct request request = {.op = rows[i].op, .path = rows[i].path, .path_length = length};
		struct decision decision = check_path(image, rows[i].op, rows[i].path, length);
		char words[512];

		if (decision.listed)
			decision = DECISION_DENY(RULE_PATH_JAIL);
		cr_assert(decision.denied, "%s", rows[i].path);
		report_reason(words, sizeof(words), image, &request, &decision);
		cr_expect_eq(strncmp(words, rows[i].words, strlen(rows[i].words)), 0, "%s", words);
	}
	free(image);
}

Test(report_line, never_shows_code)
{
	size_t size;
	struct image *image = test_image("extends = \"none\";\n"
					 "argv: { interpreters = (\n"
					 "  { name = \"tongue\"; code = [ \"-c\", \"--eval\" ]; } ); };\n",
					 &size);
	char *apart[] = {(char *)(size_t) "tongue", (char *)(size_t) "-c", (char *)(size_t) "say(1)",
			 (char *)(size_t) "x", NULL};
	char *joined[] = {(char *)(size_t) "/opt/tongue", (char *)(size_t) "-csay(2)", NULL};
	char *equals[] = {(char *)(size_t) "tongue", (char *)(size_t) "--eval=say(3)", NULL};

	expect_hidden(image, apart, 4, "say(1)");
	expect_hidden(image, joined, 2, "say(2)");
	expect_hidden(image, equals, 2, "say(3)");
	free(image);
}

Test(report_line, says_how_a_call_ended)
{
	struct request request = {.op = OP_WRITE, .call = "rename", .subject = "/a", .change = CHANGE_REMOVE};
	struct report_context how = context;
	char buffer[REPORT_LINE_MAX];
	size_t length;
	json_t *line;

	how.outcome = true;
	how.errno_name = report_error(-ENOENT);
	length = report_line(buffer, sizeof(buffer), &bare.image, &request, &DECISION_ALLOW, &how);
	line = json_loadb(buffer, length, 0, NULL);
	cr_assert_not_null(line);
	cr_expect_str_eq(text_of(line, "change"), "remove");
	cr_expect_str_eq(text_of(line, "errno"), "ENOENT");
	cr_expect(json_is_true(json_object_get(line, "outcome")));
	json_decref(line);
	line = line_of(&(struct request){.op = OP_WRITE, .call = "open", .subject = "/a"}, &DECISION_ALLOW, 1024);
	cr_expect_null(json_object_get(line, "change"));
	cr_expect_null(json_object_get(line, "outcome"));
	json_decref(line);
}

Test(report_line, errors_have_the_names_that_libc_gives_them)
{
	cr_expect_null(report_error(0));
	cr_expect_str_eq(report_error(EAGAIN), "EAGAIN");
	cr_expect_str_eq(report_error(4095), "EUNKNOWN");
	for (int error = 1; error < 134; error++) {
		const char *name = strerrorname_np(error), *ours = report_error(error);

		cr_expect(strcmp(ours, "EUNKNOWN") == 0 || (name && strcmp(ours, name) == 0), "%d: %s", error, ours);
	}
}
