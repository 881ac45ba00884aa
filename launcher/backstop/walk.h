/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_BACKSTOP_WALK_H
#define BRIDLE_BACKSTOP_WALK_H

#include "backstop/resolve.h"

/*
 * The long way of resolve_caller_path: component by component from base (AT_FDCWD: our own root; else it stays open and the
 * caller's), symlinks read here, so that "/proc/self" means the stopped caller and its root is where ".." ends. Fills *ret.
 */
void walk_path(struct resolve_caller *caller, int base, const char *path, bool follow, struct resolved *ret);

/* Names what ret->descriptor holds: path, status and state. */
void walk_name(struct resolve_caller *caller, struct resolved *ret);

/*
 * Names it by an absolute path that met no symlink: "//", "." and ".." folded. Where the walk would ask the kernel, this
 * needs the caller's root to be "/".
 */
void walk_fold(struct resolve_caller *caller, const char *path, struct resolved *ret);

/* Has a ".." component: a walk may then leave the caller's root where the caller itself would not. Pure. */
bool walk_climbs(const char *path);

#endif
