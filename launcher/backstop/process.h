/* SPDX-License-Identifier: MIT */
/* What /proc tells about a stopped caller. Asked for only when something is refused or reported. */
#ifndef BRIDLE_BACKSTOP_PROCESS_H
#define BRIDLE_BACKSTOP_PROCESS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum process_cover {
	PROCESS_SHIM,     /* the shim is in it: what stopped went round it */
	PROCESS_STATIC,   /* no dynamic linker in it */
	PROCESS_UNLOADED, /* dynamic, but without the shim */
	PROCESS_CLOSED,   /* may not be looked into */
};

/* Whose code made the call. */
enum process_origin {
	PROCESS_OWN,   /* the program's, or some library's */
	PROCESS_LIBC,  /* libc's, the dynamic linker's */
	PROCESS_GUARD, /* the shim's: judged already */
};

struct process {
	pid_t tid, tgid, parent;
	uint64_t started; /* clock ticks after boot: with tgid, who it is */
	enum process_cover cover;
	enum process_origin origin;
	char exe[PATH_MAX]; /* "" when unknown */
};

/*
 * Whose code it is, and whether the shim is there: cover and origin alone; PROCESS_CLOSED as well when the process is gone.
 * pointer: the instruction that made the call.
 */
void process_look_at_code(struct process *ret, pid_t tid, uint64_t pointer);

/* The rest of it: who the process is. False when it is gone. */
bool process_name(struct process *process);

/* Both. */
bool process_look(struct process *ret, pid_t tid, uint64_t pointer);

/* Is `tid`, a number of the caller's pid namespace, a thread of this process (the launcher)? */
bool process_is_launcher(pid_t caller, pid_t tid);

/* Does descriptor `pidfd` of the caller stand for this process? */
bool process_pidfd_is_launcher(pid_t caller, int pidfd);

#endif
