/* SPDX-License-Identifier: MIT */
/* What the file actions of a posix_spawn mean for its program's path. */
#ifndef BRIDLE_WRAP_ACTIONS_H
#define BRIDLE_WRAP_ACTIONS_H

#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * The directory that these actions move the child to, as one path from ours; NULL when they do not move it. The
 * storage is a table's and holds until the actions are destroyed.
 */
const char *actions_folder(const posix_spawn_file_actions_t *actions);

/* Do they move it to a folder whose name is too long to be known? actions_folder is not NULL then, and says nothing. */
bool actions_are_lost(const posix_spawn_file_actions_t *actions);

#endif
