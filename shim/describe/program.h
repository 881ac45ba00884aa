/* SPDX-License-Identifier: MIT */
/* What kind of file a program is, and who is about to start it. Asks the kernel, owns no memory, safe anywhere. */
#ifndef BRIDLE_DESCRIBE_PROGRAM_H
#define BRIDLE_DESCRIBE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/build.h"

#define PROGRAM_HEAD 256 /* what the kernel itself reads to tell a script from a binary */

struct program {
	uint64_t device, inode;
	unsigned mode;
	unsigned owner, group;
	size_t head_size;      /* 0 when the file may be executed but not read */
	char head[BUILD_HEAD]; /* a script is told by its first PROGRAM_HEAD bytes, a build-id may stand behind */
};

/*
 * Looks at the file that dirfd and path lead to (as openat would take them). Result: 0; the kernel's -errno;
 * -EACCES when it is no regular file or nobody may execute it, as execve would say.
 */
long program_look(struct program *ret, int dirfd, const char *path);

/*
 * Splits a "#!" line in place: interpreter and its one argument (NULL when there is none), both inside head.
 * False when the file is no script.
 */
bool program_script(struct program *program, char **ret_interpreter, char **ret_argument);

/* Why the shim will not be in the process that this program becomes. */
enum program_cover {
	PROGRAM_COVERED,
	PROGRAM_STATIC,
	PROGRAM_FOREIGN,
	PROGRAM_SETID
};

/* fd-less: opens the file again for the parts of an ELF header behind its head. */
enum program_cover program_cover(const struct program *program, const char *path);

/*
 * A process, as far as rules ask for it: the basenames of its program, of the file that the kernel was asked to execute
 * (known for this process only) and of the script that its argv names, each empty when unknown; the head of its argv,
 * as much as fits, inside line; its parent, 0 when unknown.
 */
#define CALLER_SIZE 64
#define CALLER_LINE 384
#define CALLER_WORDS 24
struct caller {
	char program[CALLER_SIZE];
	char executed[CALLER_SIZE];
	char script[CALLER_SIZE];
	char line[CALLER_LINE];
	char *argv[CALLER_WORDS];
	size_t argc;
	bool cut; /* argv goes on; its last word here may be half of one */
	long parent;
};
void program_caller(struct caller *ret, long pid);

#endif
