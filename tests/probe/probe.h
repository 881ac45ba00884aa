/* SPDX-License-Identifier: MIT */
/*
 * probe VERB EXPECT ARGUMENT...: calls one interposed function and compares what it gave. VERB is the function's name,
 * EXPECT one or more of `ok`, `-1,ERRNO`, joined by `|`. Exit status 0: as expected; 1: not; 2: usage. `probe --verbs`
 * lists the verbs. The argv is the test: nothing else is read.
 */
#ifndef BRIDLE_PROBE_H
#define BRIDLE_PROBE_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>

/* failed: error holds an errno; or, for the resolver's functions, the name of its own error. */
struct outcome {
	bool failed;
	int error;
	const char *word;
};

struct verb {
	const char *name;
	unsigned arguments; /* at least so many */
	struct outcome (*call)(char **arguments);
};

/* Each file has one table, ended by a NULL name. */
extern const struct verb exec_verbs[], open_verbs[], file_verbs[], meta_verbs[], dir_verbs[], ipc_verbs[], net_verbs[],
	read_verbs[], host_verbs[], number_verbs[], other_verbs[];

/* The three ways in which libc tells of failure. */
struct outcome from_int(long result);            /* -1 and errno */
struct outcome from_pointer(const void *result); /* NULL and errno */
struct outcome from_error(int error);            /* the error itself; 0: none */

/* A text that was found: good is the wanted one, any where NULL is wanted; another one is ENOENT. NULL and errno. */
struct outcome from_name(const char *found, const char *wanted);

/* A name that headers do not declare, or that this libc may not have; what is missing fails with ENOSYS. */
void *find(const char *name);

/* "O_RDONLY|O_CREAT" as a number. */
int open_flags(const char *words);

/* AT_FDCWD for "-", else a descriptor of that directory. */
int folder(const char *path);

#endif
