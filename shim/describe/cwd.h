/* SPDX-License-Identifier: MIT */
/*
 * The working directory, remembered while it cannot have changed. Safe anywhere: lock-free, any thread, signal
 * handler, vfork child.
 */
#ifndef BRIDLE_DESCRIBE_CWD_H
#define BRIDLE_DESCRIBE_CWD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Writes the absolute path of the working directory, NUL-terminated. Result: its length; -ENAMETOOLONG when it does
 * not fit into size; -ENOENT when the directory was removed or cannot be reached from the root.
 */
long cwd_get(char *path, size_t size);

/* The same, asked of the kernel and not remembered: for a process that is about to become another program. */
long cwd_ask(char *path, size_t size);

/* A print of that path, and the moment it holds for. False: it is not remembered now, cwd_get may help. */
struct cwd_stamp {
	uint64_t print;
	uint64_t changes, moves;
};
bool cwd_stamp(struct cwd_stamp *ret);

/* How often it was moved, and in the upper bits how many threads move it now: nothing is remembered meanwhile. */
#define CWD_MOVING (UINT64_C(1) << 48)
extern uint64_t cwd_changes;

/* Is it still the same directory, whatever it is called by now? */
static inline bool cwd_stands(const struct cwd_stamp *stamp)
{
	return __atomic_load_n(&cwd_changes, __ATOMIC_SEQ_CST) == stamp->changes;
}

/* Has nobody moved since, nor begun to? Then what cwd_get said meanwhile was the path of the print. */
bool cwd_is_still(const struct cwd_stamp *stamp);

/* Around what moves the working directory of this process: nothing is believed meanwhile, nor what was known before. */
void cwd_leave(void);
void cwd_arrive(void);

/* After anything else that may have given it another path. */
void cwd_changed(void);

/*
 * After what was called `path` got another name: the directory may be the one that we stand in, or one above it. When no
 * folder above us is called so, nothing has changed for us. Counted for all others (start_moved).
 */
void cwd_moved(const char *path);

/* When something will move it that we do not see (libc's own fchdir in nftw or fts): never remember it again. */
void cwd_distrust(void);

/* Before a child is made that shares the directory and not the memory (clone with CLONE_FS): the same, children included. */
void cwd_shared(void);

#endif
