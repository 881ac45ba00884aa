/* SPDX-License-Identifier: MIT */
/* The seccomp program of a session, built from calls.def. Pure. */
#ifndef BRIDLE_BACKSTOP_FILTER_H
#define BRIDLE_BACKSTOP_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FILTER_MAX 2048 /* instructions; the kernel takes 4096 */

struct filter {
	struct sock_filter code[FILTER_MAX];
	size_t length;
};

/*
 * Builds the program: guarded calls of every ABI of this machine stop in the supervisor unless calls.def lets them pass
 * (word: the session's fast lane), io_uring_setup gets ENOSYS, an unknown ABI gets ENOSYS for everything, the rest runs.
 * False when this machine has no backstop (neither x86-64 nor aarch64).
 */
bool filter_build(struct filter *ret_filter, uint64_t word);

#endif
