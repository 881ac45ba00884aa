/* SPDX-License-Identifier: MIT */
/*
 * What the policy said lately: programs open the same few files and folders again and again, and the images never change.
 * Only what was allowed is remembered, as answers to texts, never about files: what a text leads to is the kernel's to
 * say at each call. Safe anywhere: lock-free, any thread, signal handler, vfork child.
 */
#ifndef BRIDLE_MEMO_H
#define BRIDLE_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/path.h"
#include "request.h"

/* A question: may op be done with the file that a text names? whole 0: it cannot be remembered. */
struct memo_key {
	uint64_t whole;  /* print of op, text and where the text starts from */
	uint64_t folder; /* the same of what stands in front of the file's name, without op */
	size_t name;     /* where in the text the name starts: one component, not "." nor ".." */
};

/*
 * dirfd: where a relative text starts from; only the working directory is known without asking the kernel. text: zeros
 * follow it up to the next multiple of eight bytes (memory_string, path_fold).
 */
void memo_key(struct memo_key *ret, enum op op, int dirfd, const char *text, size_t length);

/* Was that allowed by every session? */
bool memo_holds(const struct memo_key *key);
void memo_keep(const struct memo_key *key);

/* How far the walk through the path rules of session `index` comes in the folder. */
bool memo_find_place(const struct memo_key *key, unsigned index, struct path_place *ret);
void memo_keep_place(const struct memo_key *key, unsigned index, const struct path_place *place);

#endif
