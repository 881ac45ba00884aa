/* SPDX-License-Identifier: MIT */
/* Each size has a function of its own, so that nobody's stack holds the large one for an ordinary path. */
#include "frame.h"

#include <errno.h>

#include "forbid.h"

#define LONG_COPY 4096
#define LONG_PATH 6144

static __attribute__((noinline)) long lend_short(frame_use *use, const struct start *start, const void *call)
{
	char copy[FRAME_COPY], path[FRAME_PATH];

	return use(start, call, &(struct frame){.copy = {copy, sizeof(copy)}, .path = {path, sizeof(path)}});
}

static __attribute__((noinline)) long lend_short_rest(frame_use *use, const struct start *start, const void *call,
						      struct frame frame)
{
	char rest[FRAME_COPY];

	frame.rest = (struct path_room){rest, sizeof(rest)};
	return use(start, call, &frame);
}

LONG_FRAME_BEGIN
__attribute__((noinline)) long frame_lend_long(frame_use *use, const struct start *start, const void *call)
{
	char copy[LONG_COPY], path[LONG_PATH];

	return use(start, call, &(struct frame){.copy = {copy, sizeof(copy)}, .path = {path, sizeof(path)}});
}

static __attribute__((noinline)) long lend_long_rest(frame_use *use, const struct start *start, const void *call,
						     struct frame frame)
{
	char rest[LONG_COPY + 1];

	frame.rest = (struct path_room){rest, sizeof(rest)};
	return use(start, call, &frame);
}
LONG_FRAME_END

long frame_lend(frame_use *use, const struct start *start, const void *call)
{
	long answer = lend_short(use, start, call);

	return answer == -ENAMETOOLONG ? frame_lend_long(use, start, call) : answer;
}

long frame_lend_rest(frame_use *use, const struct start *start, const void *call, const struct frame *frame)
{
	return frame->copy.size > FRAME_COPY ? lend_long_rest(use, start, call, *frame)
					     : lend_short_rest(use, start, call, *frame);
}
