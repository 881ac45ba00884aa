/* SPDX-License-Identifier: MIT */
/* What a policy says of the report: what is masked in it, and how big its file may grow. */
#ifndef BRIDLE_FORWARD_CONFIGURE_H
#define BRIDLE_FORWARD_CONFIGURE_H

#include "forward/forward.h"
#include "policy/setting.h"

/*
 * settings: of the whole policy. forward is open. False with the reason in failure: a pattern that is none, or too many of
 * them.
 */
bool forward_configure(struct forward *forward, const struct setting *settings, struct failure *failure);

#endif
