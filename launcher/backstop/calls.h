/* SPDX-License-Identifier: MIT */
/* The guarded system calls (calls.def) as the filter and the judge look at them. Pure. */
#ifndef BRIDLE_BACKSTOP_CALLS_H
#define BRIDLE_BACKSTOP_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The ways a program can enter the kernel; the first is this machine's own, the others its compatible ones. */
enum abi {
	ABI_X86_64,
	ABI_X32,
	ABI_I386,
	ABI_AARCH64,
	ABI_ARM,
	ABI_COUNT,
	ABI_NONE = ABI_COUNT
};

enum pass {
	PASS_WORD,
	PASS_LIBC,
	PASS_NOTHING,
	PASS_UNADDRESSED,
	PASS_UNATTACHED,
	PASS_SUBCALLS,
	PASS_REFUSED,
	PASS_UNSHARED,
	PASS_OPENLY
};

enum shape {
	SHAPE_PATHS,      /* the paths stand in the arguments */
	SHAPE_OPEN,       /* ... and open's flags decide between read and write */
	SHAPE_OPEN_HOW,   /* ... the flags stand in struct open_how at argument 2 */
	SHAPE_EXEC,       /* argv at argument 1 */
	SHAPE_EXEC_AT,    /* argv at argument 2 */
	SHAPE_MOUNT,      /* the source is a path only when it is bound or moved */
	SHAPE_MOVE_MOUNT, /* a folder is mounted elsewhere; a source that is open was judged then */
	SHAPE_OPEN_TREE,  /* a folder that can be mounted anywhere */
	SHAPE_CHROOT,     /* a folder that becomes "/" */
	SHAPE_RENAME,     /* paths, and what lies in a folder that gets another name lies elsewhere then */
	SHAPE_MOVES,      /* nothing to judge, but the caller's root or mounts may be others afterwards */
	SHAPE_WALKS,      /* ... but the caller's working directory may be another */
	SHAPE_SHARES,     /* ... but the caller's working directory will be another process's as well */
	SHAPE_HANDLE,     /* a file without a path */
	SHAPE_CONNECT,
	SHAPE_BIND,
	SHAPE_SENDTO,
	SHAPE_SENDMSG,
	SHAPE_SENDMMSG,
	SHAPE_SOCKETCALL,
	SHAPE_INTRUDE, /* a thread id of another process */
	SHAPE_STEAL,   /* a pidfd of another process */
};

enum follow {
	FOLLOW_ALWAYS,
	FOLLOW_NEVER,
	FOLLOW_UNLESS,
	FOLLOW_IF,
	FOLLOW_OPEN
};

enum place_kind {
	PLACE_NONE,
	PLACE_READ,
	PLACE_WRITE,
	PLACE_MAKE,
	PLACE_NEW,
	PLACE_OPEN
};

/* Where a path stands among the arguments. */
struct place {
	uint8_t kind; /* enum place_kind */
	int8_t dirfd; /* argument that holds the folder's descriptor; -1: the working directory */
	int8_t path;  /* argument that points to the path; -1: the descriptor itself is meant */
};

struct call {
	const char *name;
	int16_t numbers[ABI_COUNT]; /* -1: this ABI has no such call */
	uint8_t pass, shape;        /* enum pass, enum shape */
	struct place first, second;
	uint8_t follow; /* enum follow */
	uint8_t flag;   /* index of the flag argument */
};

extern const struct call calls[];
extern const size_t call_count;

/* The ABI of a system call from the AUDIT_ARCH_* value and the number that seccomp hands out; ABI_NONE: unknown. */
enum abi call_abi(uint32_t arch, int number);

/* May this call change where paths lead for its caller and others? */
bool call_moves(const struct call *call);

/* The guarded call behind a number, or NULL. */
const struct call *call_find(enum abi abi, int number);

#endif
