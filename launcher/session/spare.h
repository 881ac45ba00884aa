/* SPDX-License-Identifier: MIT */
/*
 * An emptied session folder, with its empty tmp/, its FIFO and its link to the shim, that waits for the next session: on
 * some disks (ext4 with discard) to make and remove a file takes a tenth of a millisecond, and a folder more. Only in the
 * folder around root's sessions, which stays and which nobody else can list.
 */
#ifndef BRIDLE_SESSION_SPARE_H
#define BRIDLE_SESSION_SPARE_H

#include <stdbool.h>

/* Gives the spare folder in `around` the name `folder`. False: there is none, or another session was quicker. */
bool spare_take(const char *around, const char *folder);

/* Does a folder that may have been a spare one hold the FIFO, and the link to just this shim? */
bool spare_holds_fifo(int folder);
bool spare_holds_link(int folder, const char *library);

/*
 * Empties the session folder and makes it the spare one. False when there is one already, or when something about it is not
 * as it was made (a foreign owner, attributes, a table of names that has grown): it is then to be removed.
 */
bool spare_keep(const char *folder);

#endif
