/* SPDX-License-Identifier: MIT */
/*
 * How a call on a file ended, told when it has come back: where it was made is known from its place, whatever name the file
 * has by now. Only where somebody wants to know (start_tells).
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "describe/memory.h"
#include "describe/path.h"
#include "guard.h"
#include "real/syscall.h"
#include "report/error.h"

#include "forbid.h"

#define SHORT_COPY 512
#define SHORT_PATH 576
#define LONG_COPY 4096
#define LONG_PATH 6144

static enum change change_of(const struct file_place *place)
{
	if (place->flags & FILE_STAYS)
		return CHANGE_NONE;
	if (place->flags & FILE_REMOVES)
		return CHANGE_REMOVE;
	return (place->flags & FILE_CREATES) && !place->there ? CHANGE_CREATE : CHANGE_UNSAID;
}

/* Where the call was made: a name in a directory, the file itself, or what its own words come to. */
static long find(struct path_room room, const struct file_place *place, const char *copy, size_t length)
{
	if (!place->held)
		return path_fold(room, place->asked_dirfd, copy, length);
	if (place->flags & FILE_FOLLOW)
		return path_of_descriptor(room, place->fd);
	return path_fold(room, place->dirfd, place->path, strlen(place->path));
}

/* Result: 0, or -ENAMETOOLONG when a room is too small. */
static long tell(const struct file_place *place, struct path_room copy, struct path_room room, int error)
{
	const struct start *sessions = start();
	long length = memory_string(copy.text, copy.size, place->asked), found;
	struct judgement judgement;

	if (length < 0)
		return length == -ENAMETOOLONG ? length : 0;
	found = find(room, place, copy.text, (size_t)length);
	if (found == -ENAMETOOLONG)
		return found;
	struct request request = {
		.op = (enum op)place->op,
		.call = place->call,
		.subject = copy.text,
		.path = found > 0 ? room.text : NULL,
		.path_length = found > 0 ? (size_t)found : 0,
		.change = error ? CHANGE_UNSAID : change_of(place),
	};
	guard_judge(sessions, &request, NULL, &judgement);
	guard_tell(sessions, &request, judgement.denied, report_error(error));
	return 0;
}

static __attribute__((noinline)) long tell_short(const struct file_place *place, int error)
{
	char copy[SHORT_COPY], path[SHORT_PATH];

	return tell(place, (struct path_room){copy, sizeof(copy)}, (struct path_room){path, sizeof(path)}, error);
}

LONG_FRAME_BEGIN
static __attribute__((noinline)) long tell_long(const struct file_place *place, int error)
{
	char copy[LONG_COPY], path[LONG_PATH];

	return tell(place, (struct path_room){copy, sizeof(copy)}, (struct path_room){path, sizeof(path)}, error);
}
LONG_FRAME_END

void guard_done(const struct file_place *place, int error)
{
	if (place->call && !start_filtered && tell_short(place, error) == -ENAMETOOLONG)
		tell_long(place, error);
	guard_leave(place);
}
