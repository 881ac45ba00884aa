/* SPDX-License-Identifier: MIT */
/* Finds the rules that were compiled when bridle was built. */
#include "compile/rules.h"

#include <string.h>

const struct image *rules_image(const char *name)
{
	for (const struct rules_image *rules = rules_images; rules->name; rules++)
		if (!strcmp(rules->name, name))
			return rules->bytes;
	return NULL;
}
