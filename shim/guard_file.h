/* SPDX-License-Identifier: MIT */
/* What the two parts of a call that names a file share: judging it (guard_file.c), holding its place (guard_file_hold.c). */
#ifndef BRIDLE_GUARD_FILE_H
#define BRIDLE_GUARD_FILE_H

#include "guard.h"

/* Where the last component starts; a call about the name itself takes the slashes behind it along. */
size_t file_last_name(const struct file_call *call, const char *path, size_t length);

/*
 * Does the kernel meet no symlink there, in all of the path or in the folder of its last name? Then the place is held.
 * Answers false whenever it cannot be sure. A bare name's folder is dirfd itself, which has no links left.
 */
bool file_hold_plain(const struct file_call *call, char *path, size_t length);

/*
 * Holds where the followed path leads, which no link may stand in any more. Result: 0, held or left as it was asked, or
 * the kernel's -errno: then something has changed since, and the path is to be followed anew.
 */
long file_hold_lead(const struct file_call *call, const char *copy, struct path_room room, const struct path_lead *lead);

/* Takes back what was held: the call is made in the caller's words, or its path is looked at anew. */
void file_let_go(struct file_place *place);

#endif
