/* SPDX-License-Identifier: MIT */
/*
 * Opens. What was checked is what is opened: the kernel is asked for the caller's path with RESOLVE_NO_SYMLINKS, so that
 * the text of the path is the truth, `..` included. When it meets a symlink, or when the policy says no to the text,
 * the links are followed here, the result is checked, and that is opened the same way.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>

#include "describe/folder.h"
#include "describe/memory.h"
#include "describe/path.h"
#include "frame.h"
#include "guard.h"
#include "real/syscall.h"
#include "report/error.h"

#include "forbid.h"

#define RETRIES 8

/* The kernel's O_TMPFILE bit without the O_DIRECTORY that glibc's constant carries; O_LARGEFILE is 0 in glibc's eyes. */
#define TMPFILE_BIT (O_TMPFILE & ~O_DIRECTORY)
#if defined(__x86_64__)
#define LARGEFILE_BIT 0100000
#else
#define LARGEFILE_BIT 0400000
#endif
#define KNOWN_FLAGS                                                                                     \
	(O_ACCMODE | O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC | O_APPEND | O_NONBLOCK | O_SYNC | O_DSYNC | \
	 O_ASYNC | O_DIRECT | LARGEFILE_BIT | O_DIRECTORY | O_NOFOLLOW | O_NOATIME | O_CLOEXEC | O_PATH | TMPFILE_BIT)
#define PATH_FLAGS (O_DIRECTORY | O_NOFOLLOW | O_PATH | O_CLOEXEC)

static bool creates(const struct open_call *call)
{
	return !(call->flags & O_PATH) && (call->flags & (O_CREAT | TMPFILE_BIT));
}

static bool writes(const struct open_call *call)
{
	if (call->flags & O_PATH)
		return false;
	return (call->flags & O_ACCMODE) != O_RDONLY || (call->flags & (O_CREAT | O_TRUNC | TMPFILE_BIT));
}

static struct request describe(const struct open_call *call, const char *subject, struct path_room room, size_t length)
{
	return (struct request){
		.op = writes(call) ? OP_WRITE : OP_READ,
		.call = call->name,
		.subject = subject,
		.path = room.text,
		.path_length = length,
	};
}

