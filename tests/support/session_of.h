/* SPDX-License-Identifier: MIT */
/* Running the built bridle in tests, and what came of it. */
#ifndef BRIDLE_TESTS_SESSION_OF_H
#define BRIDLE_TESTS_SESSION_OF_H

#include <jansson.h>

/* What a `bridle run` left. Free with session_free. */
struct session_of {
	int status;     /* exit status, 128+N for a signal */
	char *output;   /* stdout of the command and of bridle */
	char *errors;   /* stderr */
	json_t *report; /* array of the report's lines */
};

/* The path of something in the build folder ($BUILD, else build), absolute; from malloc. */
char *session_built(const char *name);

/*
 * Runs argv (NULL-terminated) and keeps what it prints; where report is not NULL that file's lines are read. Fails the
 * test when it cannot be started.
 */
struct session_of session_start(const char *const *argv, const char *report);

/*
 * `bridle run --policy POLICY --report ... -- argv`, POLICY being a file's text that is written into folder. The
 * working directory is folder.
 */
struct session_of session_run(const char *folder, const char *policy, const char *const *argv);

void session_free(struct session_of *session);

/* How many lines have this value of a key, and the first of them (borrowed; NULL when there is none). */
size_t session_count(const struct session_of *session, const char *key, const char *value);
const json_t *session_line(const struct session_of *session, const char *key, const char *value);

/* A string field of a line, "" when it is not there. */
const char *session_field(const json_t *line, const char *key);

#endif
