/* SPDX-License-Identifier: MIT */
/* The trie of path rules read backwards: from a node to the path that leads to it. */
#include "backstop/floor.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* How a node is reached. */
struct origin {
	uint32_t parent;
	uint32_t component; /* string; 0: by a glob or "**" */
};

bool floor_is_there(const struct image *image)
{
	const struct image_path_node *nodes = image_path_nodes(image);

	for (uint32_t i = 0; i < image->path_nodes.count; i++)
		if (nodes[i].base == IMAGE_PATH_WRITE)
			return false;
	return true;
}

static struct origin *find_origins(const struct image *image)
{
	const struct image_path_node *nodes = image_path_nodes(image);
	const struct image_path_edge *edges = image_path_edges(image);
	const struct image_path_glob *globs = image_path_globs(image);
	struct origin *origins = calloc(image->path_nodes.count + 1, sizeof(*origins));

	if (!origins)
		return NULL;
	for (uint32_t i = 0; i < image->path_edges.count; i++)
		if (edges[i].child)
			origins[edges[i].child] = (struct origin){edges[i].parent, edges[i].component};
	for (uint32_t i = 0; i < image->path_nodes.count; i++) {
		if (nodes[i].deep)
			origins[nodes[i].deep].parent = i;
		for (uint32_t g = nodes[i].glob_first; g < nodes[i].glob_first + nodes[i].glob_count; g++)
			origins[globs[g].child].parent = i;
	}
	return origins;
}

/* Writes the path before the first glob on the way to a node, from its end; a pointer into buffer, NULL: too long. */
static const char *path_of(const struct image *image, const struct origin *origins, uint32_t node, char *buffer)
{
	char *at = buffer + PATH_MAX;

	*--at = '\0';
	for (; node != IMAGE_PATH_ROOT && node != IMAGE_PATH_ANYWHERE; node = origins[node].parent) {
		const char *component = image_string(image, origins[node].component);
		size_t length = strlen(component);

		if (!origins[node].component) {
			at = buffer + PATH_MAX - 1;
			continue;
		}
		if (length + 1 > (size_t)(at - buffer))
			return NULL;
		at -= length;
		memcpy(at, component, length);
		*--at = '/';
	}
	return node == IMAGE_PATH_ANYWHERE || !*at ? "/" : at;
}

void floor_trees(const struct image *image, void (*take)(void *data, const char *path), void *data)
{
	const struct image_path_node *nodes = image_path_nodes(image);
	struct origin *origins = find_origins(image);
	char buffer[PATH_MAX];

	for (uint32_t i = 0; i < image->path_nodes.count; i++) {
		const char *path;

		if (nodes[i].tree != IMAGE_PATH_WRITE)
			continue;
		path = origins ? path_of(image, origins, i, buffer) : "/";
		take(data, path ? path : "/");
	}
	free(origins);
}

static int add_range(uint16_t low, uint16_t high, uint16_t *ports, int count, int room)
{
	for (uint32_t port = low; port <= high; port++) {
		int i = 0;

		while (i < count && ports[i] != port)
			i++;
		if (i < count)
			continue;
		if (count == room)
			return -1;
		ports[count++] = (uint16_t)port;
	}
	return count;
}

int floor_ports(const struct image *image, uint16_t *ret_ports, int room)
{
	const struct image_network_address *addresses = image_network_addresses(image);
	const struct image_network_host *hosts = image_network_hosts(image);
	int count = 0;

	if (image_network(image)->connect_allowed)
		return -1;
	for (uint32_t i = 0; count >= 0 && i < image->network_addresses.count; i++)
		if (!addresses[i].denied)
			count = add_range(addresses[i].port_low, addresses[i].port_high, ret_ports, count, room);
	for (uint32_t i = 0; count >= 0 && i < image->network_hosts.count; i++)
		if (!hosts[i].denied)
			count = add_range(hosts[i].port_low, hosts[i].port_high, ret_ports, count, room);
	return count;
}
