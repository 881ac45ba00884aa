/* SPDX-License-Identifier: MIT */
/* What an expression in the way of find chooses by name. */
#include "check/choice.h"

#include <string.h>

#define LEVELS 31

void choice_start(struct choice *choice)
{
	*choice = (struct choice){.all = 1};
}

static uint32_t bit(const struct choice *choice)
{
	return 1u << choice->level;
}

static void open_group(struct choice *choice)
{
	if (choice->level == LEVELS) {
		choice->lost = true;
		return;
	}
	choice->level++;
	choice->here &= ~bit(choice);
	choice->all |= bit(choice);
	choice->inverted = choice->inverts ? choice->inverted | bit(choice) : choice->inverted & ~bit(choice);
	choice->inverts = false;
}

static void close_group(struct choice *choice)
{
	uint32_t chosen = choice->here & choice->all & ~choice->inverted & bit(choice);

	if (!choice->level) {
		choice->lost = true;
		return;
	}
	choice->level--;
	if (chosen)
		choice->here |= bit(choice);
}

static void next_alternative(struct choice *choice)
{
	choice->all &= choice->here | ~bit(choice);
	choice->here &= ~bit(choice);
}

bool choice_takes(struct choice *choice, const struct scan *scan, enum scan_event event)
{
	struct span word = scan->word;

	if (event == SCAN_DASHES || scan->element != scan->value_element)
		return false;
	if (span_is(word, "("))
		open_group(choice);
	else if (span_is(word, ")"))
		close_group(choice);
	else if (span_is(word, "!") || span_is(word, "-not"))
		choice->inverts = !choice->inverts;
	else if (span_is(word, "-o") || span_is(word, "-or") || span_is(word, ","))
		next_alternative(choice);
	else
		return span_is(word, "-a") || span_is(word, "-and");
	return true;
}

void choice_test(struct choice *choice, bool chooses)
{
	if (chooses && !choice->inverts)
		choice->here |= bit(choice);
	choice->inverts = false;
}

bool choice_is_made(const struct choice *choice)
{
	return !choice->lost && choice->here & (2 * bit(choice) - 1);
}

bool choice_names(struct span pattern)
{
	for (size_t i = 0; i < pattern.length; i++) {
		const char *end;

		if (pattern.text[i] == '[') {
			end = memchr(pattern.text + i, ']', pattern.length - i);
			i = end ? (size_t)(end - pattern.text) : i;
		} else if (!strchr("*?./\\+^$", pattern.text[i])) {
			return true;
		}
	}
	return false;
}
