/* SPDX-License-Identifier: MIT */
/* What kind of file a program is, and who is about to start it. Asks the kernel, owns no memory, safe anywhere. */
#ifndef BRIDLE_DESCRIBE_PROGRAM_H
#define BRIDLE_DESCRIBE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/build.h"
#include "check/caller.h"
#include "describe/path.h"

#define PROGRAM_HEAD 256 /* what the kernel itself reads to tell a script from a binary */

/* Why the shim will not be in the process that a program becomes. */
enum program_cover {
	PROGRAM_COVERED,
	PROGRAM_STATIC,
	PROGRAM_FOREIGN,
	PROGRAM_SETID
};

/* What a program's file says of itself. */
struct program_facts {
	uint8_t cover; /* enum program_cover, by its ELF header */
	bool capable;  /* it has capabilities of its own */
	bool has_build;
	uint8_t build[IMAGE_BUILD_SIZE]; /* check_build_id */
	bool linked;                     /* symlinks stood in the path to it */
};

struct program {
	uint64_t device, inode;
	int64_t seconds, nanoseconds; /* of its last change */
	unsigned mode;
	unsigned owner, group;
	struct program_facts facts;
	size_t head_size;      /* 0: not read, as it may not be or the facts were known */
	char head[BUILD_HEAD]; /* a script is told by its first PROGRAM_HEAD bytes, a build-id may stand behind */
};

/*
 * Looks at the file that dirfd and path lead to (as openat would take them), which lies at `where`. Result: 0; the kernel's
 * -errno; -EACCES when it is no regular file or nobody may execute it, as execve would say.
 */
long program_look(struct program *ret, int dirfd, const char *path, const char *where);

/* Its two halves. fd: open for reading; else negative or O_PATH, and nothing is read. */
long program_stat(struct program *ret, int dirfd, const char *path);
void program_read(struct program *ret, long fd, const char *where);

/*
 * Follows a path to a program, a symlink at its end too, and looks at it: in room stands where it leads, *ret_length bytes.
 * Result: as program_look's; -ENAMETOOLONG for a room that is too small; PROGRAM_SLOWLY: ask path_follow where it leads.
 * remembers: what is found may be kept for the next time (program_remember).
 */
#define PROGRAM_SLOWLY 1L
long program_find(struct program *ret, struct path_room room, int dirfd, const char *path, bool remembers,
		  size_t *ret_length);

/*
 * The few symlinks that stand in a path, by where in the text the name of each ends; the next one is counted in the text
 * that the one before was replaced in. All else in it are folders, as long as nothing is moved (start_moves): a file that is
 * unchanged has lost no name and has none more, so it lies where the texts of these links say.
 */
#define PROGRAM_LINKS 2
struct program_links {
	uint64_t moves;  /* start_moves() before they were found */
	uint64_t target; /* print of the path that they lead to, 0: they are too many, or too long */
	uint32_t count;
	uint32_t ends[PROGRAM_LINKS];
};

/*
 * program_links_find: those between path and target. program_links_follow: in room stands the folded path, `length` bytes,
 * and then where its links lead now; result: the length, or a negative number when they do not lead to that target.
 */
void program_links_find(struct program_links *ret, int dirfd, const char *path, uint64_t target);
long program_links_follow(const struct program_links *links, struct path_room room, size_t length);
uint64_t program_links_print(const char *target, size_t length);

/*
 * What was found lately about the program that a text names; print: of the text, never 0. The facts are only true when it
 * is still the same file, unchanged. Kept are files that were last changed before the session was made: every later
 * change then shows, however coarse the file system's clock is. Safe anywhere, lock-free.
 */
struct program_known {
	uint64_t device, inode;
	int64_t seconds, nanoseconds; /* of its last change */
	struct program_facts facts;
	struct program_links links;
};
bool program_recall(uint64_t print, struct program_known *ret);
bool program_is_worth_it(const struct program *program); /* to be remembered: false once, to the first that is asked about */
void program_remember(uint64_t print, const struct program *program, const struct program_links *links);

/*
 * Splits a "#!" line in place: interpreter and its one argument (NULL when there is none), both inside head.
 * False when the file is no script.
 */
bool program_script(struct program *program, char **ret_interpreter, char **ret_argument);

/* With what it gains by its owner, group and capabilities, which depends on who starts it. */
enum program_cover program_cover(const struct program *program);

/* Asks /proc about a process (check/caller.h); `executed` only of this one itself. image: for what its argv means. */
void program_caller(struct caller *ret, long pid, const struct image *image);

#endif
