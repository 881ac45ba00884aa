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

#define FILTER_SITES_MAX 8
#define FILTER_SITE_MASK 0xfffu /* what the kernel's shuffling of addresses leaves of them: the place in a page */

/* Where libc opens what it reads for itself: places in a page, of the address behind the call. */
struct filter_sites {
	uint32_t place[FILTER_SITES_MAX];
	unsigned count;
	uint32_t from; /* high half of addresses: libraries and the linker are above, programs below */
};

/*
 * Builds the program: guarded calls of every ABI of this machine stop in the supervisor unless calls.def lets them pass
 * (word: the session's fast lane; sites: plain reading from these places of code that is mapped as libraries are, none
 * when count is 0), io_uring_setup gets ENOSYS, an unknown ABI gets ENOSYS for everything, the rest runs.
 * False when this machine has no backstop (neither x86-64 nor aarch64).
 */
bool filter_build(struct filter *ret_filter, uint64_t word, const struct filter_sites *sites);

#endif
