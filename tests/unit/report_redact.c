/* SPDX-License-Identifier: MIT */
/* Secrets do not leave; everything else does, byte for byte. */
#include "report/redact.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <regex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static struct redact *open_redact(const char *const *patterns)
{
	struct failure failure = {{0}};
	struct redact *redact = redact_new(patterns, &failure);

	cr_assert_not_null(redact, "%s", failure.text);
	return redact;
}

static void expect(struct redact *redact, const char *line, const char *wanted)
{
	char buffer[REDACT_SIZE(4096)];
	size_t length = redact_line(redact, line, strlen(line), buffer);

	buffer[length] = '\0';
	cr_expect_str_eq(buffer, wanted);
}

#define A20 "aB3dEfGh1jKlMnOpQrSt"
#define A40 A20 A20

/* What stands between two bars must be gone; the rest must stay. */
static const char *const shapes[] = {
	"export KEY |sk-ant-" A20 "|",
	"|sk-" A40 "|",
	"|sk_live_" A20 "| |pk_test_" A20 "|",
	"|ghp_" A40 "| |gho_" A40 "|",
	"|github_pat_11" A20 "_" A20 "|",
	"|glpat-" A20 "|",
	"|AKIAIOSFODNN7EXAMPLE|",
	"|ASIAIOSFODNN7EXAMPLE|",
	"|xoxb-123456789012-" A20 "|",
	"|AIza" A20 "_" A20 "|",
	"|eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0." A20 "|",
	"|npm_" A40 "|",
	"|pypi-" A40 "|",
	"|hf_" A40 "|",
	"|-----BEGIN OPENSSH PRIVATE KEY-----b3BlbnNzaC1rZXk|",
	"Authorization: Bearer |" A20 "|",
	"authorization: basic |dXNlcjpodW50ZXIyMg==|",
	"https://|user:hunter22hunter|@example.org/x",
	"--password=|hunter2hunter2| next",
	"/x?api_key=|0123456789abcdef|&y=1",
	"PASSWORD: |correct-horse-battery|",
};

static const char *const innocent[] = {
	"/usr/lib/python3.11/site-packages/sk-learn/x.py",
	"git commit -m \"ask for the password before the token\"",
	"https://example.org:8080/path",
	"/home/me/project/tokenizer.py",
	"0123456789abcdef0123456789abcdef01234567",
	"--token-file /run/x",
	"eyJ",
	"a==b",
};

static char *without_bars(const char *text, bool drop_inside)
{
	char *copy = calloc(1, 4 * strlen(text) + 1), *out = copy;
	bool inside = false;

	for (; *text != '\0'; text++) {
		if (*text == '|') {
			inside = !inside;
			if (inside && drop_inside)
				out = stpcpy(out, "[redacted]");
		} else if (!inside || !drop_inside) {
			*out++ = *text;
		}
	}
	return copy;
}

static char *line_of(const char *text)
{
	json_t *line = json_pack("{si ss s[ss]}", "v", 1, "path", text, "argv", "x", text);
	char *written = json_dumps(line, JSON_COMPACT);

	json_decref(line);
	return written;
}

Test(report_redact, built_in_shapes_are_masked)
{
	struct redact *redact = open_redact(NULL);

	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		char *before = without_bars(shapes[i], false), *after = without_bars(shapes[i], true);
		char *line = line_of(before), *wanted = line_of(after);

		expect(redact, line, wanted);
		free(before);
		free(after);
		free(line);
		free(wanted);
	}
	redact_free(redact);
}

Test(report_redact, every_built_in_shape_has_a_line_here)
{
	static const char *const patterns[] = {
#define SHAPE(trigger, group, pattern) pattern,
#include "report/redact_shapes.def"
#undef SHAPE
	};

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		bool found = false;
		regex_t compiled;

		cr_assert_eq(regcomp(&compiled, patterns[i], REG_EXTENDED | REG_ICASE), 0);
		for (size_t at = 0; at < sizeof(shapes) / sizeof(shapes[0]); at++) {
			char *text = without_bars(shapes[at], false);

			found = found || regexec(&compiled, text, 0, NULL, 0) == 0;
			free(text);
		}
		cr_expect(found, "%s", patterns[i]);
		regfree(&compiled);
	}
}

Test(report_redact, the_innocent_pass)
{
	struct redact *redact = open_redact(NULL);

	for (size_t i = 0; i < sizeof(innocent) / sizeof(innocent[0]); i++) {
		char *line = line_of(innocent[i]);

		expect(redact, line, line);
		expect(redact, line, line);
		free(line);
	}
	redact_free(redact);
}

Test(report_redact, own_patterns_come_on_top)
{
	struct redact *redact = open_redact((const char *const[]){"corp-[0-9]+", "^/home/[a-z]+", NULL});

	expect(redact, "{\"path\":\"/x/corp-12/corp-1234567890\"}", "{\"path\":\"/x/*******/[redacted]\"}");
	expect(redact, "{\"path\":\"/home/somebody/home/me\"}", "{\"path\":\"[redacted]/home/me\"}");
	expect(redact, "{\"path\":\"sk-" A20 "\"}", "{\"path\":\"[redacted]\"}");
	redact_free(redact);
}

Test(report_redact, keys_and_other_values_stay)
{
	struct redact *redact = open_redact((const char *const[]){"path", NULL});

	expect(redact, "{\"path\" : \"the path\", \"n\":12, \"b\":true, \"a\":[\"path\"]}\n",
	       "{\"path\" : \"the ****\", \"n\":12, \"b\":true, \"a\":[\"****\"]}\n");
	expect(redact, "no json \"path", "no json \"path");
	redact_free(redact);
}

Test(report_redact, what_is_encoded_does_not_hide_a_secret)
{
	struct redact *redact = open_redact(NULL);

	expect(redact, "{\"a\":\"\\u0073k-\\u0061" A40 "\\n\\u0001\\\"\\\\\"}", "{\"a\":\"[redacted]\\n\\u0001\\\"\\\\\"}");
	redact_free(redact);
}

Test(report_redact, bad_patterns_are_named)
{
	struct failure failure = {{0}};

	cr_expect_null(redact_new((const char *const[]){"good", "a(b", NULL}, &failure));
	cr_expect_not_null(strstr(failure.text, "\"a(b\""));
	cr_expect_null(redact_new((const char *const[]){"x*", NULL}, &failure));
	cr_expect_not_null(strstr(failure.text, "\"x*\""));
}
