/* SPDX-License-Identifier: MIT */
/* Holds a table of lines against what the shell-line reader says of them. */
#include "shell_dump.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void expect(const struct shell_case *row, enum shell_dialect dialect, const char *wanted)
{
	struct shell_line *line = shell_read(row->line, strlen(row->line), dialect);
	char *dump = shell_dump(line);

	cr_expect_str_eq(dump, wanted, "%s reading of <%s>:\n  got    %s\n  wanted %s",
			 dialect == SHELL_BASH ? "bash's" : "POSIX", row->line, dump, wanted);
	if (dialect == SHELL_BASH && row->posix)
		cr_expect(line->ambiguous, "<%s> is not called ambiguous", row->line);
	free(dump);
	shell_free(line);
}

void shell_expect(const struct shell_case *cases)
{
	for (const struct shell_case *row = cases; row->line; row++) {
		expect(row, SHELL_BASH, row->bash);
		expect(row, SHELL_POSIX, row->posix ? row->posix : row->bash);
	}
}
