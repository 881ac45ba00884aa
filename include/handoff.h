/* SPDX-License-Identifier: MIT */
/*
 * What goes down the process tree. Two environment variables and one folder a session:
 *
 *   BRIDLE_SESSION=/tmp/bridle-1f3c9a...[:/tmp/bridle-...]   the folders of the sessions this process is in,
 *                                                            outermost first (`bridle run` inside `bridle run`)
 *   LD_PRELOAD=/tmp/bridle-1f3c9a.../libbridle.so[:...]      the outermost session's link to the shim, first
 *
 * A session folder (mode 0700) holds:
 *
 *   session        struct session_page, then the image at SESSION_IMAGE_OFFSET; the launcher keeps it flock()ed
 *                  while the session lives, so a folder whose lock can be had is stale and may be swept
 *   report         the FIFO that takes report lines
 *   libbridle.so   a link to the shim: its path has no space and no colon, which ld.so would split at
 *   tmp/           the private temporary folder, where the policy asks for one
 *
 * A session that root started is one for its descendants of other users as well, who would else run unguarded: the folder
 * is 0711 in a folder SESSION_ROOT_PARENT (0711 too: only root can list it, so nobody else learns the name; in /tmp it stays),
 * `session` 0644, `report` 0666, tmp/ 01777, the library a copy where others could not follow a link, and there is
 *
 *   counters       struct session_page, 0666: the same for shims that may not write to `session`. What they add to started,
 *                  checked, denied and lost the launcher adds to the page of `session`; their moves stay in this one
 *
 * Every session denies by itself: a request passes when all of them allow it, and each one reports what it denied.
 * Bump HANDOFF_VERSION when any of this changes meaning; launcher and shim of different versions refuse each other.
 */
#ifndef BRIDLE_HANDOFF_H
#define BRIDLE_HANDOFF_H

#include <stdint.h>

#define HANDOFF_VERSION 3
#define HANDOFF_SESSION "BRIDLE_SESSION"
#define HANDOFF_PRELOAD "LD_PRELOAD"
#define HANDOFF_NESTING 4 /* sessions inside sessions; one more is refused by the launcher */

#define SESSION_FOLDER_PREFIX "bridle-"
#define SESSION_FOLDER_MAX 128 /* bytes of a session folder's path, with its NUL */
#define SESSION_FILE "session"
#define SESSION_FIFO "report"
#define SESSION_LIBRARY "libbridle.so"
#define SESSION_TMP "tmp"
#define SESSION_COUNTERS "counters"
#define SESSION_ROOT_PARENT ".bridle"

#define SESSION_MAGIC 0x656c6462u /* "bdle" */
/* The largest page that a kernel of this machine has: what is mapped, protected or wiped by itself begins on such a one. */
#if defined(__aarch64__)
#define HANDOFF_PAGE 65536
#else
#define HANDOFF_PAGE 4096
#endif
#define SESSION_IMAGE_OFFSET HANDOFF_PAGE

/*
 * The first page of the session file, or of `counters`: the only memory that launcher and shims share for writing. Counters
 * are added to atomically and mean something only as totals. Whoever maps it checks magic and version first.
 *
 * `word` is the fast lane of the backstop (launcher/backstop/calls.def): the shim makes each guarded system call that it
 * has judged with the word in the sixth argument register (r9 on x86-64, x5 on aarch64), and the filter waves it through.
 * No guarded call has six arguments but sendto; an addressed send goes through sendmsg. The register must be cleared
 * right after the call, else a later system call of the program's own would carry the word by accident. The kernel
 * allows one listener a process, so of nested sessions only one has a word: use the first that is not 0. Without a
 * backstop passing it is harmless. Set before the child starts, never changed. It is made from the session's id, so that
 * a shim can open `session` with it; it is no secret, but nothing that a register holds by chance.
 */
struct session_page {
	uint32_t magic;
	uint32_t version; /* HANDOFF_VERSION */
	uint64_t started; /* shims that have mapped the session: the launcher's proof that its child is guarded */
	uint64_t checked; /* calls judged */
	uint64_t denied;  /* of these, denied (counted in audit mode too) */
	uint64_t lost;    /* report lines given up because nobody read the FIFO */
	uint64_t word;    /* fast lane of the backstop, as handoff_word; 0: this session has none */
	uint64_t stopped; /* calls that stopped in the backstop */
	uint64_t moves;   /* names that were changed and mounts: what a shim remembers of where folders lie is old then */
	/*
	 * Set by the backstop for what no shim sees. moving: calls that move something are on their way, nothing about where
	 * folders lie is remembered meanwhile. sharing: some process shares its working directory with another one that has a
	 * memory of its own, so who moves to another directory counts it in moves.
	 */
	uint64_t moving, sharing;
	/*
	 * Stamps of this very file (start.c), 0 at first: the shim that has looked over the image, and over what it says of
	 * programs, leaves them, and the others need not look at every record again.
	 */
	uint64_t seen_basics, seen_programs;
};

/* The word of the session with this id, which is random (FNV-1a); never 0. Pure. */
static inline uint64_t handoff_word(const char *id)
{
	uint64_t word = 0xcbf29ce484222325u;

	for (; *id; id++)
		word = (word ^ (unsigned char)*id) * 0x100000001b3u;
	return word ? word : 1;
}

_Static_assert(sizeof(struct session_page) <= SESSION_IMAGE_OFFSET, "the page holds the counters");

#endif
