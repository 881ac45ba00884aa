/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_COMPILE_NETWORK_H
#define BRIDLE_COMPILE_NETWORK_H

#include "compile/builder.h"
#include "compile/compile.h"
#include "failure.h"
#include "policy/policy.h"

/*
 * Fills the sections network, network_addresses and network_hosts, the most specific rule first: by address the longest
 * prefix, by host the longest literal text, then the narrowest range of ports, at a tie deny.
 */
bool compile_network(struct builder *builder, const struct policy *policy, const struct compile_context *context,
		     struct failure *failure);

#endif
