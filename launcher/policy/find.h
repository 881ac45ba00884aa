/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_POLICY_FIND_H
#define BRIDLE_POLICY_FIND_H

#include "failure.h"
#include "policy/policy.h"
#include "policy/setting.h"

/* Which policy: a file, or else a built-in profile. */
struct found_policy {
	const char *name;     /* for people: the file as given, "bridle.cfg", or "profile tool" */
	const char *file;     /* absolute, as given otherwise; NULL for a built-in profile */
	const char *resolved; /* of file, symlinks followed */
	const char *place;    /* ... but for its own: a link may be a stranger's where its target is not */
	const char *profile;  /* NULL for a file */
	bool searched;        /* nobody named the file: it was found */
};

/* Design 1.1: --policy, $BRIDLE_POLICY, bridle.cfg here or in the nearest ancestor, else the profile tool. */
bool find_policy(struct arena *arena, const struct policy_choice *choice, struct found_policy *ret_found,
		 struct failure *failure);

/*
 * --root, else the policy's own (relative to its folder), else the folder of the policy file, else the working
 * directory: absolute, symlinks followed. NULL in failure where it is no directory.
 */
char *find_root(struct arena *arena, const struct policy_choice *choice, const struct found_policy *found,
		const struct setting *settings, struct failure *failure);

#endif
