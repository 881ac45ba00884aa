/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_POLICY_READ_H
#define BRIDLE_POLICY_READ_H

#include "failure.h"
#include "policy/setting.h"
#include "policy/source.h"

/*
 * The settings that the text spells, unchecked and unmerged, in the arena. NULL with file:line in failure where it is
 * not libconfig syntax, or a number does not fit.
 */
struct setting *read_settings(struct arena *arena, const struct source *source, struct failure *failure);

#endif
