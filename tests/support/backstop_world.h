/* SPDX-License-Identifier: MIT */
/* Running probes under a policy whose rules reach one folder and not another, for the tests of the backstop. */
#ifndef BRIDLE_TESTS_BACKSTOP_WORLD_H
#define BRIDLE_TESTS_BACKSTOP_WORLD_H

#include <stdbool.h>

#include "session_of.h"

#define OPEN_NETWORK "network: { connect = \"allow\"; bind = \"allow\"; };\n"
#define SHUT_NETWORK "network: { connect = \"deny\"; };\n"

/* A folder for the session and one that its rules do not reach. */
extern char world_inside[64], world_outside[64];

/* Before and after each test: makes the two folders and tells the probes by $INSIDE and $OUTSIDE; skips where there can be
   no backstop. */
void backstop_world_open(void);
void backstop_world_close(void);

/* parent/name, in one of four buffers that take turns. */
const char *world_in(const char *parent, const char *name);

/*
 * A probe of the build folder with one argument (or NULL) under the tests' rules: the session's folder, what programs need to
 * start, the probes, and what `further` adds.
 */
struct session_of world_run(const char *further, const char *program, const char *verb);

/* The same without bridle, with $FOLDER. */
struct session_of world_natively(const char *program, const char *verb, const char *folder);

/* Fills a folder with what the probe `doors` works on, and tells it by $FOLDER. */
void world_prepare(const char *folder);

/* Everything in a folder that a call could have changed, as text from malloc. */
char *world_picture(const char *folder);

void world_remove(const char *folder);

/* Is this probe built here? */
bool world_has(const char *program);

#endif
