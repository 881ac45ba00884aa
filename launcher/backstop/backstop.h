/* SPDX-License-Identifier: MIT */
/*
 * The backstop of a session: seccomp user notification with the launcher as supervisor (launcher/backstop/). It sees what
 * a preload cannot: static programs, raw system calls, 32-bit ones, io_uring (answered ENOSYS).
 *
 * Order of use, all in the launcher but for one call:
 *   backstop_prepare     before the session page is written: its word goes there
 *   backstop_install     in the child, right before exec, which is then made by
 *   backstop_execute
 *   backstop_start       in the launcher, right after fork; waits for the child's install
 *   backstop_status      what is in force, for the session line
 *   backstop_stop        when the session is over
 * When the launcher dies, the kernel answers the guarded calls of whoever is left with ENOSYS.
 */
#ifndef BRIDLE_BACKSTOP_H
#define BRIDLE_BACKSTOP_H

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"
#include "handoff.h"
#include "image.h"
#include "policy/policy.h"

struct backstop;

/*
 * Decides by the policy's coverage whether this session gets a backstop, with `word` (handoff_word) as its fast lane; from
 * here on backstop_status tells. False only when the policy insists (POLICY_BACKSTOP_ON) and the machine cannot. Otherwise
 * *ret_backstop is set, and inert where there is none: every call below may be made on it.
 */
bool backstop_prepare(const struct policy *policy, uint64_t word, struct backstop **ret_backstop, struct failure *failure);

/* The fast lane's word (struct session_page); 0 when there is no backstop. */
uint64_t backstop_word(const struct backstop *backstop);

/* From here on the session cannot do without it: what the policy says of POLICY_BACKSTOP_ON holds. */
void backstop_insist(struct backstop *backstop);

/*
 * The child's side. Async-signal-safe. The launcher learns of a failure; false when the session insists on what failed, so
 * that the child must not go on to exec.
 */
bool backstop_install(const struct backstop *backstop);

/*
 * The child's own exec: execve, but past its own filter, since the launcher has judged this command already. Returns only
 * when it failed, with errno set. Async-signal-safe.
 */
void backstop_execute(const struct backstop *backstop, const char *path, char *const *argv, char *const *environment);

/* What the supervisor works with; everything must live until backstop_stop. */
struct backstop_session {
	const struct image *image;
	struct session_page *page;
	struct session_page *others; /* the counters of descendants of other users, or NULL */
	const char *id;              /* of the session, for the lines */
	const char *folder;          /* of the session: its FIFO takes the lines */
};

/*
 * Takes the listener from the child and starts to answer. False only when the session insists and it did not work, or when
 * the filter is in force and nobody can answer: the child is then to be killed.
 */
bool backstop_start(struct backstop *backstop, const struct backstop_session *session, struct failure *failure);

/* "on", "off: coverage.backstop = off", "off: <why it does not work here>". Lives as long as backstop. */
const char *backstop_status(const struct backstop *backstop);

/* Stops answering and frees; NULL is fine. */
void backstop_stop(struct backstop *backstop);

/* Why there can be no backstop on this machine, or NULL. Also for `bridle doctor`. */
const char *backstop_obstacle(void);

#endif
