/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_COMPILE_HOME_H
#define BRIDLE_COMPILE_HOME_H

#include <stdbool.h>

/*
 * The home of this user, under each of its names. HOME may be unset or point elsewhere; what a policy shuts below "~"
 * is shut in the home that the system's user table names as well.
 */
struct homes {
	char *given;                   /* "~", absolute; NULL where HOME says nothing usable */
	char *table;                   /* of /etc/passwd; NULL where it is not there or the same as given */
	char *given_real, *table_real; /* symlinks followed; NULL where it does not exist */
};

/* The home that /etc/passwd gives a user, to free(); NULL where it names none. */
char *home_of_user(const char *name);

/* home: what HOME holds, or NULL. */
void homes_find(struct homes *homes, const char *home);
void homes_free(struct homes *homes);

/* Is the absolute path "/", a home, or a folder above one? */
bool homes_within(const struct homes *homes, const char *path);

#endif
