/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_LIMITS_H
#define BRIDLE_LIMITS_H

#include <sys/resource.h>

#include "decision.h"
#include "failure.h"
#include "policy/policy.h"

/*
 * Sets the resource limits of this process, for it and all it starts. Never raises one: where the surroundings allow
 * less, that stays. Core dumps are always off. Returns 0 or the errno. Safe in a forked child.
 */
int limits_apply(const struct policy_limits *limits);

/* Only that: no core dump of this process and all it starts. */
int limits_no_core(void);

/*
 * Room for the launcher's own descriptors: raises its soft limit where that is small; *ret_before is what the command shall
 * have. False with the remedy in failure where no more is allowed.
 */
bool limits_open_files(struct rlimit *ret_before, struct failure *failure);

/*
 * Which limit ended a command with this wait status, as far as that can be told: limit.cpu by SIGXCPU (or SIGKILL after
 * cpu_used seconds), limit.file_size by SIGXFSZ, also where a shell passes 128+N on. RULE_NONE: none that shows.
 */
enum rule limits_verdict(const struct policy_limits *limits, int wait_status, double cpu_used);

#endif
