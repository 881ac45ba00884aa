/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CHECK_STRUCTURE_H
#define BRIDLE_CHECK_STRUCTURE_H

#include <stddef.h>

#include "decision.h"
#include "image.h"

/*
 * Shell metacharacters in a command that no shell will read (structure.metachars). "any": none of ; | & < > ` $( in any
 * element that the tables do not know to be data (a message, a pattern, a script); "operators": no element that is an
 * operator as a whole, no program name that holds one. An empty argv or program name is malformed.
 * Result: allowed, structure.metachar or structure.malformed. Pure: any thread, signal handler, after vfork.
 */
struct decision check_structure(const struct image *image, char *const *argv, size_t argc);

#endif
