/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_POLICY_OVERRIDE_H
#define BRIDLE_POLICY_OVERRIDE_H

#include "failure.h"
#include "policy/setting.h"

/*
 * `--set KEY=VALUE` as a tree to lay over the policy: VALUE is read as the key's type in the schema. For a list of
 * strings it is one entry to append ("!entry" drops one) or a whole list in libconfig's spelling; a list of groups is
 * written in libconfig's spelling. NULL with the key in failure where it is no known key or no such value.
 */
struct setting *override_read(struct arena *arena, const char *set, struct failure *failure);

#endif
