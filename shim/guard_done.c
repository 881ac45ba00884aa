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
#include "frame.h"
#include "guard.h"
#include "real/syscall.h"
#include "report/error.h"

#include "forbid.h"

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

/* A call that is over. */
struct done {
	const struct file_place *place;
	int error; /* 0: it went well */
};

/* A frame_use. */
static long tell(const struct start *sessions, const void *over, const struct frame *frame)
{
	const struct done *done = over;
	const struct file_place *place = done->place;
	struct path_room copy = frame->copy, room = frame->path;
	int error = done->error;
	long length = memory_string(copy.text, copy.size, place->asked), found;

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
	guard_tell(sessions, &request, place->had_line, report_error(error));
	return 0;
}

void guard_ended(const struct file_place *place, int error)
{
	if (place->call && !start_filtered)
		frame_lend(tell, start(), &(struct done){place, error});
}

void guard_done(const struct file_place *place, int error)
{
	guard_ended(place, error);
	guard_leave(place);
}
