/* SPDX-License-Identifier: MIT */
/* "Did you mean": the nearest known word by edit distance. */
#include "suggest.h"

#include <string.h>

#define WORD_MAX 32

static unsigned smaller(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Changed, added or dropped letters, and swapped neighbours, that lead from a to b. */
static unsigned distance(const char *a, const char *b)
{
	unsigned table[WORD_MAX + 1][WORD_MAX + 1];
	size_t rows = strlen(a), columns = strlen(b);

	for (size_t i = 0; i <= rows; i++)
		table[i][0] = i;
	for (size_t j = 0; j <= columns; j++)
		table[0][j] = j;
	for (size_t i = 1; i <= rows; i++) {
		for (size_t j = 1; j <= columns; j++) {
			unsigned best = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

			best = smaller(best, table[i - 1][j] + 1);
			best = smaller(best, table[i][j - 1] + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				best = smaller(best, table[i - 2][j - 2] + 1);
			table[i][j] = best;
		}
	}
	return table[rows][columns];
}

const char *suggest(const char *typed, const char *const *known, size_t count)
{
	const char *found = NULL;
	unsigned best = WORD_MAX;

	if (strlen(typed) > WORD_MAX)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		unsigned far, most = (strlen(known[i]) + 2) / 3;

		if (strlen(known[i]) > WORD_MAX)
			continue;
		far = distance(typed, known[i]);
		if (far <= most && far < best) {
			best = far;
			found = known[i];
		}
	}
	return found;
}
