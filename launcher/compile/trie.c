/* SPDX-License-Identifier: MIT */
/* Grows the path trie and lays it out for shim/check/path.c. */
#include "compile/trie.h"

#include <stdlib.h>
#include <string.h>

#include "check/path_hash.h"

static void *grown(void *items, uint32_t *room, uint32_t count, size_t size)
{
	if (count < *room)
		return items;
	*room = *room ? *room * 2 : 64;
	items = realloc(items, *room * size);
	if (!items)
		abort();
	return items;
}

static uint32_t node_new(struct trie *trie)
{
	trie->nodes = grown(trie->nodes, &trie->node_room, trie->node_count, sizeof(*trie->nodes));
	memset(&trie->nodes[trie->node_count], 0, sizeof(*trie->nodes));
	return trie->node_count++;
}

void trie_start(struct trie *trie, struct builder *builder)
{
	memset(trie, 0, sizeof(*trie));
	trie->builder = builder;
	node_new(trie);
	trie->nodes[node_new(trie)].flags = IMAGE_NODE_LOOPS;
}

void trie_free(struct trie *trie)
{
	free(trie->nodes);
	free(trie->edges);
	free(trie->slots);
	memset(trie, 0, sizeof(*trie));
}

static const char *builder_text(struct builder *builder, uint32_t string)
{
	return builder_record(builder, IMAGE_SECTION_strings, string);
}

/* The builder pools strings, so equal components have equal offsets. */
static uint32_t *slot_of(const struct trie *trie, uint32_t parent, uint32_t text, bool glob)
{
	uint64_t hash = path_hash_word(path_hash_word(PATH_HASH_START, parent), text * 2u + glob);
	uint32_t at = (uint32_t)hash & (trie->slot_count - 1);

	for (;; at = (at + 1) & (trie->slot_count - 1)) {
		const struct trie_edge *edge;

		if (!trie->slots[at])
			return &trie->slots[at];
		edge = &trie->edges[trie->slots[at] - 1];
		if (edge->parent == parent && edge->text == text && edge->glob == glob)
			return &trie->slots[at];
	}
}

static void slots_grow(struct trie *trie)
{
	free(trie->slots);
	trie->slot_count = trie->slot_count ? trie->slot_count * 2 : 128;
	trie->slots = calloc(trie->slot_count, sizeof(*trie->slots));
	if (!trie->slots)
		abort();
	for (uint32_t i = 0; i < trie->edge_count; i++)
		*slot_of(trie, trie->edges[i].parent, trie->edges[i].text, trie->edges[i].glob) = i + 1;
}

uint32_t trie_step(struct trie *trie, uint32_t parent, const char *text, size_t length, bool glob)
{
	uint32_t string = builder_string_length(trie->builder, text, length), child, *slot;

	if (trie->edge_count * 2 >= trie->slot_count)
		slots_grow(trie);
	slot = slot_of(trie, parent, string, glob);
	if (*slot)
		return trie->edges[*slot - 1].child;
	child = node_new(trie);
	trie->edges = grown(trie->edges, &trie->edge_room, trie->edge_count, sizeof(*trie->edges));
	trie->edges[trie->edge_count++] = (struct trie_edge){parent, child, string, 0, glob};
	*slot = trie->edge_count;
	if (glob)
		trie->nodes[parent].glob_count++;
	else
		trie->nodes[parent].flags |= IMAGE_NODE_EDGES;
	return child;
}

uint32_t trie_deep(struct trie *trie, uint32_t parent)
{
	uint32_t deep = parent == IMAGE_PATH_ROOT ? IMAGE_PATH_ANYWHERE : trie->nodes[parent].deep;

	if (trie->nodes[parent].flags & IMAGE_NODE_LOOPS)
		return parent;
	if (!deep) {
		deep = node_new(trie);
		trie->nodes[deep].flags = IMAGE_NODE_LOOPS;
		trie->nodes[parent].deep = deep;
	}
	return deep;
}

void trie_tree(struct trie *trie, uint32_t node, const struct trie_rule *rule, bool literal)
{
	struct image_path_node *at = &trie->nodes[node];

	if (rule->verdict > at->tree) {
		at->tree = (uint8_t)rule->verdict;
		at->tree_origin = rule->origin;
		at->reason = rule->reason;
	}
	if (at->tree >= IMAGE_PATH_HIDE)
		at->flags &= ~IMAGE_NODE_NAMED;
	else if (literal)
		at->flags |= IMAGE_NODE_NAMED;
}

void trie_list(struct trie *trie, uint32_t node, const struct trie_rule *rule)
{
	struct image_path_node *at = &trie->nodes[node];

	at->flags |= IMAGE_NODE_LISTED;
	if (at->tree == IMAGE_PATH_NONE && !at->tree_origin)
		at->tree_origin = rule->origin;
}

void trie_base(struct trie *trie, uint32_t node, enum image_path_verdict verdict, uint32_t origin)
{
	struct image_path_node *at = &trie->nodes[node];

	if (verdict > at->base) {
		at->base = (uint8_t)verdict;
		at->base_origin = origin;
	}
}

