/* SPDX-License-Identifier: MIT */
/* What is different about a session folder when root is the one who makes it (include/handoff.h). */
#ifndef BRIDLE_SESSION_SHARED_H
#define BRIDLE_SESSION_SHARED_H

#include <stdbool.h>
#include <stddef.h>

#include "session/session.h"

/*
 * Makes or finds SESSION_ROOT_PARENT in `parent` and puts its path into path. False: we are not root, or something else
 * has the name (path is then unspecified): the session will be for this user alone.
 */
bool shared_parent(const char *parent, char *path, size_t size);

/* The link to the shim in the session folder, or a copy where other users could not follow the link. errno on failure. */
bool shared_place_library(const struct session *session, int folder, const char *library);

/* Opens the filled folder of a shared session to other users and maps their counters; true for all others. errno. */
bool shared_open(struct session *session, int folder);

#endif
