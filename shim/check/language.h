/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CHECK_LANGUAGE_H
#define BRIDLE_CHECK_LANGUAGE_H

#include <stdbool.h>

#include "check/words.h"
#include "image.h"

/*
 * Small languages whose scripts stand on the command line and are harmless mostly: does this one run a program, or read
 * or write a file of its own choice? role: IMAGE_ROLE_EDIT, a stream editor's script (addresses, one-letter commands;
 * refused: e, the e flag of s, and r R w W and the w flag of s on anything but a standard stream or a plain relative
 * name); IMAGE_ROLE_ACTIONS, patterns and { actions } (refused: system(), pipes to or from a command, output to a file
 * that is not a plain relative name, @load). What cannot be read as the language is refused where a doubt remains.
 * Pure: any thread, signal handler, after vfork.
 */
bool check_language(enum image_role role, struct span script);

bool language_edit_harms(struct span script);
bool language_actions_harm(struct span script);

/* A file name that stays beneath the working directory, or a standard stream. */
bool language_is_tame_file(struct span name);

#endif
