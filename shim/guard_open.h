/* SPDX-License-Identifier: MIT */
/* What the two ways of an open share: by the text of its path (guard_open.c), or by where it leads (guard_open_lead.c). */
#ifndef BRIDLE_GUARD_OPEN_H
#define BRIDLE_GUARD_OPEN_H

#include "frame.h"
#include "guard.h"

/* The kernel's bit without the O_DIRECTORY that glibc's constant carries. */
#define TMPFILE_BIT (O_TMPFILE & ~O_DIRECTORY)

static inline bool open_creates(const struct open_call *call)
{
	return !(call->flags & O_PATH) && (call->flags & (O_CREAT | TMPFILE_BIT));
}

static inline bool open_writes(const struct open_call *call)
{
	if (call->flags & O_PATH)
		return false;
	return (call->flags & O_ACCMODE) != O_RDONLY || (call->flags & (O_CREAT | O_TRUNC | TMPFILE_BIT));
}

/* length bytes in the room: where the path leads. */
static inline struct request open_describe(const struct open_call *call, const char *subject, struct path_room room,
					   size_t length)
{
	return (struct request){
		.op = open_writes(call) ? OP_WRITE : OP_READ,
		.call = call->name,
		.subject = subject,
		.path = room.text,
		.path_length = length,
	};
}

/* The one step: opens the path, in which the kernel may meet no symlink. Result: a descriptor or -errno. */
long open_exactly(const struct open_call *call, int dirfd, const char *path);

/* The same where links lead to nothing outside dirfd, and none of /proc to more than its text. */
long open_beneath(const struct open_call *call, int dirfd, const char *path);

/* Not answers of the file system but of a kernel or a filter that does not do openat2: the real call decides. */
static inline bool open_is_no_answer(long result)
{
	return result == -ENOSYS || result == -EPERM || result == -EINVAL;
}

/* Tells how an open ended. there: the file was, before it; had_line: by session, as in struct judgement. */
void open_tell(const struct start *start, const struct request *request, const struct open_call *call, bool there,
	       unsigned had_line, long result);

/* A frame_use with a rest: follows the links of the call's path, judges where it leads and opens that. */
long open_slowly(const struct start *start, const void *asked, const struct frame *frame);

#endif
