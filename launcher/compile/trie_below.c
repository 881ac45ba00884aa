/* SPDX-License-Identifier: MIT */
/* What lies below a folder goes along when it is moved: of each node, the strictest rule behind it. */
#include <stdlib.h>
#include <string.h>

#include "compile/trie.h"

struct below {
	struct trie *trie;
	uint32_t *parent;    /* of each node; 0: it hangs from "/", or from nothing */
	uint32_t *name;      /* of its last component: string of the builder; 0: "**" */
	uint32_t *strictest; /* the node of the strictest rule behind it; 0: none */
};

/* How much it takes away of what may be done with a file that may be written; 0: nothing. */
static int strictness(const struct image_path_node *node)
{
	if (node->tree >= IMAGE_PATH_HIDE)
		return node->tree;
	if (node->flags & IMAGE_NODE_LOCKED)
		return IMAGE_PATH_WRITE;
	return node->tree == IMAGE_PATH_READ ? IMAGE_PATH_READ : 0;
}

static void *zeros(size_t count, size_t size)
{
	void *items = calloc(count, size);

	if (!items)
		abort();
	return items;
}

static void link_parents(struct below *below)
{
	struct trie *trie = below->trie;

	below->parent = zeros(trie->node_count, sizeof(*below->parent));
	below->name = zeros(trie->node_count, sizeof(*below->name));
	below->strictest = zeros(trie->node_count, sizeof(*below->strictest));
	for (uint32_t i = 0; i < trie->edge_count; i++) {
		below->parent[trie->edges[i].child] = trie->edges[i].parent;
		below->name[trie->edges[i].child] = trie->edges[i].text;
	}
	for (uint32_t node = 0; node < trie->node_count; node++)
		if (trie->nodes[node].deep)
			below->parent[trie->nodes[node].deep] = node;
}

/* Children stand behind their parents. */
static void find_strictest(struct below *below)
{
	const struct image_path_node *nodes = below->trie->nodes;

	for (uint32_t node = below->trie->node_count; node-- > IMAGE_PATH_ANYWHERE + 1;) {
		uint32_t *above = &below->strictest[below->parent[node]], behind = below->strictest[node];

		if (strictness(&nodes[node]) && (!behind || strictness(&nodes[node]) >= strictness(&nodes[behind])))
			behind = node;
		if (behind && (!*above || strictness(&nodes[behind]) >= strictness(&nodes[*above])))
			*above = behind;
	}
}

static const char *name_of(const struct below *below, uint32_t node)
{
	uint32_t name = below->name[node];

	return name ? builder_record(below->trie->builder, IMAGE_SECTION_strings, name) : "**";
}

/* The rule's path, filled in from its end. What may lie anywhere starts with "**". */
static uint32_t rule_path(const struct below *below, uint32_t rule)
{
	size_t length = 0;
	uint32_t string;
	char *path;

	for (uint32_t node = rule; node; node = below->parent[node])
		length += strlen(name_of(below, node)) + (node != IMAGE_PATH_ANYWHERE);
	path = malloc(length + 1);
	if (!path)
		abort();
	for (uint32_t node = rule, at = (uint32_t)length; node; node = below->parent[node]) {
		const char *name = name_of(below, node);

		at -= (uint32_t)strlen(name);
		memcpy(path + at, name, strlen(name));
		if (node != IMAGE_PATH_ANYWHERE)
			path[--at] = '/';
	}
	string = builder_string_length(below->trie->builder, path, length);
	free(path);
	return string;
}

void trie_below(struct trie *trie)
{
	struct below below = {.trie = trie};

	link_parents(&below);
	find_strictest(&below);
	for (uint32_t node = 0; node < trie->node_count; node++) {
		uint32_t rule = below.strictest[node];
		struct image_path_below record = {.node = node};

		if (!rule)
			continue;
		trie->nodes[node].flags |= IMAGE_NODE_COVERS;
		record.rule = rule_path(&below, rule);
		record.origin = trie->nodes[rule].tree_origin;
		record.allowed = strictness(&trie->nodes[rule]) == IMAGE_PATH_READ;
		BUILDER_APPEND(trie->builder, path_below, &record);
	}
	free(below.parent);
	free(below.name);
	free(below.strictest);
}
