/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CHECK_PATTERN_H
#define BRIDLE_CHECK_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "check/words.h"
#include "image.h"

/*
 * Does the whole text fit? "*" any run, "?" any byte, "#" one or more digits, "[a-z]" and "[!a-z]" a set, "\" takes the
 * next byte as it is; letters match either case. With tame, "*" and "?" take nothing that parts commands in a shell
 * (; | & < > ` $ newline): a pattern that allows cannot be stretched over a second command. At most pattern times
 * text steps. Pure: any thread, signal handler, after vfork.
 */
bool check_pattern(const char *pattern, struct span text, bool tame);

/* What the patterns first .. first + count - 1 say of a value. */
enum patterns_say {
	PATTERNS_NOTHING, /* none fits, and some refuse */
	PATTERNS_REFUSE,  /* one that refuses fits, or none refuses: then whatever is not allowed is refused */
	PATTERNS_ALLOW
};

/* Pure as above. */
enum patterns_say check_patterns(const struct image *image, uint32_t first, uint32_t count, struct span value,
				 bool launch);

#endif
