/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_COMPILE_RESTAMP_H
#define BRIDLE_COMPILE_RESTAMP_H

#include <stdbool.h>

#include "image.h"

/*
 * Makes of a valid image that was compiled for the session folder `from` what compiling for `to` would have made: the two
 * differ in their last component alone, which is as long in both and which nothing but sessions is called. False, and the
 * image of no use, without memory or where they differ in more. Pure.
 */
bool compile_restamp(struct image *image, const char *from, const char *to);

#endif
