/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CHECK_NETWORK_H
#define BRIDLE_CHECK_NETWORK_H

#include "decision.h"
#include "image.h"
#include "request.h"

/*
 * May this address be connected to or sent to (OP_CONNECT), or bound (OP_BIND)? AF_INET and AF_INET6 only; a unix
 * socket is a path and goes to check_path. address->host, when known, is matched by host rules as well.
 * Pure: any thread, signal handler, after vfork.
 */
struct decision check_network(const struct image *image, enum op op, const struct address *address);

/* May this name be looked up? host is NUL-terminated. Pure as above. */
struct decision check_resolve(const struct image *image, const char *host);

#endif
