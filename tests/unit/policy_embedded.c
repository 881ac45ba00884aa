/* SPDX-License-Identifier: MIT */
/* What was read when bridle was built is what the profiles' texts say. */
#include "policy/embedded.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "policy/read.h"
#include "policy/schema.h"
#include "policy/source.h"
#include "policy/write.h"

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
