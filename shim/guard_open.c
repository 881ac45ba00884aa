/* SPDX-License-Identifier: MIT */
/*
 * Opens. What was checked is what is opened: the kernel is asked for the caller's path with RESOLVE_NO_SYMLINKS, so that
 * the text of the path is the truth, `..` included. When it meets a symlink, or when the policy says no to the text,
 * the links are followed (guard_open_lead.c), the result is checked, and that is opened the same way.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>

#include "describe/alone.h"
#include "describe/folder.h"
#include "describe/memory.h"
#include "describe/number.h"
#include "describe/path.h"
#include "guard_open.h"
#include "real/syscall.h"

#include "forbid.h"

/* O_LARGEFILE is 0 in glibc's eyes. */
#if defined(__x86_64__)
#define LARGEFILE_BIT 0100000
#else
#define LARGEFILE_BIT 0400000
#endif
#define KNOWN_FLAGS                                                                                     \
	(O_ACCMODE | O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC | O_APPEND | O_NONBLOCK | O_SYNC | O_DSYNC | \
	 O_ASYNC | O_DIRECT | LARGEFILE_BIT | O_DIRECTORY | O_NOFOLLOW | O_NOATIME | O_CLOEXEC | O_PATH | TMPFILE_BIT)
#define PATH_FLAGS (O_DIRECTORY | O_NOFOLLOW | O_PATH | O_CLOEXEC)

