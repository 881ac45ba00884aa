/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CHECK_BROAD_H
#define BRIDLE_CHECK_BROAD_H

#include <stdbool.h>

#include "check/words.h"
#include "image.h"

/*
 * Would a sweeping command that is given this operand reach beyond ordinary work: a ground (the root) itself or what is
 * above it, anything outside the grounds, a .git folder, all files here ("*"), or what cannot be known ("~", "$X")?
 * By the text alone: symlinks are not followed. cwd: absolute, or NULL when unknown; then a relative operand counts as
 * broad when it leads up out of the working directory. Pure: any thread, signal handler, after vfork.
 */
bool check_broad(const struct image *image, const char *cwd, struct span operand);

#endif
