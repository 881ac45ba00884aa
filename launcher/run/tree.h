/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_TREE_H
#define BRIDLE_TREE_H

#include <stddef.h>

/*
 * Sends a signal to every descendant of this process, in whatever session or group it is; as a subreaper the launcher
 * keeps what daemonised as a descendant. Returns how many living ones were found: 0 means that none is left, zombies
 * aside. One walk can miss what is forked meanwhile: repeat until nothing is left.
 */
size_t tree_signal(int signal);

#endif
