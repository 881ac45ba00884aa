/* SPDX-License-Identifier: MIT */
/*
 * The belt: the write rules and, where they can be said that way, the ports of the network rules as a Landlock ruleset: a
 * floor in the kernel under what the shim and the backstop decide, so that a race wins nothing. It is never tighter than the
 * policy, and a refusal by it alone is silent. coverage.landlock = on | off.
 */
#ifndef BRIDLE_BACKSTOP_BELT_H
#define BRIDLE_BACKSTOP_BELT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image.h"

struct belt {
	int ruleset; /* -1: none */
	char status[96];
};

/* What an image asks of a kernel's Landlock. */
struct belt_plan {
	uint64_t fs, net; /* the rights that are refused but where a rule gives them, as linux/landlock.h numbers them */
	size_t size;      /* of the attributes that this ABI takes */
	const char *why;  /* not NULL: why there can be no belt */
};

/* Pure. abi: what belt_abi says, 0 to 7 or one that is not known yet. */
struct belt_plan belt_plan(const struct image *image, int abi);

/*
 * Builds the ruleset of an image; wanted false, an audit image or a kernel without Landlock give an inert belt. session: its
 * folder, whose page and FIFO every shim writes; NULL: only to learn the status. belt->status says what is in force:
 * "on (ABI 7)", "off: why".
 */
void belt_prepare(struct belt *belt, bool wanted, const struct image *image, const char *session);

/* In the child, before the backstop's filter: 0 or an errno. Sets no_new_privs. Async-signal-safe. */
int belt_enter(const struct belt *belt);

void belt_close(struct belt *belt);

/* The Landlock ABI of this kernel, 0: none. */
int belt_abi(void);

#endif
