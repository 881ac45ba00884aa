/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_EXPLAIN_H
#define BRIDLE_EXPLAIN_H

#include <jansson.h>
#include <stdio.h>

#include "decide/decide.h"

/*
 * A verdict as JSON: verdict, rule, reason, element, argv, unwrapped, policy (file, line), hint; what there is none of is
 * null. NULL without memory.
 */
json_t *explain_json(const struct question *question, const struct verdict *verdict);

/* The same as lines for people. */
void explain_text(const struct question *question, const struct verdict *verdict, FILE *out);

/* Which setting of the policy would allow what a rule refused; NULL: none. */
const char *explain_hint(enum rule rule);

#endif
