/* SPDX-License-Identifier: MIT */
/*
 * The built-in profiles' rules about programs, compiled when bridle was built: to read and compile hundreds of entries at
 * each start would take longer than many a command. Each is an image of which only the parts about programs count.
 */
#ifndef BRIDLE_COMPILE_RULES_H
#define BRIDLE_COMPILE_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "image.h"

/* Made by launcher/profiles/embed_rules.c; ended by a NULL name. name: as a profile includes it, "rules/tool.cfg". */
struct rules_image {
	const char *name;
	const void *bytes; /* aligned to 8 */
	size_t size;
};
extern const struct rules_image rules_images[];

/* NULL: not compiled beforehand. */
const struct image *rules_image(const char *name);
/* Does names.deny of these rules hold the name, as it is written there? */
bool rules_deny(const struct image *rules, const char *name);

#endif
