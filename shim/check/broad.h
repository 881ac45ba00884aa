/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CHECK_BROAD_H
#define BRIDLE_CHECK_BROAD_H

#include "check/words.h"
#include "image.h"

/* How far a sweeping command reaches. */
enum reach {
	REACH_SCRATCH, /* beneath TMPDIR */
	REACH_WITHIN,  /* ordinary work: beneath a ground (the root, a folder for temporary files) */
	REACH_GROUND,  /* a ground itself, all files in it ("*") */
	REACH_BEYOND   /* above the root, outside of the grounds, a .git folder, or what cannot be known ("~", "$X") */
};

/*
 * By the operand's text alone: symlinks are not followed. cwd: absolute, or NULL when unknown; then a relative operand is
 * within unless it leads up out of the working directory or is that. Pure: any thread, signal handler, after vfork.
 */
enum reach check_broad(const struct image *image, const char *cwd, struct span operand);

#endif
