/* SPDX-License-Identifier: MIT */
/*
 * The files that a session touched, as a tree of names with counts. Bounded: beyond PATHS_MAX names in all, or
 * PATHS_CHILDREN_MAX in one folder, calls are counted at the nearest kept folder. No effects but memory.
 */
#ifndef BRIDLE_PATHS_H
#define BRIDLE_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/index.h"
#include "report/intern.h"

#define PATHS_MAX 65536
#define PATHS_CHILDREN_MAX 2048
#define PATHS_DEPTH_MAX 256

enum path_mark {
	PATH_READ = 1,
	PATH_WRITTEN = 2, /* opened for writing, or its attributes changed */
	PATH_CREATED = 4,
	PATH_REMOVED = 8,
	PATH_RUN = 16,
	PATH_MORE = 32, /* calls beneath it were counted here */
	PATH_NEW_READ = 64,
	PATH_NEW_CHANGE = 128,      /* set by a comparison, never by a call */
	PATH_MISSING = 256,         /* looked for, and not there */
	PATH_GONE = 512,            /* the last that was seen of it is that it was removed; set by these functions */
	PATH_ASKED_TO_WRITE = 1024, /* by a call of which nobody knows how it ended; as PATH_WRITTEN, ... */
	PATH_ASKED_TO_CREATE = 2048,
	PATH_ASKED_TO_REMOVE = 4096,
	PATH_LASTING = 8192,    /* changed, and more than temporary; set by paths_finish */
	PATH_TEMPORARY = 16384, /* made, and gone at the end; set by paths_finish */
};

#define PATH_DONE (PATH_WRITTEN | PATH_CREATED | PATH_REMOVED)
#define PATH_ASKED (PATH_ASKED_TO_WRITE | PATH_ASKED_TO_CREATE | PATH_ASKED_TO_REMOVE)
#define PATH_CHANGES (PATH_DONE | PATH_ASKED)

struct path_node {
	const char *name;     /* one component; "" for the root */
	uint32_t parent;      /* always a smaller index; 0 for the root itself, which is node 0 */
	uint32_t first, next; /* children, newest first; INDEX_NONE ends the list */
	uint32_t children;
	uint32_t marks; /* of the calls on this very path */
	uint64_t reads, writes, misses;
};

struct paths {
	struct intern *names;
	struct path_node *nodes;
	uint32_t count, room;
	struct index index;
};

/* A folder (or file) that stands for everything beneath it. */
struct path_fold {
	uint32_t node;
	uint64_t files; /* different paths */
	uint64_t calls;
};

/* names: where components are kept; outlives the paths. False: out of memory. */
bool paths_open(struct paths *paths, struct intern *names);
void paths_close(struct paths *paths);

/* Counts one call on an absolute path; marks: PATH_READ, PATH_RUN, PATH_MISSING or one or more of PATH_CHANGES. */
void paths_add(struct paths *paths, const char *path, uint32_t marks);

/* A call that was counted was not to be: it failed. marks: as it was counted. */
void paths_take_back(struct paths *paths, const char *path, uint32_t marks);

/* The same marks for a call of which it is not known how it ended: what it did to a file becomes what it asked for. */
uint32_t paths_asked(uint32_t marks);

/* Says more of a call that was counted already. */
void paths_mark(struct paths *paths, const char *path, uint32_t marks);

/* Call once, when all is in: tells lasting changes from temporary ones. */
void paths_finish(struct paths *paths);

/* The node of exactly this absolute path (without ".."), or INDEX_NONE. */
uint32_t paths_find(const struct paths *paths, const char *path);

/* Writes the path of a node, NUL-terminated, cut to size. Returns its length. */
size_t paths_name(const struct paths *paths, uint32_t node, char *buffer, size_t size);

/*
 * The fewest folders that say where the paths with one of `marks` are: at most about `limit` of them, as deep as that
 * allows, in the order of their paths. *ret_folds is malloc'ed; returns their number; 0 when there are none.
 */
size_t paths_fold(const struct paths *paths, uint32_t marks, size_t limit,
		  struct path_fold **ret_folds);

/* The paths that carry one of `marks`, each by itself, in the order of their paths. As paths_fold. */
size_t paths_list(const struct paths *paths, uint32_t marks, size_t limit,
		  struct path_fold **ret_folds);

#endif
