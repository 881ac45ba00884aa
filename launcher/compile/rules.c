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

bool rules_deny(const struct image *rules, const char *name)
{
	for (uint32_t i = 0; i < rules->tools.count; i++) {
		const struct image_tool *tool = &image_tools(rules)[i];

		if (tool->flags & IMAGE_TOOL_DENIED && tool->parent == IMAGE_TOOL_PROGRAM &&
		    !strcmp(image_string(rules, tool->name), name))
			return true;
	}
	return false;
}
