/* SPDX-License-Identifier: MIT */
/* From a command line's choice to one merged tree of settings: profile, what it extends, file, single settings. */
#ifndef BRIDLE_POLICY_LAYERS_H
#define BRIDLE_POLICY_LAYERS_H

#include <stdbool.h>
#include <stddef.h>

#include "policy/find.h"
#include "policy/policy.h"
#include "policy/setting.h"

/* All that is pointed at lives as long as the arena, or as long as the launcher itself. */
struct layers {
	struct arena *arena;
	bool whole; /* by the caller: nothing may be left out */
	struct found_policy found;
	struct setting *settings;
	const char *profile;
	const char *untrusted; /* a file that was found and is not used for want of trust, or NULL */
	const char *rules;     /* the part left out because it is compiled already, or NULL */
	const char **allowed;  /* "!dd" in names.deny, where "dd" stands in what is left out */
	size_t allowed_count;
	const char **sources; /* every file that was read, under each of its names; ends with NULL */
	size_t source_count;
};

/*
 * Fills LAYERS, of which arena and whole are set, with what CHOICE asks for. Returns false with FAILURE set: a
 * file that cannot be read, a setting that is not known or of a wrong kind, a profile that does not exist.
 */
bool layers_load(struct layers *layers, const struct policy_choice *choice, struct failure *failure);

#endif
