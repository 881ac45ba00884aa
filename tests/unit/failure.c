/* SPDX-License-Identifier: MIT */
/* failure_set: words are formatted, cut to fit, and the result is false. */
#include "failure.h"

#include <criterion/criterion.h>
#include <string.h>

Test(failure, formats_and_returns_false)
{
	struct failure failure = {{0}};

	cr_assert_not(failure_set(&failure, "%s:%d: %s", "bridle.cfg", 7, "unknown key"));
	cr_assert_str_eq(failure.text, "bridle.cfg:7: unknown key");
}

Test(failure, cuts_what_does_not_fit)
{
	struct failure failure;
	char words[3 * sizeof(failure.text)];

	memset(words, 'w', sizeof(words) - 1);
	words[sizeof(words) - 1] = '\0';
	failure_set(&failure, "%s", words);
	cr_assert_eq(strlen(failure.text), sizeof(failure.text) - 1);
}
