/* SPDX-License-Identifier: MIT */
/* What is written about bridle is complete: each rule, each option, each command, each setting. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forward/tally.h"
#include "options.h"
#include "policy/schema.h"

static char *text_of(const char *name)
{
	FILE *file = fopen(name, "r");
	char *text = NULL;
	size_t room = 0;

	cr_assert(file, "the tests run from the top of the tree: %s", name);
	cr_assert_gt(getdelim(&text, &room, '\0', file), 0);
	fclose(file);
	return text;
}

static void expect_in(const char *text, const char *before, const char *word, const char *after)
{
	char line[200];

	snprintf(line, sizeof(line), "%s%s%s", before, word, after);
	cr_expect(strstr(text, line), "not described: %s", word);
}

Test(manual, says_of_every_rule_what_to_do)
{
	char *text = text_of("examples/why-denied.md");

	for (int rule = RULE_NONE + 1; rule < RULE_COUNT; rule++)
		expect_in(text, "\n| `", tally_rule_id(rule), "` | ");
	free(text);
}

Test(manual, names_every_option_and_command)
{
	static const char *const commands[] = {
#define COMMAND(name, arguments, words) #name,
#include "commands.def"
#undef COMMAND
	};
	char *text = text_of("launcher/man/bridle.1");
	const char *name;
	bool value;

	for (size_t i = 0; (name = options_name(i, &value)) != NULL; i++)
		expect_in(text, "\\-", name, "");
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		expect_in(text, "\n.It Cm ", commands[i], "\n");
	free(text);
}

Test(manual, names_every_setting)
{
	char *text = text_of("launcher/man/bridle.cfg.5");
	const struct schema_row *row;

	for (size_t i = 0; (row = schema_at(i)) != NULL; i++)
		if (row->type != SCHEMA_GROUP && !strstr(row->key, "[]"))
			expect_in(text, "\n.It Cm ", row->key, "\n");
	free(text);
}
