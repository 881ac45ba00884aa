/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_START_HANDOFF_H
#define BRIDLE_START_HANDOFF_H

#include <stddef.h>

/*
 * The value of BRIDLE_SESSION (handoff.h) that this program was started with, or NULL: it lives in no session. Result: in
 * environ, or in the room, cut to its size. Safe anywhere: any thread, signal handler, vfork child.
 */
const char *start_handoff(char *room, size_t size);

#endif
