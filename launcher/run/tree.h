/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_TREE_H
#define BRIDLE_TREE_H

#include <stddef.h>

/*
 * Sends a signal to every descendant of this process, in whatever session or group it is; as a subreaper the launcher
 * keeps what daemonised as a descendant. Returns how many living ones were found: 0 means that none is left, zombies
 * aside. What is forked meanwhile can be missed.
 */
size_t tree_signal(int signal);

/*
 * Ends all descendants, also those of a program that forks faster than it is walked: they are stopped as they are found,
 * until a walk finds no new one, and killed then. From then on this process runs ahead of others where it may.
 */
void tree_kill(void);

#endif
