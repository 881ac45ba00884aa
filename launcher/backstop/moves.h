/* SPDX-License-Identifier: MIT */
/*
 * The shims remember where folders lie, the working directory first of all. What goes around them and makes that old (a
 * raw chdir, a static program that renames a folder) stops in the supervisor, which tells them through the session page.
 * Any thread of the supervisor may call these.
 */
#ifndef BRIDLE_BACKSTOP_MOVES_H
#define BRIDLE_BACKSTOP_MOVES_H

#include "backstop/question.h"

/*
 * Before such a call goes on: from here until it has surely come back nobody remembers anything, and what was remembered
 * before does not count.
 */
void moves_begin(struct rules *rules, const struct seccomp_notif *notification);

/* A child is about to share its parent's working directory and no memory with it: for good. */
void moves_share(struct rules *rules);

/* From time to time: lets the shims remember again once every call that moves_begin was told of has come back. */
void moves_settle(struct rules *rules);

#endif
