/* SPDX-License-Identifier: MIT */
/*
 * Calls that name a file and do not open it: judged by where the path leads. Where a call is made is held open while it is
 * judged (guard_place.h), so that the wrapper makes it there, whatever the path leads to by then.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "describe/alone.h"
#include "describe/memory.h"
#include "describe/number.h"
#include "describe/path.h"
#include "frame.h"
#include "guard_file.h"
#include "real/real.h"
#include "real/syscall.h"
#include "report/error.h"

#include "forbid.h"

#define RETRIES 8

static struct request describe(const struct file_call *call, const char *subject, struct path_room room,
			       size_t length)
{
	return (struct request){
		.op = call->op,
		.call = call->name,
		.subject = subject,
		.path = room.text,
		.path_length = length,
	};
}

/* Will the wrapper say how it ended? */
static bool is_told(const struct file_call *call)
{
	return call->place && call->place->call;
}

/* An allowed call is counted; its line comes when it has come back, or now, where nobody will say that. */
static void pass(const struct start *start, const struct file_call *call, const struct request *request)
{
	if (is_told(call))
		guard_count(start);
	else
		guard_pass(start, request);
}

/* A rule below the name is guard_moved()'s to look at, when the other name is known too. */
static void note_below(const struct start *start, const struct file_call *call, const struct request *request)
{
	if (!(call->flags & FILE_MOVES) || !call->place)
		return;
	for (unsigned i = 0; i < start->count; i++) {
		const struct image *image = start->sessions[i].image;

		call->place->covers |= check_path_below(image, request->path, request->path_length, NULL, 0).denied;
	}
}

/* In a program that has shut system calls off: by the text of the path. */
static long judge_by_text(const struct start *start, const struct file_call *call, const char *copy,
			  size_t length, struct path_room room)
{
	long folded = path_fold(room, call->dirfd, copy, length);
	struct request request = describe(call, copy, room, folded > 0 ? (size_t)folded : 0);
	struct judgement judgement;

	if (folded == -ENAMETOOLONG || folded == -EBADF)
		return folded;
	if (folded < 0)
		return GUARD_GO; /* where it starts from cannot be asked */
	note_below(start, call, &request);
	guard_judge(start, &request, NULL, &judgement);
	return guard_settle(start, &request, &judgement);
}

/* May a thread have moved the working directory since a relative path was judged? Asked when its folder is held. */
static bool may_have_moved(const struct guard_text *text)
{
	return text->text[0] != '/' && text->dirfd == AT_FDCWD && !alone_is_so() &&
	       !(text->base.print && cwd_stands(&text->base));
}

static long judge_quickly(const struct start *start, const struct file_call *call, struct path_room copy,
			  struct path_room room)
{
	enum op op = call->flags & FILE_MOVES ? OP_MOVE : call->op;
	struct guard_text text = {.op = op, .dirfd = call->dirfd, .text = copy.text};
	struct folder folder;
	long length = memory_text(copy.text, copy.size, call->path, &text.print), answer = GUARD_GO;
	size_t folded = 0;

	if (length <= 0)
		return length ? length : -ENOENT;
	if (start_filtered)
		return judge_by_text(start, call, copy.text, (size_t)length, room);
	text.length = (size_t)length;
	if (call->dirfd != AT_FDCWD && copy.text[0] != '/' && alone_is_so()) {
		number_recall(&folder, call->dirfd);
		text.folder = &folder;
	} else if (call->dirfd != AT_FDCWD && copy.text[0] != '/' && call->place) {
		return GUARD_UNSURE; /* another thread may put something else behind the number: by the whole path */
	}
	if (!guard_text_known(start, &text))
		answer = guard_text(start, &text, room, &folded);
	if (answer != GUARD_GO || !file_hold_plain(call, copy.text, (size_t)length))
		return answer ? answer : GUARD_UNSURE;
	if (call->place && may_have_moved(&text)) {
		file_let_go(call->place);
		return GUARD_UNSURE;
	}
	struct request request = describe(call, copy.text, room, folded);
	pass(start, call, &request);
	return GUARD_GO;
}

