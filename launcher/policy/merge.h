/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_POLICY_MERGE_H
#define BRIDLE_POLICY_MERGE_H

#include "failure.h"
#include "policy/setting.h"

/*
 * Lays `above` over `base`, a group over a group, into a new tree in the arena: scalars replace, groups merge, lists
 * append. "!entry" in a list drops what it inherits: in a list of strings the equal string, in a list of groups the
 * groups whose name (or path) is entry. Dropping nothing is an error with file:line. NULL on failure.
 */
struct setting *merge_settings(struct arena *arena, const struct setting *base, const struct setting *above,
			       struct failure *failure);

#endif
