/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_HOOK_REWRITE_H
#define BRIDLE_HOOK_REWRITE_H

#include <jansson.h>

#include "hook/judge.h"
#include "policy/policy.h"

/*
 * The input of a shell tool with its command put under `bridle run` and the policy that judged it: a line becomes a line, an
 * argv an argv; nothing else of the input is changed. choice: what the hook itself was told. NULL without memory, or where
 * bridle cannot tell its own path. The caller drops it.
 */
json_t *hook_rewrite(const struct hook_event *event, const char *key, const struct policy *policy,
		     const struct policy_choice *choice);

#endif
