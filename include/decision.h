/* SPDX-License-Identifier: MIT */
/*
 * What the policy answers to a request. A decision is a plain value: it holds offsets into the image,
 * never pointers, and may be copied, kept and compared anywhere.
 */
#ifndef BRIDLE_DECISION_H
#define BRIDLE_DECISION_H

#include <stdbool.h>
#include <stdint.h>

enum rule {
#define RULE(name, words) RULE_##name,
#include "rules.def"
#undef RULE
	RULE_COUNT
};

struct decision {
	bool denied;
	bool listed : 1; /* allowed, but only to list that folder (paths.list) */
	bool quiet : 1;  /* denied, but programs look there by habit: no violation (paths.hide) */
	bool below : 1;  /* denied, as what is moved takes along a path that has a rule of its own: reason is that path */
	uint8_t rule;    /* enum rule; RULE_NONE when allowed */
	int32_t element; /* index of the deciding element of argv, -1 when there is none */
	uint32_t origin; /* index + 1 into the image's origins: the policy entry that decided; 0: none */
	uint32_t reason; /* offset into the image's strings of the entry's own reason; 0: none given */
};

#define DECISION_ALLOW ((struct decision){.denied = false, .rule = RULE_NONE, .element = -1})
#define DECISION_DENY(which) ((struct decision){.denied = true, .rule = (which), .element = -1})

#endif
