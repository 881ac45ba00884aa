/* SPDX-License-Identifier: MIT */
/* Before the first call: the sessions that this process lives in, mapped once. */
#ifndef BRIDLE_START_H
#define BRIDLE_START_H

#include <stdbool.h>
#include <stdint.h>

#include "handoff.h"
#include "image.h"
#include "inherit.h"

enum start_state {
	START_INERT,  /* no session was promised: every call goes straight through */
	START_READY,  /* all sessions are mapped and valid; for the rules about programs see below */
	START_BROKEN, /* a session was promised and cannot be read: every guarded call is refused */
};

struct start_session {
	struct session_page *page; /* at map, or of its own for who may not write there (include/handoff.h) */
	const struct image *image;
	void *map;      /* the session file */
	uint64_t size;  /* bytes mapped at map */
	uint64_t stamp; /* of the session file: no other file has it, nor one written later in its place. 0: unknown */
	char folder[SESSION_FOLDER_MAX];
	const char *id; /* inside folder: its name without SESSION_FOLDER_PREFIX */
};

struct start {
	enum start_state state;
	bool silent; /* no session wants a line for a call that is allowed */
	unsigned count;
	struct start_session sessions[HANDOFF_NESTING]; /* outermost first */
	int pid;                                        /* the process that mapped them */
	int64_t since;                                  /* seconds since the epoch: about when the outermost one was made */
	const uint64_t *moves[2];                       /* of the outermost session, and of the one with the backstop */
	struct inherit inherit;                         /* points at the two below */
	char session_value[HANDOFF_NESTING * SESSION_FOLDER_MAX];
	char preload[SESSION_FOLDER_MAX + sizeof(SESSION_LIBRARY)];
};

/*
 * The same object for the whole life of the process, children without exec included. The first call maps the sessions;
 * it may come from anywhere: another library's constructor, a signal handler, a vfork child, several threads at once.
 */
extern struct start *start_current;
const struct start *start_first(void);

static inline const struct start *start(void)
{
	const struct start *known = __atomic_load_n(&start_current, __ATOMIC_ACQUIRE);

	return known ? known : start_first();
}

/*
 * Are the rules about programs of all its sessions whole? Looked at when they are first asked for, and remembered. False:
 * no program can be judged, so none may be started. start is READY.
 */
bool start_programs(const struct start *start);

/*
 * What nearly every process writes at its start, or with its first calls, lies on one page, behind the one that cwd.c needs
 * for itself: each page that is touched costs more than many calls. The linker sorts by these names.
 */
#define START_PAGE __attribute__((section(".bss.hot")))
#define START_HOT __attribute__((section(".bss.hot.page")))

/*
 * What was renamed or mounted by any process of the outermost session until now, as a number that only grows: paths that
 * the kernel gave for a folder are true while it stays the same. What moves folders calls start_moved() once it is done;
 * for what goes around the library the backstop counts, before and again after (start_moving).
 */
static inline uint64_t start_moves(void)
{
	const struct start *sessions = start();

	return __atomic_load_n(sessions->moves[0], __ATOMIC_SEQ_CST) + __atomic_load_n(sessions->moves[1], __ATOMIC_SEQ_CST);
}

/* May something be moving just now, so that what the kernel says may be old before it could be remembered? */
bool start_moving(void);

/* Does some process share its working directory in a way that only the backstop has seen? */
bool start_sharing(void);

/* Result: the number before. */
static inline uint64_t start_moved(void)
{
	const struct start *sessions = start();

	return sessions->state == START_READY ? __atomic_fetch_add(&sessions->sessions[0].page->moves, 1, __ATOMIC_SEQ_CST) : 0;
}

/*
 * Has this program shut system calls off (seccomp)? Then none may be made that it does not ask for itself. Set once,
 * inherited by its children without exec, never cleared.
 */
extern bool start_filtered;

/* Does some session want to know how calls end: one that reports every call, or one that refuses nothing? Set once. */
extern bool start_tells;

#endif
