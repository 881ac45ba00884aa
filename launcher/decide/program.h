/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_PROGRAM_H
#define BRIDLE_PROGRAM_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "decision.h"
#include "image.h"

/* The file that a command word names. */
struct program {
	char path[PATH_MAX];   /* as it is given to execve; "" when none was found */
	char target[PATH_MAX]; /* where that leads, symlinks followed; "" when unknown */
	uint64_t device, inode;
	uint8_t build[IMAGE_BUILD_SIZE]; /* its build-id, where has_build */
	bool has_build;
	int error; /* 0, ENOENT, or why it cannot be executed: EACCES, ENOTDIR, ... */
};

/*
 * Finds name as execvp would: as it is when it holds a slash, else along search (a PATH; NULL: the system's own), where
 * what is found but cannot be executed is passed over and remembered. base: where relative paths start; NULL: here.
 */
void program_find(const char *name, const char *search, const char *base, struct program *ret_program);

/*
 * Can the shim enter this program? RULE_NONE: yes, it loads the libraries of its interpreter (of the "#!" line as well,
 * to any depth that the kernel follows); else coverage.static, coverage.foreign or coverage.setid. Reads the file.
 */
enum rule program_coverage(const char *path);

#endif
