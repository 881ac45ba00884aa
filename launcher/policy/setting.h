/* SPDX-License-Identifier: MIT */
/*
 * The settings of a policy as a tree: what libconfig read, each with the file and line where it stands, so that
 * complaints and decisions can point at it. All of it lives in one arena and is freed with it.
 */
#ifndef BRIDLE_POLICY_SETTING_H
#define BRIDLE_POLICY_SETTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum setting_kind {
	SETTING_GROUP, /* members have names */
	SETTING_LIST,  /* members have none; ( ) and [ ] alike */
	SETTING_STRING,
	SETTING_INTEGER,
	SETTING_REAL,
	SETTING_BOOLEAN
};

struct setting {
	enum setting_kind kind;
	const char *name; /* NULL in a list and for the top */
	const char *file; /* as given by the user, "profile tool" for a built-in one, "--set" */
	uint32_t line;
	const char *text;             /* string */
	int64_t integer;              /* integer, boolean: 0 or 1 */
	double real;                  /* real, integer */
	struct setting *first, *last; /* members of a group or list, in order */
	struct setting *next;
};

/* Memory for one policy, freed at once. A launcher that cannot have a few kilobytes cannot go on: it aborts. */
struct arena;
struct arena *arena_new(void);
void arena_free(struct arena *arena);
void *arena_take(struct arena *arena, size_t size); /* zeroed, aligned for anything */
char *arena_text(struct arena *arena, const char *text, size_t length);
char *arena_format(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

struct setting *setting_new(struct arena *arena, enum setting_kind kind, const char *name,
			    const char *file, uint32_t line);
void setting_append(struct setting *parent, struct setting *child);
/* A copy that can stand in another group or list; the members of both are the same. */
struct setting *setting_copy(struct arena *arena, const struct setting *setting);

/* The member of a group; NULL where there is none, and for a NULL group. */
struct setting *setting_member(const struct setting *group, const char *name);
/* By dotted path, "limits.cpu_seconds"; NULL where there is none. */
struct setting *setting_find(const struct setting *top, const char *path);

/* How many members a group or list has; 0 for one that is not there. */
size_t setting_count(const struct setting *parent);

/* The value of a member of a group, or the fallback where it is not set. The schema has proven the kinds. */
const char *setting_text(const struct setting *group, const char *name, const char *fallback);
int64_t setting_integer(const struct setting *group, const char *name, int64_t fallback);
double setting_real(const struct setting *group, const char *name, double fallback);
bool setting_boolean(const struct setting *group, const char *name, bool fallback);

/* for (each member of a possibly missing group or list) */
#define SETTING_EACH(member, parent)                                                   \
	for (const struct setting *member = (parent) ? (parent)->first : NULL; member; \
	     member = member->next)

#endif
