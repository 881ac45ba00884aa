/* SPDX-License-Identifier: MIT */
/* The records of the path trie. Children stand behind their parents, so no walk can go round in a circle. */
#include "check/validate.h"

bool valid_path_nodes(const struct image *image)
{
	const struct image_path_node *node = image_path_nodes(image);
	uint32_t count = image->path_nodes.count;

	if (count <= IMAGE_PATH_ANYWHERE)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		if (node[i].deep && (node[i].deep <= i || node[i].deep >= count))
			return false;
		if (!valid_run(image->path_globs, node[i].glob_first, node[i].glob_count))
			return false;
		if (!valid_string(image, node[i].reason))
			return false;
		if (node[i].tree > IMAGE_PATH_DENY || node[i].base > IMAGE_PATH_DENY)
			return false;
		if (!valid_origin(image, node[i].tree_origin) || !valid_origin(image, node[i].base_origin))
			return false;
	}
	return true;
}

/* A free slot ends every probe, so one must be there. */
bool valid_path_edges(const struct image *image)
{
	const struct image_path_edge *edge = image_path_edges(image);
	uint32_t count = image->path_edges.count, used = 0;

	if (!count || (count & (count - 1)))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		if (!edge[i].child)
			continue;
		if (edge[i].child <= edge[i].parent || edge[i].child >= image->path_nodes.count)
			return false;
		if (!valid_string(image, edge[i].component) ||
		    edge[i].length >= image->strings.count - edge[i].component)
			return false;
		used++;
	}
	return used <= count / 2;
}

bool valid_path_below(const struct image *image)
{
	const struct image_path_below *below = image_path_below(image);

	for (uint32_t i = 0; i < image->path_below.count; i++)
		if (below[i].node >= image->path_nodes.count || !valid_string(image, below[i].rule) ||
		    !valid_origin(image, below[i].origin) || below[i].allowed > 1)
			return false;
	return true;
}

bool valid_path_globs(const struct image *image)
{
	const struct image_path_glob *glob = image_path_globs(image);

	for (uint32_t i = 0; i < image->path_globs.count; i++)
		if (!valid_string(image, glob[i].pattern) || !glob[i].child ||
		    glob[i].child >= image->path_nodes.count)
			return false;
	return true;
}
