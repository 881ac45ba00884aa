/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_SUGGEST_H
#define BRIDLE_SUGGEST_H

#include <stddef.h>

/*
 * The word of `known` (count entries, none NULL) that `typed` is most likely a slip of, or NULL when none is near:
 * at most a third of its letters changed, added, dropped or swapped with their neighbour. Words over 32 bytes have none.
 */
const char *suggest(const char *typed, const char *const *known, size_t count);

#endif
