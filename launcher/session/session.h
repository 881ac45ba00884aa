/* SPDX-License-Identifier: MIT */
/*
 * The session folder (include/handoff.h): made before anything else, removed when the last process is gone. The
 * launcher holds the lock on the session file as long as it lives; what a killed launcher left is swept by the next.
 */
#ifndef BRIDLE_SESSION_H
#define BRIDLE_SESSION_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "failure.h"
#include "handoff.h"

#define SESSION_ID_SIZE 17 /* 16 hex digits and a NUL */

struct session {
	char id[SESSION_ID_SIZE];
	char folder[SESSION_FOLDER_MAX];
	char tmp[SESSION_FOLDER_MAX];                               /* the private temporary folder's path */
	char chain[HANDOFF_NESTING * SESSION_FOLDER_MAX];           /* value of BRIDLE_SESSION, this one last */
	char preload[SESSION_FOLDER_MAX + sizeof(SESSION_LIBRARY)]; /* the outermost link to the shim */
	char launcher[PATH_MAX];                                    /* our own program, as reports name it; "" when unknown */
	int file;                                                   /* the session file, locked */
	int fifo;                                                   /* the report FIFO, read-write and non-blocking */
	uint64_t word;                                              /* of the page: set before session_publish */
	void *mapped;                                               /* page and image; NULL until session_map */
	size_t mapped_size;                                         /* bytes */
	struct session_page *page;                                  /* NULL until published */
	bool shared;                                                /* for descendants of other users too */
	struct session_page *others;                                /* their counters; NULL: not shared */
};

/*
 * Makes the folder under parent (normally $TMPDIR; /tmp instead where ld.so could not use it: empty or relative, with
 * a space, a colon or a line break, or too long), with the lock, the FIFO, tmp/ and the link to `library`. Root's is shared
 * with descendants of other users (include/handoff.h). outer: the inherited BRIDLE_SESSION or NULL; refused when it is
 * nested too deep or cannot be read. On failure nothing is left behind. Every descriptor is close-on-exec.
 */
bool session_create(struct session *session, const char *parent, const char *outer, const char *library,
		    struct failure *failure);

/*
 * Maps the session file once the image of `size` bytes stands in it at SESSION_IMAGE_OFFSET. The image, not to be written,
 * valid until session_remove; NULL with the reason in failure.
 */
const void *session_map(struct session *session, size_t size, struct failure *failure);

/* Fills the page, after session_map: from here on a shim takes the session. */
void session_publish(struct session *session);

/*
 * Sweeps stale folders where this session's lies. Nothing waits for it, so it is done while the command starts; a folder of
 * many files takes a while to read.
 */
void session_tidy(const struct session *session, const char *outer);

/* Adds what descendants of other users counted to page; afterwards it holds the totals of all. */
void session_gather(struct session *session);

/* Removes the folder with all in it and closes everything. Harmless on a session that failed to be created. */
void session_remove(struct session *session);

/* Is this a folder name that session_create makes? */
bool session_is_name(const char *name);

/*
 * Removes the session folders in `parent` that belong to this user and whose lock can be had; never follows a link. Those
 * that outer (an inherited BRIDLE_SESSION, or NULL) names are left alone: to touch them is a violation. Returns how many.
 */
unsigned session_sweep(const char *parent, const char *outer);

/* Removes the folder `name` in the folder `parent` with all in it, following no link. False when something stayed. */
bool session_remove_tree(int parent, const char *name);

/*
 * The shim: beside the launcher (by /proc/self/exe), else in ../lib/bridle/. Its path, links followed, goes to path;
 * it must be readable and an ELF file of this machine.
 */
bool session_find_library(char *path, size_t size, struct failure *failure);

/*
 * Sets session->chain and session->preload from the inherited BRIDLE_SESSION (NULL or "": none), each of whose folders
 * must hold a session file of this user. Their rules shut the files to us, so the versions are for the shim to compare.
 */
bool session_nest(struct session *session, const char *outer, struct failure *failure);

#endif
