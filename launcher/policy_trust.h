/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_POLICY_TRUST_COMMAND_H
#define BRIDLE_POLICY_TRUST_COMMAND_H

#include <stdbool.h>

#include "failure.h"

/* bridle policy trust [FILE]: argv[0] is "trust"; the exit status. */
int policy_trust(int argc, char **argv);

/*
 * Checks the policy and records it as trusted; file NULL: the one that is found from here. *ret_path: its path, from
 * malloc. False with the reason in failure: a policy with a mistake is not trusted.
 */
bool policy_trust_file(const char *file, char **ret_path, struct failure *failure);

#endif
