/* SPDX-License-Identifier: MIT */
/* Counts refusals by rule. */
#include "forward/tally.h"

#include <stdio.h>
#include <string.h>

static const char *const ids[RULE_COUNT] = {
#define RULE(name, words) words,
#include "rules.def"
#undef RULE
};

enum rule tally_rule(const char *id)
{
	for (int i = RULE_NONE + 1; id && i < RULE_COUNT; i++)
		if (!strcmp(ids[i], id))
			return i;
	return RULE_NONE;
}

const char *tally_rule_id(enum rule rule)
{
	return ids[rule];
}

void tally_add(struct tally *tally, enum rule rule)
{
	tally->denied++;
	tally->by_rule[rule]++;
}

void tally_words(const struct tally *tally, char *text, size_t size)
{
	struct tally left = *tally;
	size_t used = 0;

	text[0] = '\0';
	for (int i = 0; i < RULE_COUNT && used < size; i++) {
		int most = 0;

		for (int rule = 0; rule < RULE_COUNT; rule++)
			if (left.by_rule[rule] > left.by_rule[most])
				most = rule;
		if (!left.by_rule[most])
			return;
		used += snprintf(text + used, size - used, "%s%s %llu", used ? ", " : "",
				 most ? ids[most] : "other", (unsigned long long)left.by_rule[most]);
		left.by_rule[most] = 0;
	}
}
