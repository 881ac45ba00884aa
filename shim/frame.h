/* SPDX-License-Identifier: MIT */
/*
 * The storage that a call's paths need while it is judged, lent on the stack: a small frame for ordinary paths, as stacks may
 * be small, and a large one only when that was too small. Safe anywhere.
 */
#ifndef BRIDLE_FRAME_H
#define BRIDLE_FRAME_H

#include "describe/path.h"
#include "start.h"

#define FRAME_COPY 512 /* bytes of the small rooms, multiples of eight */
#define FRAME_PATH 576

struct frame {
	struct path_room copy; /* for the path as the caller says it */
	struct path_room path; /* for where it leads */
	struct path_room rest; /* for what path_follow has still to walk: frame_lend_rest only */
};

/* Who borrows one. call: what was given to frame_lend. Result: -ENAMETOOLONG when a room is too small. */
typedef long frame_use(const struct start *start, const void *call, const struct frame *frame);

/* Calls use with a frame without rest, and again with a large one where it says -ENAMETOOLONG. Result: its own. */
long frame_lend(frame_use *use, const struct start *start, const void *call);

/* The second half of that, for who has had a small frame of its own. */
long frame_lend_long(frame_use *use, const struct start *start, const void *call);

/* Calls use with the same frame and a rest beside it, of its size. */
long frame_lend_rest(frame_use *use, const struct start *start, const void *call, const struct frame *frame);

#endif