/* Is a file at the end of the path, or a link? Asked only where it matters whether the call made it. */
static __attribute__((noinline, cold)) bool is_there(const struct open_call *call, const char *path)
{
	struct stat status;

	return raw(SYS_newfstatat, call->dirfd, path, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Tells how an open ended. had_line: by session, as in struct judgement. */
static __attribute__((noinline, cold)) void tell(const struct start *start, const struct request *request,
						 const struct open_call *call, bool there, unsigned had_line, long result)
{
	struct request told = *request;

	if (result >= 0 && creates(call) && !there && !(call->flags & TMPFILE_BIT))
		told.change = CHANGE_CREATE;
	guard_tell(start, &told, had_line, result < 0 && result != GUARD_REAL ? report_error(result) : NULL);
}

static long ended(const struct start *start, const struct request *request, const struct open_call *call, bool there,
		  unsigned had_line, long result)
{
	if (__builtin_expect(start_tells, false))
		tell(start, request, call, there, had_line, result);
	return result;
}

/* The same of a call that was made by the text of its path, which all sessions allow. */
static __attribute__((noinline, cold)) void tell_text(const struct start *start, const struct open_call *call,
						      const char *subject, struct path_room room, size_t length, bool there,
						      long result)
{
	struct request request = describe(call, subject, room, length);

	tell(start, &request, call, there, 0, result);
}

/* Counts what was opened as its path says, and tells how it ended. */
static inline void pass(const struct start *start, const struct open_call *call, const char *subject, struct path_room room,
			size_t folded, bool there, long result)
{
	guard_count(start);
	if (__builtin_expect(start_tells, false))
		tell_text(start, call, subject, room, folded, there, result);
}

/* openat2 refuses what open ignores: unknown flags, flags beside O_PATH, a mode that is not used. */
static inline __attribute__((always_inline)) long open_resolving(const struct open_call *call, int dirfd, const char *path,
								 uint64_t resolve)
{
	struct open_how how = {.flags = (unsigned)call->flags & KNOWN_FLAGS, .resolve = resolve};

	if (how.flags & O_PATH)
		how.flags &= PATH_FLAGS;
	if (creates(call))
		how.mode = call->mode & 07777;
	return raw_openat2(dirfd, path, &how);
}

static long open_exactly(const struct open_call *call, int dirfd, const char *path)
{
	return open_resolving(call, dirfd, path, RESOLVE_NO_SYMLINKS);
}

/*
 * Flags that the kernel refuses whatever the path: a folder that is to be made (since 6.3), a file without a name that is not
 * to be written. Asked with no path, only where the kernel is likely to.
 */
static __attribute__((noinline, cold)) bool is_refused(const struct open_call *call)
{
	bool unwritten = (call->flags & TMPFILE_BIT) && (call->flags & O_ACCMODE) == O_RDONLY;

	return ((call->flags & O_CREAT) || unwritten) && call->in_libc && !start_filtered &&
	       open_exactly(call, -1, "") == -EINVAL;
}

static inline bool is_nonsense(const struct open_call *call)
{
	return (call->flags & O_DIRECTORY) && (call->flags & (O_CREAT | TMPFILE_BIT)) && is_refused(call);
}

/* Not answers of the file system but of a kernel or a filter that does not do openat2: the real call decides. */
static bool is_no_answer(long result)
{
	return result == -ENOSYS || result == -EPERM || result == -EINVAL;
}

/* In a program that has shut system calls off: judged by the text of its path, made by its own call. */
static long open_by_text(const struct start *start, const struct open_call *call, const char *copy, size_t length,
			 struct path_room room)
{
	long folded = path_fold(room, call->dirfd, copy, length), answer;
	struct request request = describe(call, copy, room, folded > 0 ? (size_t)folded : 0);
	struct judgement judgement;

	if (folded == -ENAMETOOLONG || folded == -EBADF)
		return folded;
	if (folded < 0)
		return GUARD_REAL; /* where it starts from cannot be asked */
	guard_judge(start, &request, NULL, &judgement);
	answer = guard_settle(start, &request, &judgement);
	return answer ? answer : GUARD_REAL;
}

/* guard_text about the call's path, or one in its place. */
static inline __attribute__((always_inline)) long ask_text(const struct start *start, const struct open_call *call,
							   const char *path, size_t length, uint64_t print,
							   struct path_room room, size_t *ret_folded)
{
	struct guard_text text = {
		.op = writes(call) ? OP_WRITE : OP_READ,
		.dirfd = call->dirfd,
		.text = path,
		.length = length,
		.print = print,
	};

	room.text[0] = '\0';
	return guard_text_known(start, &text) ? GUARD_GO : guard_text(start, &text, room, ret_folded);
}

/*
 * The last component is a symlink most times that there is one: its target is put in its place and asked for like the
 * path before, so that nothing but the new text is opened. Whatever else is the matter is for the slow way. copy holds
 * the caller's path, and holds it again afterwards.
 */
static __attribute__((noinline)) long open_through_link(const struct start *start, const struct open_call *call,
							struct path_room copy, size_t length, struct path_room room)
{
	size_t parent = length, folded = 0;
	long got, fd = GUARD_UNSURE;

	if ((call->flags & O_NOFOLLOW) || creates(call) || path_in_proc(room))
		return GUARD_UNSURE;
	got = raw(SYS_readlinkat, call->dirfd, copy.text, room.text, room.size);
	while (parent && copy.text[parent - 1] != '/')
		parent--;
	if (got > 0 && room.text[0] == '/')
		parent = 0;
	if (got <= 0 || parent + (size_t)got + sizeof(uint64_t) >= copy.size)
		return GUARD_UNSURE;
	memcpy(copy.text + parent, room.text, (size_t)got);
	length = parent + (size_t)got;
	memset(copy.text + length, 0, sizeof(uint64_t));
	got = ask_text(start, call, copy.text, length, print_text(0, copy.text, length), room, &folded);
	if (got == GUARD_GO && !path_in_proc(room))
		fd = open_exactly(call, call->dirfd, copy.text);
	got = memory_string(copy.text, copy.size, call->path);
	if (fd < 0)
		return got > 0 ? GUARD_UNSURE : got ? got
						    : -ENOENT;
	pass(start, call, copy.text, room, folded, false, fd);
	return fd;
}

/*
 * To read a file below a directory's descriptor: by the absolute path, for which it is enough to have known where the
 * directory lies (describe/folder.h). Whatever does not open so is for the usual way, but for a name that the descriptor's
 * own directory does not have either.
 */
static __attribute__((noinline)) long open_below(const struct start *start, const struct open_call *call,
						 struct path_room copy, size_t length, struct path_room room)
{
	long folded = folder_recall(room, call->dirfd), fd;

	if (folded > 0)
		folded = path_append(room, (size_t)folded, copy.text, length);
	if (folded < 0 || path_in_proc(room) || guard_folded(start, OP_READ, room, (size_t)folded) != GUARD_GO)
		return GUARD_UNSURE;
	fd = open_exactly(call, AT_FDCWD, room.text);
	if (fd == -ENOENT) {
		fd = open_exactly(call, call->dirfd, copy.text);
		if (fd >= 0)
			raw(SYS_close, fd);
		fd = fd == -ENOENT ? fd : GUARD_UNSURE;
	}
	if (fd < 0 && fd != -ENOENT)
		return GUARD_UNSURE;
	pass(start, call, copy.text, room, (size_t)folded, false, fd);
	return fd;
}

/* A descriptor of a directory and a path below it, to be read only. */
static inline bool is_below(const struct open_call *call, const char *path)
{
	return call->dirfd != AT_FDCWD && path[0] != '/' && !writes(call) && call->in_libc;
}

static inline __attribute__((always_inline)) long open_quickly(const struct start *start, const struct open_call *call,
							       struct path_room copy, struct path_room room)
{
	uint64_t print;
	long length = memory_text(copy.text, copy.size, call->path, &print), fd;
	size_t folded = 0;

	if (length <= 0)
		return length ? length : -ENOENT;
	if (start_filtered)
		return open_by_text(start, call, copy.text, (size_t)length, room);
	if (is_below(call, copy.text)) {
		fd = open_below(start, call, copy, (size_t)length, room);
		if (fd != GUARD_UNSURE)
			return fd;
	}
	fd = ask_text(start, call, copy.text, (size_t)length, print, room, &folded);
	if (fd != GUARD_GO || !call->in_libc)
		return fd ? fd : GUARD_UNSURE;
	bool there = __builtin_expect(start_tells, false) && creates(call) && is_there(call, copy.text);
	fd = open_exactly(call, call->dirfd, copy.text);
	if (fd == -ELOOP)
		return open_through_link(start, call, copy, (size_t)length, room);
	if (is_no_answer(fd))
		return GUARD_UNSURE;
	pass(start, call, copy.text, room, folded, there, fd);
	return fd;
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
	if (lead->error && !creates(call)) /* the kernel's own answer: looking for what is not there is no violation */
		return ended(start, request, call, false, 0, lead->error);
	if (lead->open_already) {
		guard_count(start);
		return GUARD_GO;
	}
	guard_judge(start, request, NULL, &judgement);
	if (judgement.refused && writes(call) && !(call->flags & TMPFILE_BIT) && is_directory(request->path))
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
	struct request request = describe(call, copy, room, (size_t)length);
	guard_judge(start, &request, NULL, &judgement);
	answer = guard_settle_now(start, &request, &judgement);
	if (!answer)
		answer = open_resolving(call, call->dirfd, copy, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS);
	return ended(start, &request, call, true, judgement.denied, answer);
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
	fd = raw_guarded(SYS_openat, call->dirfd, copy, O_PATH | O_CLOEXEC, 0, 0);
	if (fd < 0)
		return fd;
	length = path_of_descriptor(room, (int)fd);
	raw(SYS_close, fd);
	if (length == -ENOENT && call->in_libc && __atomic_load_n((uint64_t *)&raw_word, __ATOMIC_RELAXED))
		return raw(SYS_openat, call->dirfd, copy, call->flags, call->mode, 0); /* the backstop knows where it is */
	if (length == -ENAMETOOLONG)
		return length;
	lead.length = length > 0 ? (size_t)length : 0;
	room.text[lead.length] = '\0';
	struct request request = describe(call, copy, room, lead.length);
	answer = judge_lead(start, call, &request, &lead, &had_line);
	return answer ? answer : ended(start, &request, call, true, had_line, open_as_asked(call, copy));
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
	if (is_no_answer(answer) || answer == -EACCES)
		answer = open_as_asked(call, copy); /* EACCES: the place may be reachable from dirfd only */
	return answer;
}

/* "link/" is no file that can be made, wherever the link leads, and the kernel says so without following it. */
static bool makes_folder(const struct open_call *call, const char *path, const struct path_lead *lead)
{
	return lead->error && lead->behind_link && (call->flags & O_CREAT) && creates(call) && path[strlen(path) - 1] == '/';
}

/* A frame_use. */
static long open_slowly(const struct start *start, const void *asked, const struct frame *frame)
{
	const struct open_call *call = asked;
	const char *copy = frame->copy.text;
	struct path_room room = frame->path;
	bool follow = !(call->flags & O_NOFOLLOW) && (call->flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL);
	unsigned want = (follow ? PATH_FOLLOW_LAST : 0) | (writes(call) ? PATH_WANT_WRITE : 0) |
			((call->flags & O_ACCMODE) != O_WRONLY ? PATH_WANT_READ : 0);

	for (unsigned turn = 0; turn < RETRIES; turn++) {
		struct path_lead lead;
		unsigned had_line;
		long answer = path_follow(room, frame->rest, call->dirfd, copy, want, &lead);

		if (answer == -ENOENT)
			return open_unplaced(start, call, copy, room);
		if (answer)
			return answer;
		struct request request = describe(call, copy, room, lead.length);
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

static long open_in(const struct start *start, const void *asked, const struct frame *frame)
{
	long fd = open_quickly(start, asked, frame->copy, frame->path);

	return fd == GUARD_UNSURE ? frame_lend_rest(open_slowly, start, asked, frame) : fd;
}

long guard_open(const struct open_call *call)
{
	const struct start *sessions = start();
	long fd;

	if (sessions->state == START_INERT)
		return GUARD_REAL;
	if (sessions->state == START_BROKEN)
		return -EACCES;
	if (is_nonsense(call))
		return -EINVAL;
	fd = frame_lend(open_in, sessions, call);
	return guard_found_nothing(fd) && !call->in_libc ? GUARD_REAL : fd;
}
