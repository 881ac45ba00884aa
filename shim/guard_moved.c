/* SPDX-License-Identifier: MIT */
/*
 * A folder gets another name, and all that lies in it with it: a rule on a path below it would be about nothing any more, one
 * below its new name about something that was never judged by it. Rare, as no call comes here without such a rule.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "check/path.h"
#include "describe/memory.h"
#include "describe/path.h"
#include "frame.h"
#include "guard.h"
#include "real/syscall.h"

#include "forbid.h"

/* Where one of the names leads, while the other is looked for. */
struct side {
	const struct move_call *call;
	struct path_room first; /* the path of call->from; length bytes */
	size_t length;
	const char *subject; /* as the caller says it */
	bool folder;
};

/* Puts where a name leads into frame->path. Result: its length; 0: that cannot be said; -ENAMETOOLONG. */
static long find(const struct file_place *place, bool follows, const struct frame *frame)
{
	struct path_room copy = frame->copy, room = frame->path;
	struct path_lead lead = {0};
	long length = memory_string(copy.text, copy.size, place->asked), error;

	if (length < 0)
		return length == -ENAMETOOLONG ? length : 0;
	if (place->held)
		length = path_fold(room, place->dirfd, place->path, strlen(place->path));
	else if (!*copy.text && place->asked_dirfd >= 0)
		length = path_of_descriptor(room, place->asked_dirfd);
	else if (start_filtered)
		length = path_fold(room, place->asked_dirfd, copy.text, (size_t)length);
	else {
		error = path_follow(room, frame->rest, place->asked_dirfd, copy.text,
				    follows ? PATH_FOLLOW_LAST : PATH_ENTRY, &lead);
		length = error ? error : (long)lead.length;
	}
	return length < 0 && length != -ENAMETOOLONG ? 0 : length;
}

static bool is_folder(const struct file_place *place, bool follows)
{
	struct stat status;
	int flags = AT_EMPTY_PATH | (follows ? 0 : AT_SYMLINK_NOFOLLOW);

	if (start_filtered)
		return true;
	return raw(SYS_newfstatat, place->dirfd, place->path, &status, flags) == 0 && S_ISDIR(status.st_mode);
}

/* What lies below `path` comes to lie below `other`; NULL: nobody knows where. */
static long judge(const struct start *start, const struct move_call *call, const char *subject, struct path_room path,
		  size_t length, const char *other, size_t other_length)
{
	struct request request = {OP_WRITE, call->name, subject, path.text, length};
	struct judgement judgement = {0};

	for (unsigned i = 0; i < start->count; i++) {
		const struct image *image = start->sessions[i].image;

		judgement.decisions[i] = check_path_below(image, path.text, length, other, other_length);
		if (!judgement.decisions[i].denied)
			continue;
		judgement.denied |= 1u << i;
		judgement.refused |= !(image->flags & IMAGE_AUDIT);
	}
	return judgement.denied ? guard_settle(start, &request, &judgement) : GUARD_GO;
}

/* A frame_use. */
static long judge_second(const struct start *start, const void *asked, const struct frame *frame)
{
	const struct side *side = asked;
	const struct move_call *call = side->call;
	long length = find(call->to, call->follows, frame), answer;

	if (length <= 0)
		return length;
	if (!side->folder && !(call->exchanges && is_folder(call->to, call->follows)))
		return GUARD_GO;
	answer = judge(start, call, side->subject, side->first, side->length, frame->path.text, (size_t)length);
	if (answer || call->follows)
		return answer; /* what is mounted elsewhere has its first name still */
	return judge(start, call, frame->copy.text, frame->path, (size_t)length, side->first.text, side->length);
}

static long borrow_second(const struct start *start, const void *asked, const struct frame *frame)
{
	return frame_lend_rest(judge_second, start, asked, frame);
}

/* A frame_use. */
static long judge_first(const struct start *start, const void *asked, const struct frame *frame)
{
	const struct move_call *call = asked;
	long length = find(call->from, call->follows, frame);
	struct side side = {call, frame->path, (size_t)length, frame->copy.text, false};

	if (length <= 0)
		return length;
	side.folder = is_folder(call->from, call->follows);
	if (call->to)
		return frame_lend(borrow_second, start, &side);
	return side.folder ? judge(start, call, side.subject, side.first, side.length, NULL, 0) : GUARD_GO;
}

static long borrow_first(const struct start *start, const void *asked, const struct frame *frame)
{
	return frame_lend_rest(judge_first, start, asked, frame);
}

long guard_moved(const struct move_call *call)
{
	const struct start *sessions = start();
	long answer;

	if (sessions->state != START_READY)
		return sessions->state == START_BROKEN ? -EACCES : GUARD_GO;
	answer = frame_lend(borrow_first, sessions, call);
	return answer == -EACCES ? answer : GUARD_GO; /* what else is wrong the kernel says */
}
