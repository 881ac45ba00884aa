/* SPDX-License-Identifier: MIT */
/* The child's side of the backstop: between fork and exec, and the way of the listener to the launcher. */
#ifndef BRIDLE_BACKSTOP_INSTALL_H
#define BRIDLE_BACKSTOP_INSTALL_H

#include <stdint.h>

#include "backstop/filter.h"

/*
 * Sets no_new_privs, installs the filter and sends the listener through the socket; on failure sends the errno instead,
 * so that the other side never waits in vain. Returns 0 or that errno. Async-signal-safe, no allocation: for the child
 * of a process that may have threads. word: the filter's own, which lets the sendmsg through before anybody listens.
 */
int install_filter(const struct filter *filter, uint64_t word, int socket);

/* The launcher's side: waits for what install_filter sends. Returns 0 and the listener (close-on-exec), or an errno
 * (ECHILD: the child died before). */
int install_receive(int socket, int *ret_listener);

#endif
