/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_BACKSTOP_JUDGE_H
#define BRIDLE_BACKSTOP_JUDGE_H

#include "backstop/question.h"

/*
 * Judges one notification with the same checks as launcher and shim, and reports what it refuses. Returns 0 (let the
 * call go on) or the errno that the caller gets. Any thread; rules is shared, the rest is the
 * caller's own.
 */
int judge_call(struct rules *rules, const struct seccomp_notif *notification);

#endif
