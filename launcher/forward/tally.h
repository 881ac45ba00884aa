/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_TALLY_H
#define BRIDLE_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "decision.h"

/* How often each rule refused. */
struct tally {
	uint64_t denied;
	uint64_t by_rule[RULE_COUNT]; /* RULE_NONE: rules of a name that is not known here */
};

/* The rule of a rule id, RULE_NONE when there is none of that name; and the id of a rule. */
enum rule tally_rule(const char *id);
const char *tally_rule_id(enum rule rule);

void tally_add(struct tally *tally, enum rule rule);

/* "path.jail 3, name.denylist 1", the most frequent first, cut to size. */
void tally_words(const struct tally *tally, char *text, size_t size);

#endif
