/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CHECK_VALIDATE_H
#define BRIDLE_CHECK_VALIDATE_H

#include <stdbool.h>
#include <stddef.h>

#include "image.h"

/*
 * Is this a whole image of this version whose every offset, count and index stays inside it? Everything else in
 * check/ relies on a yes and never looks again. bytes: aligned to 8. Pure: any thread, signal handler, after vfork.
 */
bool check_validate(const void *bytes, size_t size);

#endif
