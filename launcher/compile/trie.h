/* SPDX-License-Identifier: MIT */
/*
 * The path trie while it grows: patterns go in, the image's three path sections come out. Knows nodes and components,
 * no policy and no file system.
 */
#ifndef BRIDLE_COMPILE_TRIE_H
#define BRIDLE_COMPILE_TRIE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compile/builder.h"
#include "image.h"

struct trie_edge {
	uint32_t parent, child;
	uint32_t text; /* string of the builder */
	uint32_t next; /* of the same parent, index + 1; for trie.c */
	bool glob;
};

#define TRIE_DEPTH 128 /* components of the longest pattern */

struct trie {
	struct builder *builder;
	struct image_path_node *nodes;
	uint32_t node_count, node_room;
	struct trie_edge *edges; /* in the order they came; edge i leads to the node that it made */
	uint32_t edge_count, edge_room;
	uint32_t *slots; /* open addressing over the edges: index + 1 */
	uint32_t slot_count;
};

/* With the nodes "/" and "anywhere". */
void trie_start(struct trie *trie, struct builder *builder);
void trie_free(struct trie *trie);

/* The node behind `parent` for this component, made where there is none; trie_deep: the node of a "**" behind it. */
uint32_t trie_step(struct trie *trie, uint32_t parent, const char *text, size_t length, bool glob);
uint32_t trie_deep(struct trie *trie, uint32_t parent);

/* What a rule says, and where it stands. */
struct trie_rule {
	enum image_path_verdict verdict;
	uint32_t origin; /* index + 1 of the builder's origins */
	uint32_t reason; /* string of the builder */
};

/*
 * A tree rule ends at the node: the strongest verdict stays, of equals the first. literal: it has no globs. trie_list: the
 * node's very path may be read, whatever the rule's verdict is.
 */
void trie_tree(struct trie *trie, uint32_t node, const struct trie_rule *rule, bool literal);
void trie_list(struct trie *trie, uint32_t node, const struct trie_rule *rule);
void trie_base(struct trie *trie, uint32_t node, enum image_path_verdict verdict, uint32_t origin);

/* The most nodes that can be active at once; above IMAGE_PATH_ACTIVE the image must not be used. */
uint32_t trie_bound(struct trie *trie);

/* Part of trie_finish: says of each node which rule behind it is stricter than to let write (trie_below.c). */
void trie_below(struct trie *trie);

/* Appends all to the builder's path sections. */
void trie_finish(struct trie *trie);

/* Puts an edge with this text into a table of the image, which has room. */
void trie_put_edge(struct image_path_edge *table, uint32_t slots, const char *text, const struct image_path_edge *edge);

#endif