/* Only the name is missing, in a folder that is there: the kernel says so itself, in its place among other errors. */
static bool may_be_looked_for(const struct start *start, const struct file_call *call, const struct request *request,
			      const struct path_lead *lead)
{
	struct judgement judgement;

	if (!lead->last_missing || !(call->flags & FILE_ENTRY) || !call->place)
		return false;
	guard_judge(start, request, NULL, &judgement);
	return !judgement.refused;
}

static long judge_lead(const struct start *start, const struct file_call *call, const char *subject,
		       struct path_room room, const struct path_lead *lead)
{
	struct request request = describe(call, subject, room, lead->length);
	struct judgement judgement;

	if (lead->error && !(call->flags & FILE_CREATES)) {
		if (may_be_looked_for(start, call, &request, lead)) {
			pass(start, call, &request);
			return GUARD_GO;
		}
		if (!(call->flags & FILE_WORD))
			guard_tell(start, &request, 0, report_error(lead->error));
		return lead->error;
	}
	if (lead->open_already) {
		pass(start, call, &request);
		return GUARD_GO;
	}
	note_below(start, call, &request);
	guard_judge(start, &request, NULL, &judgement);
	/* `mkdir -p` asks for every folder above its own: nothing comes of it. */
	if (!lead->error && (call->flags & FILE_NEW) && judgement.denied) {
		guard_count(start);
		guard_tell(start, &request, 0, report_error(EEXIST));
		if (call->place)
			call->place->call = NULL;
		return judgement.refused ? -EEXIST : GUARD_GO;
	}
	if (!is_told(call))
		return guard_settle(start, &request, &judgement);
	call->place->had_line = judgement.denied;
	return guard_settle_now(start, &request, &judgement);
}

/* The folder of a name without a path, held by what the kernel finds now, and judged as that. copy: as it was, when it ends. */
static long hold_unplaced(const struct start *start, const struct file_call *call, char *copy, struct path_room room)
{
	size_t length = strlen(copy), name = file_last_name(call, copy, length);
	struct path_lead lead = {0};
	char kept = copy[name];
	long fd, folder, answer;

	copy[name] = '\0';
	fd = raw_guarded(SYS_openat, call->dirfd, name ? copy : ".", O_PATH | O_DIRECTORY | O_CLOEXEC, 0, 0);
	copy[name] = kept;
	if (fd < 0)
		return fd;
	folder = path_of_descriptor(room, (int)fd);
	if (folder > 0)
		folder = path_join(room, (size_t)folder, copy + name, length - name);
	lead.length = folder > 0 ? (size_t)folder : 0;
	room.text[lead.length] = '\0';
	answer = judge_lead(start, call, copy, room, &lead);
	if (answer)
		raw(SYS_close, fd);
	else
		place_name(call->place, (int)fd, (int)fd, copy + name, length - name);
	return answer;
}

/*
 * Starts from a directory without a path (removed, or no directory at all): nothing can be made or found there. Beside other
 * threads it may have had none only for a moment: what was found is held.
 */
static long judge_unplaced(const struct start *start, const struct file_call *call, char *copy, struct path_room room)
{
	bool holds = call->place && !alone_is_so();
	struct path_lead lead = {0};
	long fd = raw_guarded(SYS_openat, call->dirfd, copy, O_PATH | O_CLOEXEC, 0, 0), length, answer;

	if (fd == -EMFILE) /* without a descriptor it can only be looked at */
		fd = raw(SYS_newfstatat, call->dirfd, copy, &(struct stat){0}, AT_SYMLINK_NOFOLLOW) ?: -EMFILE;
	if (fd < 0)
		return fd;
	length = path_of_descriptor(room, (int)fd);
	if (length != -ENAMETOOLONG) {
		lead.length = length > 0 ? (size_t)length : 0;
		room.text[lead.length] = '\0';
		answer = judge_lead(start, call, copy, room, &lead);
	} else {
		answer = length;
	}
	if (!answer && holds && (call->flags & FILE_FOLLOW)) {
		place_file(call->place, (int)fd);
		return answer;
	}
	raw(SYS_close, fd);
	return answer || !holds ? answer : hold_unplaced(start, call, copy, room);
}

