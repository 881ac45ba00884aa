/* SPDX-License-Identifier: MIT */
/*
 * From what an exec names to the file that it leads to. The kernel opens it: where no symlink stands in the path, its text
 * is the truth, else the descriptor is asked where it is. What a file says of itself is read once and remembered.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>

#include "describe/program.h"
#include "print.h"
#include "real/syscall.h"
#include "start.h"

#include "forbid.h"

#define TO_READ (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) /* of what is no regular file nothing shall come */
#define TO_ASK (O_PATH | O_CLOEXEC)

/* A look at one file, on its way. */
struct look {
	struct program *program;
	struct path_room room;
	int dirfd;
	const char *path;
	uint64_t print; /* of the path's text */
	uint64_t moves; /* start_moves() before it is followed */
	struct program_known known;
	bool recalled; /* known holds what was found last time */
	bool remembers;
};

static bool is_same(const struct program *program, const struct program_known *known)
{
	return known->device == program->device && known->inode == program->inode &&
	       known->seconds == program->seconds && known->nanoseconds == program->nanoseconds;
}

/* The caller's own words, opened to be read where that is needed and may be. */
static long open_program(const struct look *look, uint64_t resolve)
{
	struct open_how how = {.flags = look->recalled ? TO_ASK : TO_READ, .resolve = resolve};
	long fd = raw_openat2(look->dirfd, look->path, &how);

	if (fd != -EACCES || look->recalled)
		return fd;
	how.flags = TO_ASK;
	return raw_openat2(look->dirfd, look->path, &how);
}

/* What was read of it is kept; target: where links led, else 0. */
static void remember(struct look *look, uint64_t target)
{
	struct program_links links = {.moves = look->moves};

	if (!program_is_worth_it(look->program))
		return;
	if (target && !start_moving())
		program_links_find(&links, look->dirfd, look->path, target);
	program_remember(look->print, look->program, &links);
}

/* Its facts from memory, or read. PROGRAM_SLOWLY: it is not the file that is remembered. target: as remember's. */
static long look_at(struct look *look, long fd, uint64_t target)
{
	long error = program_stat(look->program, (int)fd, "");

	if (error)
		return error;
	if (look->recalled) {
		look->program->facts = look->known.facts;
		return is_same(look->program, &look->known) ? 0 : PROGRAM_SLOWLY;
	}
	program_read(look->program, fd, look->room.text);
	look->program->facts.linked = target != 0;
	if (look->remembers)
		remember(look, target);
	return 0;
}

/* Without a symlink in it the path's text is where it leads. */
static long find_plain(struct look *look)
{
	long fd = open_program(look, RESOLVE_NO_SYMLINKS), result;

	if (fd < 0)
		return fd;
	result = look_at(look, fd, 0);
	raw(SYS_close, fd);
	return result;
}

/* The descriptor says where the links lead. */
static long find_linked(struct look *look, size_t *ret_length)
{
	long fd = open_program(look, RESOLVE_NO_MAGICLINKS), result;

	if (fd < 0)
		return fd;
	result = path_of_descriptor(look->room, (int)fd);
	if (result > 0) {
		*ret_length = (size_t)result;
		result = look_at(look, fd, program_links_print(look->room.text, *ret_length));
	} else if (result != -ENAMETOOLONG) {
		result = PROGRAM_SLOWLY;
	}
	raw(SYS_close, fd);
	return result;
}

/* Through the links that are known, to the file that is: what costs most, a descriptor, is not needed. */
static long find_known(struct look *look, size_t *ret_length)
{
	long result = program_stat(look->program, look->dirfd, look->path);

	if (result)
		return result;
	result = program_links_follow(&look->known.links, look->room, *ret_length);
	if (result < 0 || !is_same(look->program, &look->known))
		return PROGRAM_SLOWLY;
	*ret_length = (size_t)result;
	look->program->facts = look->known.facts;
	return 0;
}

/*
 * The descriptor tells it, as something was moved. Where it leads to the same file by the same path, its links are as they
 * were.
 */
static long find_again(struct look *look, size_t *ret_length)
{
	struct program_links links = look->known.links;
	long result = find_linked(look, ret_length);

	if (!result && !start_moving() && program_links_print(look->room.text, *ret_length) == links.target) {
		links.moves = look->moves;
		program_remember(look->print, look->program, &links);
	}
	return result;
}

/* Answers of a kernel or filter without openat2, of what only a walk can tell, and where there is no descriptor left. */
static bool is_no_answer(long result)
{
	return result == -ENOSYS || result == -EPERM || result == -EINVAL || result == -ELOOP || result == -EMFILE ||
	       result == -ENFILE;
}

static long find(struct look *look, size_t *ret_length)
{
	long result = -ELOOP, folded = path_fold(look->room, look->dirfd, look->path, strlen(look->path));

	if (folded < 0)
		return folded == -ENAMETOOLONG ? folded : PROGRAM_SLOWLY;
	if (path_in_proc(look->room))
		return PROGRAM_SLOWLY;
	*ret_length = (size_t)folded;
	look->print = print_text((uintptr_t)program_find, look->room.text, (size_t)folded) | 1;
	look->moves = start_moves();
	look->recalled = look->recalled && program_recall(look->print, &look->known);
	if (look->recalled && look->known.links.target)
		result = look->known.links.moves == look->moves ? find_known(look, ret_length) : find_again(look, ret_length);
	else if (!look->recalled || !look->known.facts.linked)
		result = find_plain(look);
	if (result == -ELOOP)
		result = find_linked(look, ret_length);
	return is_no_answer(result) ? PROGRAM_SLOWLY : result;
}

long program_find(struct program *ret, struct path_room room, int dirfd, const char *path, bool remembers,
		  size_t *ret_length)
{
	struct look look = {
		.program = ret,
		.room = room,
		.dirfd = dirfd,
		.path = path,
		.recalled = remembers,
		.remembers = remembers,
	};
	size_t length = strlen(path);
	long result;

	if (start_filtered || !length || path[length - 1] == '/')
		return PROGRAM_SLOWLY;
	result = find(&look, ret_length);
	if (result != PROGRAM_SLOWLY || !look.recalled)
		return result;
	look.recalled = false; /* it has changed */
	return find(&look, ret_length);
}
