/* SPDX-License-Identifier: MIT */
/*
 * Where the directory of a descriptor lay when it was last asked for. To ask costs more than the open that it is for; to
 * remember costs one fstat of the descriptor.
 *
 * The answer may be old: when a process that no session guards moves a folder above the directory, nobody notices. So it
 * must not decide about the descriptor itself. Use it only to open a file for reading, by the absolute path that was judged
 * and with RESOLVE_NO_SYMLINKS. What is opened is then always what was judged; it is another file than the caller meant
 * only when that process has also put another tree where the moved one was.
 *
 * Safe anywhere: lock-free, any thread, signal handler, vfork child.
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
