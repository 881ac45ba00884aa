/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CHECK_SHAPE_H
#define BRIDLE_CHECK_SHAPE_H

#include <stdbool.h>

#include "check/tools.h"
#include "check/words.h"
#include "decision.h"
#include "image.h"

/*
 * Do the words behind a program's (or sub-command's) own word have one of the shapes that its tools refuse? Then true,
 * with *ret_decision argv.shape. element: where the program's own word stands; cwd as in check_broad. trusted: it is part of
 * what a trusted caller does.
 * Pure: any thread, signal handler, after vfork.
 */
bool check_shapes(const struct image *image, const struct tools *tools, const struct words *words,
		  const char *cwd, bool trusted, size_t element, struct decision *ret_decision);

/* Does the operand name a denied program by a path to it? Pure as above. */
bool check_names_denied(const struct image *image, struct span operand);

#endif