/* The edges of each node as a list: *ret_first[node] and next of an edge are index + 1. */
static void link_edges(struct trie *trie, uint32_t **ret_first)
{
	uint32_t *first = calloc(trie->node_count, sizeof(*first));

	if (!first)
		abort();
	for (uint32_t i = trie->edge_count; i-- > 0;) {
		trie->edges[i].next = first[trie->edges[i].parent];
		first[trie->edges[i].parent] = i + 1;
	}
	*ret_first = first;
}

struct measuring {
	const struct trie *trie;
	uint32_t *first; /* as link_edges */
	struct below {
		uint32_t height; /* components of the longest pattern behind the node */
		bool globs;      /* some of its edges, or of those behind it, are globs */
	} * below;               /* of each node */
};

/* Bottom up: children stand behind their parents. */
static void look_below(struct measuring *measuring)
{
	const struct trie *trie = measuring->trie;

	measuring->below = calloc(trie->node_count, sizeof(*measuring->below));
	if (!measuring->below)
		abort();
	for (uint32_t i = trie->edge_count; i-- > 0;) {
		const struct below *child = &measuring->below[trie->edges[i].child];
		struct below *parent = &measuring->below[trie->edges[i].parent];

		parent->globs |= trie->edges[i].glob || child->globs;
		if (parent->height < child->height + 1)
			parent->height = child->height + 1;
	}
}

/*
 * most[d], for d up to the node's height: how many nodes d components below it can be active together. Of the subtrees
 * behind literal edges one, of those behind glob edges all; without globs it is one at each depth. What nothing leaves
 * takes no place.
 */
static void measure(const struct measuring *measuring, uint32_t node, uint32_t *most)
{
	const struct trie_edge *edges = measuring->trie->edges;
	uint32_t height = measuring->below[node].height, globs[TRIE_DEPTH + 1];

	memset(globs, 0, (height + 1) * sizeof(*globs));
	for (uint32_t d = 0; d <= height; d++)
		most[d] = d < height;
	for (uint32_t i = measuring->below[node].globs ? measuring->first[node] : 0; i; i = edges[i - 1].next) {
		const struct below *child = &measuring->below[edges[i - 1].child];
		uint32_t below[TRIE_DEPTH + 1];

		if (!edges[i - 1].glob && !child->globs)
			continue;
		measure(measuring, edges[i - 1].child, below);
		for (uint32_t d = 0; d <= child->height; d++)
			if (edges[i - 1].glob)
				globs[d + 1] += below[d];
			else if (below[d] > most[d + 1])
				most[d + 1] = below[d];
	}
	for (uint32_t d = 0; d <= height; d++)
		most[d] += globs[d];
}

/* Below a node that loops all depths count together, as it starts anew at each component. */
uint32_t trie_bound(struct trie *trie)
{
	struct measuring measuring = {.trie = trie};
	uint32_t most[TRIE_DEPTH + 1], bound = 0;

	link_edges(trie, &measuring.first);
	look_below(&measuring);
	measure(&measuring, IMAGE_PATH_ROOT, most);
	for (uint32_t d = 0; d <= measuring.below[IMAGE_PATH_ROOT].height; d++)
		bound = most[d] > bound ? most[d] : bound;
	for (uint32_t node = 0; node < trie->node_count; node++) {
		if (!(trie->nodes[node].flags & IMAGE_NODE_LOOPS))
			continue;
		measure(&measuring, node, most);
		for (uint32_t d = 1; d <= measuring.below[node].height; d++)
			bound += most[d];
		bound++;
	}
	free(measuring.first);
	free(measuring.below);
	return bound;
}

static void finish_globs(struct trie *trie)
{
	uint32_t *first;

	link_edges(trie, &first);
	for (uint32_t node = 0; node < trie->node_count; node++) {
		trie->nodes[node].glob_first = builder_count(trie->builder, IMAGE_SECTION_path_globs);
		for (uint32_t i = first[node]; i; i = trie->edges[i - 1].next) {
			const struct trie_edge *edge = &trie->edges[i - 1];
			struct image_path_glob glob = {edge->text, edge->child};

			if (edge->glob)
				BUILDER_APPEND(trie->builder, path_globs, &glob);
		}
	}
	free(first);
}

void trie_put_edge(struct image_path_edge *table, uint32_t slots, const char *text, const struct image_path_edge *edge)
{
	uint32_t at = path_hash_slot(path_hash(text, edge->length), edge->parent, slots);

	while (table[at].child)
		at = (at + 1) & (slots - 1);
	table[at] = *edge;
}

void trie_finish(struct trie *trie)
{
	struct image_path_edge *table;
	uint32_t slots = 2;

	while (slots < trie->edge_count * 2)
		slots *= 2;
	table = calloc(slots, sizeof(*table));
	if (!table)
		abort();
	for (uint32_t i = 0; i < trie->edge_count; i++) {
		const struct trie_edge *edge = &trie->edges[i];
		const char *text = builder_text(trie->builder, edge->text);
		struct image_path_edge literal = {edge->parent, edge->child, edge->text, (uint32_t)strlen(text)};

		if (!edge->glob)
			trie_put_edge(table, slots, text, &literal);
	}
	BUILDER_APPEND_MANY(trie->builder, path_edges, table, slots);
	free(table);
	finish_globs(trie);
	trie_below(trie);
	BUILDER_APPEND_MANY(trie->builder, path_nodes, trie->nodes, trie->node_count);
}
