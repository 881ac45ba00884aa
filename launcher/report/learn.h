/* SPDX-License-Identifier: MIT */
/*
 * From what was seen to a policy that would have allowed it. A base policy is asked about every file and place in the report;
 * what it refuses is learnt: files as trees that are no wider than they need to be, places by name and port. Never learnt,
 * but listed as questions: known secrets, programs and arguments that the base refuses, the home or a folder above the root.
 */
#ifndef BRIDLE_LEARN_H
#define BRIDLE_LEARN_H

#include <stdbool.h>
#include <stdio.h>

#include "failure.h"
#include "image.h"
#include "policy/policy.h"
#include "report/event.h"
#include "report/paths.h"
#include "report/table.h"

#define LEARN_TREES_MAX 4096

struct learn_place {
	enum op op; /* OP_CONNECT or OP_BIND */
	const char *host, *addr;
	int64_t port;
	uint64_t count;
};

/* What is left to a person. */
struct learn_question {
	const char *what;    /* "read", "write", or the rule */
	const char *subject; /* the path or command line */
	const char *caller;  /* basename of the program that did it, "" unknown */
	uint64_t count;
};

struct learn_program {
	const char *path;
	uint64_t count;
};

/* One tree to allow: its path, how many files and calls it stands for. */
struct learn_tree {
	char *path; /* malloc */
	uint64_t files, calls;
};

struct learn_trees {
	struct learn_tree *items;
	size_t count;
};

struct learn {
	struct intern *names;
	struct image *base;          /* the base, compiled */
	struct policy *secrets;      /* a profile that knows where secrets are, */
	struct image *secrets_image; /* compiled */
	const char *home, *root;     /* absolute; home may be NULL */
	struct paths read, written;  /* refused by the base */
	struct table places, questions, programs, callers;
	bool resolve;         /* names are looked up and the base refuses that */
	bool own_folder;      /* the session's temporary folder was used and the base refuses that */
	bool private_tmp;     /* the base gives a session such a folder */
	bool judges_programs; /* the base has rules about programs and their arguments */
	bool foreign;         /* a session of another profile than the base */
	bool inline_at_launch;
	uint64_t lines;
};

/* What is learnt is relative to `base`. home: NULL when there is none. False with the reason in failure. */
bool learn_open(struct learn *learn, const struct policy *base, const char *home, struct failure *failure);
void learn_close(struct learn *learn);

void learn_take(struct learn *learn, const struct event *event);

/*
 * The trees that the base lacks for reading and for writing, in the order of their paths; what a tree for writing covers is
 * not repeated for reading. Trees that would be too wide become questions: call once. Looks at the file system, to tell
 * folders from files. False: out of memory. Free with learn_trees_free.
 */
bool learn_trees(struct learn *learn, struct learn_trees *ret_read, struct learn_trees *ret_written);
void learn_trees_free(struct learn_trees *trees);

/* Notes a question, or one more time of it. */
void learn_ask(struct learn *learn, const char *what, const char *subject, const char *caller);

/* A path as a policy spells it: "./x" below the root, "~/x" below the home, what a glob would take is escaped. */
void learn_spelling(const struct learn *learn, const char *path, char *spelling, size_t size);

/* What a policy on top of the base needs. Strings are the learn's. */
struct learn_entry {
	const char *text, *comment;
};

struct learn_list {
	const char *group, *name; /* "paths", "read" */
	struct learn_entry *entries;
	size_t count;
};

#define LEARN_LISTS 4
#define LEARN_SCALARS 4

struct learn_additions {
	struct learn_list lists[LEARN_LISTS];     /* those of one group side by side */
	struct learn_list scalars[LEARN_SCALARS]; /* of one entry each */
	size_t scalar_count;
};

/* False: out of memory. Calls learn_trees; free with learn_additions_free. */
bool learn_add_up(struct learn *learn, struct learn_additions *ret_additions);
void learn_additions_free(struct learn_additions *additions);

/* The whole policy, commented. base: the name that it extends; source: where the lines came from. */
void learn_write(FILE *out, const struct learn *learn, const struct learn_additions *additions, const char *base,
		 const char *source);

/* The questions alone, each line after `prefix`. */
void learn_write_questions(FILE *out, const struct learn *learn, const char *prefix);

/*
 * The text of a policy with the additions put where they belong, `mark` in a comment beside each. NULL with the reason in
 * failure where the text cannot be changed safely. malloc'ed. Pure but for memory.
 */
char *learn_update(const char *text, const struct learn_additions *additions, const char *mark,
		   struct failure *failure);

#endif
