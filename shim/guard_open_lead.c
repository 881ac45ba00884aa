/* SPDX-License-Identifier: MIT */
/* Opens by where the path leads, when its text does not say: the links are followed here, the end is judged and opened. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "describe/alone.h"
#include "describe/path.h"
#include "guard_open.h"
#include "real/syscall.h"
#include "report/error.h"

#include "forbid.h"

#define RETRIES 8

/* Tells how an open ended. had_line: by session, as in struct judgement. */
void open_tell(const struct start *start, const struct request *request, const struct open_call *call, bool there,
	       unsigned had_line, long result)
{
	struct request told = *request;

	if (result >= 0 && open_creates(call) && !there && !(call->flags & TMPFILE_BIT))
		told.change = CHANGE_CREATE;
	guard_tell(start, &told, had_line, result < 0 && result != GUARD_REAL ? report_error(result) : NULL);
}

static long ended(const struct start *start, const struct request *request, const struct open_call *call, bool there,
		  unsigned had_line, long result)
{
	if (__builtin_expect(start_tells, false))
		open_tell(start, request, call, there, had_line, result);
	return result;
}

static bool is_directory(const char *path)
{
	struct stat status;

	return raw(SYS_newfstatat, AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(status.st_mode);
}

/*
 * Judges where the path leads. Result: GUARD_GO, its end to be told by the caller, or the error that the caller gets.
 * *ret_had_line: the sessions that it is against the policy of.
 */
static long judge_lead(const struct start *start, const struct open_call *call, const struct request *request,
		       const struct path_lead *lead, unsigned *ret_had_line)
{
	struct judgement judgement;

	*ret_had_line = 0;
	if (lead->error && !open_creates(call)) /* the kernel's own answer: looking for what is not there is no violation */
		return ended(start, request, call, false, 0, lead->error);
	if (lead->open_already) {
		guard_count(start);
		return GUARD_GO;
	}
	guard_judge(start, request, NULL, &judgement);
	if (judgement.refused && open_writes(call) && !(call->flags & TMPFILE_BIT) && is_directory(request->path))
		return -EISDIR;
	*ret_had_line = judgement.denied;
	return guard_settle_now(start, request, &judgement);
}

/* In the caller's own words, where no path of ours leads to the file, or the kernel has no openat2. */
static long open_as_asked(const struct open_call *call, const char *copy)
{
	if (!call->in_libc)
		return GUARD_REAL;
	return raw_guarded(SYS_openat, call->dirfd, copy, call->flags, call->mode, 0);
}

/* Below a descriptor of /proc, with no /proc to ask: by the text, which the kernel follows to nothing beyond. */
static long open_in_proc(const struct start *start, const struct open_call *call, const char *copy, struct path_room room)
{
	struct judgement judgement;
	long length, answer;

	memcpy(room.text, "/proc", sizeof("/proc"));
	length = path_append(room, sizeof("/proc") - 1, copy, strlen(copy));
	if (length < 0)
		return GUARD_UNSURE;
	struct request request = open_describe(call, copy, room, (size_t)length);
	guard_judge(start, &request, NULL, &judgement);
	answer = guard_settle_now(start, &request, &judgement);
	if (!answer)
		answer = open_beneath(call, call->dirfd, copy);
	return ended(start, &request, call, true, judgement.denied, answer);
}

/*
 * The file behind an O_PATH descriptor, which ends here. Alone it is opened in the caller's own words; beside other threads
 * these may lead elsewhere by now.
 */
static long open_held(const struct open_call *call, const char *copy, int fd)
{
	struct file_place place;
	long answer;

	place_as_asked(&place, call->dirfd, copy);
	if (alone_is_so() || !call->in_libc)
		raw(SYS_close, fd);
	else
		place_file(&place, fd);
	if (!place.held)
		return open_as_asked(call, copy);
	answer = raw_guarded(SYS_openat, place.dirfd, place.path, call->flags & ~O_NOFOLLOW, call->mode, 0);
	guard_leave(&place);
	return answer;
}

/* The directory of dirfd has no path any more (removed): let the kernel find the file, then ask where it is. */
static long open_unplaced(const struct start *start, const struct open_call *call, const char *copy,
			  struct path_room room)
{
	struct path_lead lead = {0};
	unsigned had_line;
	long fd, length, answer = GUARD_UNSURE;

	if (call->in_libc && *copy != '/' && path_is_proc(call->dirfd))
		answer = open_in_proc(start, call, copy, room);
	if (answer != GUARD_UNSURE)
		return answer;
	fd = raw_guarded(SYS_openat, call->dirfd, copy, O_PATH | O_CLOEXEC | (call->flags & O_NOFOLLOW), 0, 0);
	if (fd < 0)
		return fd;
	length = path_of_descriptor(room, (int)fd);
	if (length == -ENOENT && call->in_libc && __atomic_load_n((uint64_t *)&raw_word, __ATOMIC_RELAXED)) {
		raw(SYS_close, fd);
		return raw(SYS_openat, call->dirfd, copy, call->flags, call->mode, 0); /* the backstop knows where it is */
	}
	if (length == -ENAMETOOLONG) {
		raw(SYS_close, fd);
		return length;
	}
	lead.length = length > 0 ? (size_t)length : 0;
	room.text[lead.length] = '\0';
	struct request request = open_describe(call, copy, room, lead.length);
	answer = judge_lead(start, call, &request, &lead, &had_line);
	if (!answer)
		return ended(start, &request, call, true, had_line, open_held(call, copy, (int)fd));
	raw(SYS_close, fd);
	return answer;
}

/* Opens what was followed and judged. -ELOOP where no link was to be: it is to be followed anew. */
static long open_lead(const struct open_call *call, const char *copy, struct path_room room,
		      const struct path_lead *lead)
{
	long answer;

	if (lead->error && !lead->last_missing)
		return lead->error;
	if (!call->in_libc)
		return GUARD_REAL;
	if (lead->magic || lead->own_process)
		return open_as_asked(call, copy);
	if (lead->slash && lead->length > 1 && lead->length + 3 < room.size)
		memcpy(room.text + lead->length, path_ends_in_dots(copy) ? "/.\0" : "/\0", 3);
	answer = open_exactly(call, AT_FDCWD, room.text);
	if (open_is_no_answer(answer) || answer == -EACCES)
		answer = open_as_asked(call, copy); /* EACCES: the place may be reachable from dirfd only */
	return answer;
}

/* "link/" is no file that can be made, wherever the link leads, and the kernel says so without following it. */
static bool makes_folder(const struct open_call *call, const char *path, const struct path_lead *lead)
{
	return lead->error && lead->behind_link && (call->flags & O_CREAT) && open_creates(call) &&
	       path[strlen(path) - 1] == '/';
}

long open_slowly(const struct start *start, const void *asked, const struct frame *frame)
{
	const struct open_call *call = asked;
	const char *copy = frame->copy.text;
	struct path_room room = frame->path;
	bool follow = !(call->flags & O_NOFOLLOW) && (call->flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL);
	unsigned want = (follow ? PATH_FOLLOW_LAST : 0) | (open_writes(call) ? PATH_WANT_WRITE : 0) |
			((call->flags & O_ACCMODE) != O_WRONLY ? PATH_WANT_READ : 0);

	for (unsigned turn = 0; turn < RETRIES; turn++) {
		struct path_lead lead;
		unsigned had_line;
		long answer = path_follow(room, frame->rest, call->dirfd, copy, want, &lead);

		if (answer == -ENOENT)
			return open_unplaced(start, call, copy, room);
		if (answer)
			return answer;
		struct request request = open_describe(call, copy, room, lead.length);
		if (makes_folder(call, copy, &lead))
			return ended(start, &request, call, false, 0, -EISDIR);
		answer = judge_lead(start, call, &request, &lead, &had_line);
		if (answer)
			return answer;
		answer = open_lead(call, copy, room, &lead);
		if (answer == -ENOENT && !lead.error && *copy != '/')
			return open_unplaced(start, call, copy, room); /* its folder was removed below it */
		if (answer != -ELOOP || lead.link || (lead.error && !lead.last_missing))
			return ended(start, &request, call, !lead.error, had_line, answer);
	}
	return -ELOOP;
}
