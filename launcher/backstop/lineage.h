/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_BACKSTOP_LINEAGE_H
#define BRIDLE_BACKSTOP_LINEAGE_H

#include <sys/types.h>

#include "check/command.h"

/*
 * Judges a command once more, with the names of who starts it: some callers may hand code to an interpreter or remove what
 * they made, and what they say through a shell or a version manager's script is theirs too. As the shim does it. tid: the
 * stopped caller.
 */
struct decision lineage_judge(const struct image *image, struct command command, pid_t tid);

#endif
