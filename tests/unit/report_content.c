/* SPDX-License-Identifier: MIT */
/* What a report line shows of a command: long words only where they name a file, or where the policy wants content. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy_image.h"
#include "report.h"
#include "report/line.h"
#include "report/sha256.h"

#define WORD_BYTES 300

static char word[WORD_BYTES + 1], message[WORD_BYTES + 16], path[WORD_BYTES + 8];

static void fill(void)
{
	memset(word, 'w', WORD_BYTES);
	snprintf(message, sizeof(message), "--message=%s", word);
	snprintf(path, sizeof(path), "/%s", word);
	for (size_t i = 50; i < WORD_BYTES; i += 50)
		path[i] = '/';
}

/* The argv of the line about `program word`. */
static const char *argv_of(const char *policy, const char *program, const char *second)
{
	static char line[REPORT_LINE_MAX + 1];
	size_t size;
	struct image *image = test_image(policy, &size);
	char *argv[] = {strdup(program), strdup(second), NULL};
	struct request request = {.op = OP_EXEC, .call = "execve", .subject = argv[0], .argv = argv, .argc = 2};
	struct report_context context = {.via = VIA_SHIM, .session = "s", .pid = 1, .ppid = 1, .tid = 1};
	struct decision decision = {.denied = false};

	line[report_line(line, REPORT_LINE_MAX, image, &request, &decision, &context)] = '\0';
	free(argv[0]);
	free(argv[1]);
	free(image);
	return strstr(line, "\"argv\"");
}

static void expect(const char *argv, const char *part)
{
	cr_expect(strstr(argv, part), "no %s in %s", part, argv);
}

Test(report_content, a_long_word_is_length_and_sum, .init = fill)
{
	char sum[SHA256_TEXT], hidden[128];
	const char *argv;

	sha256_text(sum, word, WORD_BYTES);
	snprintf(hidden, sizeof(hidden), "[%d bytes, sha256 %s]", WORD_BYTES, sum);
	argv = argv_of("extends = \"none\";", "nobody-knows", word);
	expect(argv, hidden);
	cr_expect_null(strstr(argv, "wwww"));
	argv = argv_of("extends = \"none\";", "nobody-knows", message);
	expect(argv, "\"--message=[300 bytes");
	cr_expect_null(strstr(argv, "wwww"));
}

Test(report_content, what_is_short_or_names_a_file_is_shown, .init = fill)
{
	expect(argv_of("extends = \"agent\";", "rm", path), path);
	word[256] = '\0';
	expect(argv_of("extends = \"none\";", "nobody-knows", word), word);
	word[256] = 'w';
}

Test(report_content, content_shows_all, .init = fill)
{
	expect(argv_of("extends = \"none\"; report: { content = true; };", "nobody-knows", word), word);
}

Test(report_content, no_control_character_is_raw)
{
	expect(argv_of("extends = \"none\";", "nobody-knows", "a\x1b[31m\xc2\x9b"
							      "31m\x7f\xc2\xa0z"),
	       "\"a\\u001b[31m\\u009b31m\\u007f\xc2\xa0z\"");
}