/* Is a file at the end of the path, or a link? Asked only where it matters whether the call made it. */
static __attribute__((noinline, cold)) bool is_there(const struct open_call *call, const char *path)
{
	struct stat status;

	return raw(SYS_newfstatat, call->dirfd, path, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

/* The same of a call that was made by the text of its path, which all sessions allow. */
static __attribute__((noinline, cold)) void tell_text(const struct start *start, const struct open_call *call,
						      const char *subject, struct path_room room, size_t length, bool there,
						      long result)
{
	struct request request = open_describe(call, subject, room, length);

	open_tell(start, &request, call, there, 0, result);
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
	if (open_creates(call))
		how.mode = call->mode & 07777;
	return raw_openat2(dirfd, path, &how);
}

long open_exactly(const struct open_call *call, int dirfd, const char *path)
{
	return open_resolving(call, dirfd, path, RESOLVE_NO_SYMLINKS);
}

long open_beneath(const struct open_call *call, int dirfd, const char *path)
{
	return open_resolving(call, dirfd, path, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS);
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

/* In a program that has shut system calls off: judged by the text of its path, made by its own call. */
static long open_by_text(const struct start *start, const struct open_call *call, const char *copy, size_t length,
			 struct path_room room)
{
	long folded = path_fold(room, call->dirfd, copy, length), answer;
	struct request request = open_describe(call, copy, room, folded > 0 ? (size_t)folded : 0);
	struct judgement judgement;

	if (folded == -ENAMETOOLONG || folded == -EBADF)
		return folded;
	if (folded < 0)
		return GUARD_REAL; /* where it starts from cannot be asked */
	guard_judge(start, &request, NULL, &judgement);
	answer = guard_settle(start, &request, &judgement);
	return answer ? answer : GUARD_REAL;
}

/* guard_text about the call's path, or one in its place. folder: NULL, or what is known of where it starts. */
static inline __attribute__((always_inline)) struct guard_text text_of(const struct open_call *call, const char *path,
								       size_t length, uint64_t print,
								       const struct folder *folder)
{
	return (struct guard_text){
		.op = open_writes(call) ? OP_WRITE : OP_READ,
		.dirfd = call->dirfd,
		.text = path,
		.length = length,
		.print = print,
		.folder = folder,
	};
}

static inline __attribute__((always_inline)) long ask_text(const struct start *start, struct guard_text *text,
							   struct path_room room, size_t *ret_folded)
{
	room.text[0] = '\0';
	return guard_text_known(start, text) ? GUARD_GO : guard_text(start, text, room, ret_folded);
}

/* Is a path the same when it is folded, whatever links are in it? */
static bool is_downward(const char *path, size_t length)
{
	return path[length - 1] != '/' && !memmem(path, length, "..", 2) && !path_ends_in_dots(path);
}

/* May a thread have moved the working directory since a relative path was judged? Asked when it is open. */
static inline bool may_have_moved(const struct guard_text *text)
{
	if (text->text[0] == '/')
		return false;
	return text->base.print ? !cwd_stands(&text->base) : !alone_is_so();
}

/*
 * The same for a path below a descriptor: is another directory behind it, or was that one moved? Downwards a move changes
 * nothing: what was found is what would have been found before. What was made is not undone.
 */
static bool has_moved(const struct open_call *call, const struct guard_text *text)
{
	return !number_is_still(text->folder) && !open_creates(call) && !(call->flags & O_TRUNC) &&
	       !(number_stands(text->folder) && is_downward(text->text, text->length));
}

/*
 * The last component is a symlink most times that there is one: its target is put in its place and asked for like the
 * path before, so that nothing but the new text is opened. Whatever else is the matter is for the slow way. copy holds
 * the caller's path, and holds it again afterwards.
 */
static __attribute__((noinline)) long open_through_link(const struct start *start, const struct open_call *call,
							const struct folder *folder, struct path_room copy, size_t length,
							struct path_room room)
{
	size_t parent = length, folded = 0;
	long got, fd = GUARD_UNSURE;

	if ((call->flags & O_NOFOLLOW) || open_creates(call) || path_in_proc(room))
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
	struct guard_text text = text_of(call, copy.text, length, print_text(0, copy.text, length), folder);
	got = ask_text(start, &text, room, &folded);
	if (got == GUARD_GO && !path_in_proc(room))
		fd = open_exactly(call, call->dirfd, copy.text);
	if (fd >= 0 && (folder && text.text[0] != '/' ? has_moved(call, &text) : may_have_moved(&text))) {
		raw(SYS_close, fd);
		fd = GUARD_UNSURE;
	}
	got = memory_string(copy.text, copy.size, call->path);
	if (fd < 0)
		return got > 0 ? GUARD_UNSURE : got ? got
						    : -ENOENT;
	pass(start, call, copy.text, room, folded, false, fd);
	return fd;
}

/* Below a directory's descriptor in a process that is alone: by the descriptor, with what is remembered of its number. */
static long open_below(const struct start *start, const struct open_call *call, struct path_room copy, size_t length,
		       uint64_t print, struct path_room room)
{
	struct folder folder;
	size_t folded = 0;
	bool there;
	long fd;

	number_recall(&folder, call->dirfd);
	struct guard_text text = text_of(call, copy.text, length, print, &folder);
	fd = ask_text(start, &text, room, &folded);
	if (fd != GUARD_GO)
		return fd;
	there = __builtin_expect(start_tells, false) && open_creates(call) && is_there(call, copy.text);
	fd = open_exactly(call, call->dirfd, copy.text);
	if (fd == -ELOOP)
		return open_through_link(start, call, &folder, copy, length, room);
	if (open_is_no_answer(fd))
		return GUARD_UNSURE;
	if (fd >= 0 && has_moved(call, &text)) {
		raw(SYS_close, fd);
		return GUARD_UNSURE;
	}
	pass(start, call, copy.text, room, folded, there, fd);
	return fd;
}

/* Where a relative path starts. To write, a directory is asked where it lies: to move one above it is no change of it. */
static long base_of(struct path_room room, const struct open_call *call, const struct folder *folder)
{
	if (call->dirfd == AT_FDCWD)
		return cwd_get(room.text, room.size);
	return open_writes(call) ? path_of_descriptor(room, call->dirfd) : folder_path(room, folder, call->dirfd);
}

/*
 * Beside other threads, which may put another directory behind a number, or under our feet: by the absolute path. Whatever
 * does not open so is for the slow way, which does the same, but for a name that the descriptor's own directory does not
 * have either.
 */
static long open_by_path(const struct start *start, const struct open_call *call, const struct folder *folder,
			 struct path_room copy, size_t length, struct path_room room)
{
	long folded = base_of(room, call, folder), fd;
	bool writes = open_writes(call), there;

	if (folded > 0 && is_downward(copy.text, length))
		folded = path_join(room, (size_t)folded, copy.text, length);
	else if (folded > 0)
		return GUARD_UNSURE;
	if (folded == -ENAMETOOLONG)
		return folded;
	if (folded < 0 || path_in_proc(room) ||
	    guard_folded(start, writes ? OP_WRITE : OP_READ, room, (size_t)folded) != GUARD_GO)
		return GUARD_UNSURE;
	there = start_tells && open_creates(call) && is_there(call, room.text);
	fd = open_exactly(call, AT_FDCWD, room.text);
	if (fd == -ENOENT && writes)
		return GUARD_UNSURE;
	if (fd == -ENOENT) {
		fd = open_exactly(call, call->dirfd, copy.text);
		if (fd >= 0)
			raw(SYS_close, fd);
		fd = fd == -ENOENT ? fd : GUARD_UNSURE;
	}
	if (fd < 0 && fd != -ENOENT)
		return GUARD_UNSURE;
	pass(start, call, copy.text, room, (size_t)folded, there, fd);
	return fd;
}

/* A path below a directory's descriptor, or a relative one to write to beside other threads. */
static __attribute__((noinline)) long open_at(const struct start *start, const struct open_call *call,
					      struct path_room copy, size_t length, uint64_t print, struct path_room room)
{
	struct folder folder;

	if (alone_is_so())
		return open_below(start, call, copy, length, print, room);
	if (call->dirfd != AT_FDCWD && !open_writes(call) && folder_look(&folder, call->dirfd) < 0)
		return GUARD_UNSURE;
	return open_by_path(start, call, &folder, copy, length, room);
}

/* Is a relative path not simply opened by its text, from a working directory that nobody else moves? */
static inline bool is_below(const struct open_call *call, const char *path)
{
	if (path[0] == '/' || !call->in_libc)
		return false;
	return call->dirfd != AT_FDCWD || (open_writes(call) && !alone_is_so());
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
	if (is_below(call, copy.text))
		return open_at(start, call, copy, (size_t)length, print, room);
	struct guard_text text = text_of(call, copy.text, (size_t)length, print, NULL);
	fd = ask_text(start, &text, room, &folded);
	if (fd != GUARD_GO || !call->in_libc)
		return fd ? fd : GUARD_UNSURE;
	bool there = __builtin_expect(start_tells, false) && open_creates(call) && is_there(call, copy.text);
	fd = open_exactly(call, call->dirfd, copy.text);
	if (fd == -ELOOP)
		return open_through_link(start, call, NULL, copy, (size_t)length, room);
	if (open_is_no_answer(fd))
		return GUARD_UNSURE;
	if (fd >= 0 && may_have_moved(&text)) {
		raw(SYS_close, fd);
		return GUARD_UNSURE;
	}
	pass(start, call, copy.text, room, folded, there, fd);
	return fd;
}

static inline __attribute__((always_inline)) long open_in(const struct start *start, const void *asked,
							  const struct frame *frame)
{
	long fd = open_quickly(start, asked, frame->copy, frame->path);

	return fd == GUARD_UNSURE ? frame_lend_rest(open_slowly, start, asked, frame) : fd;
}

/* As frame_lend does, but with one call less for each open. */
static __attribute__((noinline)) long open_in_short(const struct start *start, const struct open_call *call)
{
	char copy[FRAME_COPY], path[FRAME_PATH];
	const struct frame frame = {.copy = {copy, sizeof(copy)}, .path = {path, sizeof(path)}};

	return open_in(start, call, &frame);
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
	fd = open_in_short(sessions, call);
	if (fd == -ENAMETOOLONG)
		fd = frame_lend_long(open_in, sessions, call);
	number_new(fd);
	return guard_found_nothing(fd) && !call->in_libc ? GUARD_REAL : fd;
}
