/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_POLICY_TEST_H
#define BRIDLE_POLICY_TEST_H

#include "policy/policy.h"

/*
 * `bridle policy test`: judges the cases in the files (JSON Lines: argv, expect "allow" or "deny", and optionally id,
 * shell, rule, axis, why, debatable) against the policy and prints TAP on stdout. Goes to the policy's root first, where
 * relative paths start. Returns the exit status: 0 all as expected, 1 some not, 2 it could not be done.
 */
int policy_test(const struct policy_choice *choice, char *const *files, int count);

#endif
