/* SPDX-License-Identifier: MIT */
/* What of an image's rules a floor can hold that knows only trees that may be written and ports. Reads the image alone. */
#ifndef BRIDLE_BACKSTOP_FLOOR_H
#define BRIDLE_BACKSTOP_FLOOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image.h"

/* False when a rule allows to write files by their basename, wherever they are: then no tree is a bound. */
bool floor_is_there(const struct image *image);

/*
 * Calls take for each tree that may be written, absolute; of one with globs for what stands before the first of them. Denies
 * inside a tree are not a floor's business.
 */
void floor_trees(const struct image *image, void (*take)(void *data, const char *path), void *data);

/*
 * The ports that may be connected to, each once; their number, or -1 when they are no bound: connecting is allowed by
 * default, or an address or host is allowed at more ports than ret_ports has room for.
 */
int floor_ports(const struct image *image, uint16_t *ret_ports, int room);

#endif
