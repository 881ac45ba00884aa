/* SPDX-License-Identifier: MIT */
/*
 * Where the directory of a descriptor lay when it was last asked for. To ask costs more than the open that it is for; this
 * costs one look at the descriptor.
 *
 * What is remembered may be old: a folder above that somebody moves whom no session guards is not noticed. So it is no ground
 * for an answer about the descriptor itself. It is good for opening, by the absolute path that was judged and where the
 * kernel meets no symlink, a file that is only read: what is opened is what was judged, always, and it is what the caller
 * meant unless that somebody has put another tree in the place of the moved one. Safe anywhere, lock-free.
 */
#ifndef BRIDLE_DESCRIBE_FOLDER_H
#define BRIDLE_DESCRIBE_FOLDER_H

#include "describe/path.h"

/*
 * Writes the path of the directory that fd is open on, remembered or asked for now. Result: its length; -ENOTDIR when it is
 * none; path_of_descriptor's errors.
 */
long folder_recall(struct path_room room, int fd);

#endif
