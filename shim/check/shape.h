/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CHECK_SHAPE_H
#define BRIDLE_CHECK_SHAPE_H

#include <stdbool.h>

#include "check/broad.h"
#include "check/tools.h"
#include "check/words.h"
#include "decision.h"
#include "image.h"

/* Where a command is given. */
struct surroundings {
	const char *cwd;   /* as in check_broad */
	bool trusted;      /* it is part of what a trusted caller does */
	enum reach braces; /* of what "{}" stands for: the command is the other one's that fills it in */
};

/*
 * Do the words behind a program's (or sub-command's) own word have one of the shapes that its tools refuse? Then true,
 * with *ret_decision argv.shape. element: where the program's own word stands.
 * Pure: any thread, signal handler, after vfork.
 */
bool check_shapes(const struct image *image, const struct tools *tools, const struct words *words,
		  const struct surroundings *around, size_t element, struct decision *ret_decision);

/*
 * Of a tool that runs a command on what it finds ("-exec ... {}"), the command's option at element `exec`: how far does what
 * it finds reach? Within, where the options that its shapes know as choices choose it by name below a ground. Pure as above.
 */
enum reach check_found(const struct image *image, const struct tools *tools, const struct words *words, const char *cwd,
		       size_t exec);

/* Does the operand name a denied program by a path to it? Pure as above. */
bool check_names_denied(const struct image *image, struct span operand);

#endif
