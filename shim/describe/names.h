/* SPDX-License-Identifier: MIT */
/*
 * Which address came from which host name, so that host rules and report lines know the name behind an address. The
 * last few dozen are kept; lock-free: any thread, signal handler, vfork child.
 */
#ifndef BRIDLE_DESCRIBE_NAMES_H
#define BRIDLE_DESCRIBE_NAMES_H

#include <stdbool.h>

#include "request.h"

#define NAMES_HOST_SIZE 256

void names_remember(const char *host, const struct address *address);

/* Copies the name last seen for this address (its port does not matter). False: none. */
bool names_find(char host[NAMES_HOST_SIZE], const struct address *address);

#endif
