/* SPDX-License-Identifier: MIT */
/* Shell lines under the policy of tests/cases/corpus.cfg, in a project made for the test. */
#ifndef BRIDLE_TESTS_SHELL_POLICY_H
#define BRIDLE_TESTS_SHELL_POLICY_H

#include <stdbool.h>
#include <stddef.h>

/* Expects the verdict for each of the lines. The home is /home/dev, the project lies beside a folder outside/. */
void shell_policy_expect(const char *const *lines, size_t count, bool denied);

/* The rule that refuses a line under a policy file's text, "" when it is allowed. Static memory. */
const char *shell_policy_rule(const char *policy, const char *line);

#endif