/* A frame_use. */
static long judge_slowly(const struct start *start, const void *asked, const struct frame *frame)
{
	const struct file_call *call = asked;
	char *copy = frame->copy.text;
	struct path_room room = frame->path;
	unsigned want = (call->flags & FILE_FOLLOW ? PATH_FOLLOW_LAST : 0) |
			(call->flags & FILE_ENTRY ? PATH_ENTRY : 0) |
			(call->op == OP_WRITE ? PATH_WANT_WRITE : PATH_WANT_READ);
	long changed = 0;

	for (unsigned turn = 0; turn < RETRIES; turn++) {
		struct path_lead lead;
		long error = path_follow(room, frame->rest, call->dirfd, copy, want, &lead);

		if (error == -ENOENT)
			return judge_unplaced(start, call, copy, room);
		if (!error)
			error = judge_lead(start, call, copy, room, &lead);
		if (error)
			return error;
		changed = file_hold_lead(call, copy, room, &lead);
		if (!changed)
			return GUARD_GO;
		if (changed == -ENOENT && !lead.error && *copy != '/')
			return judge_unplaced(start, call, copy, room); /* its folder was removed below it */
	}
	return changed;
}

static long judge_in(const struct start *start, const void *asked, const struct frame *frame)
{
	long answer = judge_quickly(start, asked, frame->copy, frame->path);

	return answer == GUARD_UNSURE ? frame_lend_rest(judge_slowly, start, asked, frame) : answer;
}

/* The file behind a descriptor. writable_passes: what it was opened for writing was judged as that. */
static __attribute__((noinline)) long judge_descriptor(const struct start *start, const struct file_call *call,
						       bool writable_passes)
{
	char path[FRAME_PATH];
	struct path_room room = {path, sizeof(path)};
	struct path_lead lead = {0};
	long length = path_of_descriptor(room, call->dirfd);
	long flags = length > 0 ? raw(SYS_fcntl, call->dirfd, F_GETFL) : -EBADF;

	if (length == -ENAMETOOLONG || length == -ENOENT || flags < 0)
		return GUARD_GO; /* a pipe, a socket, or no descriptor: the kernel's business */
	if (length < 0)
		return length;
	lead.length = (size_t)length;
	lead.open_already = writable_passes && !(flags & O_PATH) && (flags & O_ACCMODE) != O_RDONLY;
	return judge_lead(start, call, path, room, &lead);
}

long guard_descriptor(const char *name, int fd, enum op op)
{
	const struct start *sessions = start();

	if (sessions->state == START_INERT)
		return GUARD_GO;
	if (sessions->state == START_BROKEN)
		return -EACCES;
	return judge_descriptor(sessions, &(struct file_call){.name = name, .dirfd = fd, .op = op}, false);
}

static bool is_there(const struct file_place *place)
{
	struct stat status;

	return raw(SYS_newfstatat, place->dirfd, place->path, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

static long judge_path(const struct start *sessions, const struct file_call *call)
{
	struct file_place *place = call->place;
	long answer;

	if (place && start_tells && !start_filtered) {
		place->call = call->name;
		place->op = call->op;
		place->flags = call->flags;
	}
	answer = frame_lend(judge_in, sessions, call);
	if (place && answer)
		place->call = NULL;
	else if (place && place->call)
		place->there = (call->flags & FILE_CREATES) && is_there(place);
	return answer;
}

long guard_file(const struct file_call *call)
{
	const struct start *sessions = start();
	bool itself = (call->flags & FILE_NULL) && !call->path;
	long answer;

	if (call->place)
		place_as_asked(call->place, call->dirfd, call->path);
	if (sessions->state == START_INERT)
		return GUARD_GO;
	if (sessions->state == START_BROKEN)
		return -EACCES;
	if (!itself && (call->flags & FILE_EMPTY))
		itself = memory_readable(call->path, 1) && !call->path[0];
	if (itself)
		return call->dirfd == AT_FDCWD ? guard_file(&(struct file_call){call->name, AT_FDCWD, ".", call->op,
										FILE_FOLLOW})
					       : judge_descriptor(sessions, call, true);
	answer = judge_path(sessions, call);
	return guard_found_nothing(answer) && !real_is_libc_named(call->name) ? GUARD_GO : answer;
}
