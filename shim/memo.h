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
#include "print.h"
#include "request.h"

#define MEMO_ALLOWED 84 /* START_HOT stays below a page with it */
extern uint64_t memo_allowed[MEMO_ALLOWED];

/*
 * The key of a question: may op be done with the file that a text names? print: of the text (memory_text); base: of the
 * working directory that it starts from, 0 for an absolute one. Never 0; the address salts it.
 */
static inline uint64_t memo_key(enum op op, uint64_t base, uint64_t print)
{
	return print_word(print ^ (uint64_t)(uintptr_t)memo_allowed, base + op) | 1;
}

/* Was that allowed by every session? */
static inline bool memo_holds(uint64_t key)
{
	return __atomic_load_n(&memo_allowed[(key >> 32) * MEMO_ALLOWED >> 32], __ATOMIC_RELAXED) == key;
}

/* Remembers it, in the place of what had the same slot. */
static inline void memo_keep(uint64_t key)
{
	__atomic_store_n(&memo_allowed[(key >> 32) * MEMO_ALLOWED >> 32], key, __ATOMIC_RELAXED);
}

/*
 * The key of the folder that the file lies in. text: zeros follow it up to the next multiple of eight bytes (memory_string,
 * path_fold). *ret_name: where the file's name starts. 0: that is not one component, or is "." or "..".
 */
uint64_t memo_folder(uint64_t base, const char *text, size_t length, size_t *ret_name);

/*
 * How far the walk through the path rules of session `index` (below HANDOFF_NESTING) comes in the folder of that key, which
 * is not 0. False: not remembered, or another thread is writing there; *ret is then unspecified. What is kept may be lost:
 * nothing is kept before some folders were asked for, nor while another thread writes to the same slot.
 */
bool memo_find_place(uint64_t folder, unsigned index, struct path_place *ret);
void memo_keep_place(uint64_t folder, unsigned index, const struct path_place *place);

#endif
