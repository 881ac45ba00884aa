/* SPDX-License-Identifier: MIT */
/*
 * The path rules: one walk down the components of a path, whatever the number of rules. Which rule wins: the tree that
 * names most components; at a tie deny beats write beats read. A deny by basename, of the path or of a folder above,
 * beats every tree but one that names that very file. An allow by basename adds to what the trees allow and opens
 * nothing that a deny shuts. A path that may be listed is read as if a tree ended there, and gives nothing to what is in it.
 */
#include "check/path.h"

#include <endian.h>
#include <string.h>

#include "check/glob.h"
#include "check/path_hash.h"

struct component {
	const char *text;
	size_t length;
	uint64_t hash;
};

/* The nodes that the next component is tried from. */
struct active {
	uint32_t count;
	uint32_t node[IMAGE_PATH_ACTIVE];
};

struct walk {
	const struct image *image;
	bool overflow; /* more nodes than the compiler promised: refuse */

	/* Of the component being taken. */
	bool denied_here;
	uint8_t tree_here;
	uint32_t flags_here; /* IMAGE_NODE_* of all its nodes */
	uint32_t denied_origin, listed_origin;

	/* Of the path so far. */
	bool shut;
	uint8_t tree, base;
	uint32_t tree_origin, base_origin, shut_origin;
	uint32_t tree_reason, lock_reason;
};

/* Takes up what the rules that end at this node say. */
static inline void meet(struct walk *walk, const struct image_path_node *node)
{
	if (node->tree > walk->tree_here) {
		walk->tree_here = walk->tree = node->tree;
		walk->tree_origin = node->tree_origin;
		walk->tree_reason = node->reason;
	}
	if (node->base == IMAGE_PATH_DENY) {
		walk->denied_here = true;
		walk->denied_origin = node->base_origin;
	} else if (node->base > walk->base) {
		walk->base = node->base;
		walk->base_origin = node->base_origin;
	}
	walk->flags_here |= node->flags;
	if (node->flags & (IMAGE_NODE_LOCKED | IMAGE_NODE_LISTED)) {
		if (node->flags & IMAGE_NODE_LOCKED)
			walk->lock_reason = node->reason;
		else
			walk->listed_origin = node->tree_origin;
	}
}

static bool holds(const struct active *active, uint32_t index)
{
	for (uint32_t i = 0; i < active->count; i++)
		if (active->node[i] == index)
			return true;
	return false;
}

/* Makes a node active, and the "**" behind it. What nothing leaves needs no place; only what loops can come twice. */
static inline void activate(struct walk *walk, struct active *active, uint32_t index)
{
	const struct image_path_node *nodes = image_path_nodes(walk->image);

	do {
		const struct image_path_node *node = &nodes[index];
		bool loops = node->flags & IMAGE_NODE_LOOPS;

		if ((node->flags & IMAGE_NODE_EDGES || node->glob_count || loops) &&
		    !(loops && holds(active, index))) {
			if (active->count == IMAGE_PATH_ACTIVE) {
				walk->overflow = true;
				return;
			}
			active->node[active->count++] = index;
		}
		index = node->deep;
	} while (index);
}

static inline uint32_t edge_child(const struct image *image, uint32_t parent, const struct component *component)
{
	const struct image_path_edge *edges = image_path_edges(image);
	uint32_t slots = image->path_edges.count;
	uint32_t at = path_hash_slot(component->hash, parent, slots);

	for (;; at = (at + 1) & (slots - 1)) {
		const struct image_path_edge *edge = &edges[at];

		if (!edge->child)
			return 0;
		if (edge->parent == parent && edge->length == component->length &&
		    !memcmp(image_string(image, edge->component), component->text, component->length))
			return edge->child;
	}
}

/* Takes one component from every active node. to: NULL for the last one, behind which nothing is asked any more. */
static inline __attribute__((always_inline)) void step(struct walk *walk, uint32_t count, const uint32_t *from,
						       struct active *to, const struct component *component)
{
	const struct image_path_node *nodes = image_path_nodes(walk->image);
	const struct image_path_glob *globs = image_path_globs(walk->image);

	walk->denied_here = false;
	walk->flags_here = 0;
	walk->tree_here = IMAGE_PATH_NONE;
	if (to)
		to->count = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t index = from[i], child = 0;
		const struct image_path_node *node = &nodes[index];

		if (to && (node->flags & IMAGE_NODE_LOOPS))
			activate(walk, to, index);
		if (node->flags & IMAGE_NODE_EDGES)
			child = edge_child(walk->image, index, component);
		if (child) {
			meet(walk, &nodes[child]);
			if (to)
				activate(walk, to, child);
		}
		for (uint32_t g = node->glob_first; g < node->glob_first + node->glob_count; g++) {
			if (!check_glob(image_string(walk->image, globs[g].pattern), component->text,
					component->length))
				continue;
			meet(walk, &nodes[globs[g].child]);
			if (to)
				activate(walk, to, globs[g].child);
		}
	}
	if (walk->denied_here && !(walk->flags_here & (IMAGE_NODE_NAMED | IMAGE_NODE_ABOVE))) {
		walk->shut = true;
		walk->shut_origin = walk->denied_origin;
	}
}

/* The component at `text`, at most `left` bytes: its end found and its hash taken in one go, eight bytes at a time. */
static inline struct component component_at(const char *text, size_t left)
{
	struct component component = {text, 0, PATH_HASH_START};

	while (component.length < left) {
		size_t rest = left - component.length, taken = rest < 8 ? rest : 8;
		uint64_t word, slashes;

		if (rest >= 8) {
			memcpy(&word, text + component.length, 8);
			word = le64toh(word);
		} else {
			word = path_hash_load(text + component.length, rest);
		}
		slashes = word ^ 0x2f2f2f2f2f2f2f2fu; /* a slash is now a zero byte */
		slashes = (slashes - 0x0101010101010101u) & ~slashes & 0x8080808080808080u;
		if (slashes)
			taken = (size_t)__builtin_ctzll(slashes) / 8;
		if (taken) {
			word = taken < 8 ? word & ((1ull << (8 * taken)) - 1) : word;
			component.hash = path_hash_word(component.hash, word);
			component.length += taken;
		}
		if (slashes)
			break;
	}
	return component;
}

static struct decision denied(enum rule rule, uint32_t origin, uint32_t reason)
{
	struct decision decision = DECISION_DENY(rule);

	decision.origin = origin;
	decision.reason = reason;
	return decision;
}

/* The entry names most components of all, or shares that with a tree, which then says the same or more. */
static bool is_listed(const struct walk *walk, enum op op)
{
	return walk->flags_here & IMAGE_NODE_LISTED && op == OP_READ && walk->tree_here == IMAGE_PATH_NONE;
}

static struct decision decide(const struct walk *walk, enum op op)
{
	uint8_t needed = op == OP_WRITE ? IMAGE_PATH_WRITE : IMAGE_PATH_READ;
	struct decision decision = DECISION_ALLOW;

	if (walk->overflow)
		return denied(RULE_PATH_UNRESOLVED, 0, 0);
	if (walk->shut && !(walk->flags_here & IMAGE_NODE_NAMED))
		return denied(RULE_PATH_DENY, walk->shut_origin, 0);
	if (is_listed(walk, op)) {
		decision.listed = true;
		decision.origin = walk->listed_origin;
		return decision;
	}
	if (walk->tree >= IMAGE_PATH_HIDE) {
		decision = denied(RULE_PATH_DENY, walk->tree_origin, walk->tree_reason);
		decision.quiet = walk->tree == IMAGE_PATH_HIDE && op == OP_READ;
		return decision;
	}
	if (walk->flags_here & IMAGE_NODE_LOCKED && op == OP_WRITE)
		return denied(RULE_PATH_DENY, 0, walk->lock_reason);
	if (walk->tree < needed && walk->base < needed)
		return denied(RULE_PATH_JAIL, walk->tree_origin, 0);
	decision.origin = walk->tree < needed ? walk->base_origin : walk->tree_origin;
	return decision;
}

/* From the root down to the end of path. Result: which of the two is active there. */
static struct active *descend(struct walk *walk, struct active active[2], const char *path, size_t length)
{
	uint32_t turn = 0;
	size_t at = 1;

	active[0].count = 0;
	meet(walk, image_path_nodes(walk->image));
	activate(walk, &active[0], IMAGE_PATH_ROOT);
	activate(walk, &active[0], IMAGE_PATH_ANYWHERE);
	while (at < length) {
		struct component component = component_at(path + at, length - at);

		step(walk, active[turn].count, active[turn].node, &active[!turn], &component);
		at += component.length + 1;
		turn = !turn;
	}
	return &active[turn];
}

struct decision check_path(const struct image *image, enum op op, const char *path, size_t length)
{
	struct walk walk = {.image = image};
	struct active active[2];

	if (!length || path[0] != '/')
		return denied(RULE_PATH_UNRESOLVED, 0, 0);
	descend(&walk, active, path, length);
	return decide(&walk, op);
}

bool check_path_place(const struct image *image, const char *folder, size_t length, struct path_place *ret)
{
	struct walk walk = {.image = image};
	struct active active[2], *last = descend(&walk, active, folder, length);

	if (walk.overflow || last->count > PATH_PLACE_NODES)
		return false;
	*ret = (struct path_place){.count = last->count, .tree = walk.tree, .base = walk.base, .shut = walk.shut};
	memcpy(ret->node, last->node, last->count * sizeof(*ret->node));
	return true;
}

bool check_path_allows(const struct image *image, enum op op, const struct path_place *place, const char *name,
		       size_t length)
{
	struct walk walk = {.image = image, .tree = place->tree, .base = place->base, .shut = place->shut};
	struct component component = component_at(name, length);

	step(&walk, place->count, place->node, NULL, &component);
	return !decide(&walk, op).denied;
}

/* What loops holds on below whatever the name is; where it starts at "/" it holds wherever that goes. */
static bool covers(const struct image *image, uint32_t index)
{
	return index != IMAGE_PATH_ANYWHERE && image_path_nodes(image)[index].flags & IMAGE_NODE_COVERS;
}

bool check_path_moves(const struct image *image, const struct path_place *place, const char *name, size_t length)
{
	struct walk walk = {.image = image, .tree = place->tree, .base = place->base, .shut = place->shut};
	struct component component = component_at(name, length);

	step(&walk, place->count, place->node, NULL, &component);
	if (walk.flags_here & IMAGE_NODE_COVERS || decide(&walk, OP_WRITE).denied)
		return false;
	for (uint32_t i = 0; i < place->count; i++)
		if (image_path_nodes(image)[place->node[i]].flags & IMAGE_NODE_LOOPS && covers(image, place->node[i]))
			return false;
	return true;
}

static struct decision denied_below(const struct image *image, uint32_t node)
{
	const struct image_path_below *below = image_path_below(image);
	uint32_t low = 0, high = image->path_below.count;
	struct decision decision;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (below[middle].node < node)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == image->path_below.count || below[low].node != node)
		return DECISION_ALLOW;
	decision = denied(below[low].allowed ? RULE_PATH_JAIL : RULE_PATH_DENY, below[low].origin, below[low].rule);
	decision.below = true;
	return decision;
}

struct decision check_path_below(const struct image *image, const char *path, size_t length, const char *other,
				 size_t other_length)
{
	struct walk walk = {.image = image}, there = {.image = image};
	struct active active[2], active_there[2] = {{.count = 0}};
	const struct active *last = descend(&walk, active, path, length), *found = &active_there[0];

	if (other)
		found = descend(&there, active_there, other, other_length);
	if (walk.overflow || there.overflow)
		return denied(RULE_PATH_UNRESOLVED, 0, 0);
	for (uint32_t i = 0; i < last->count; i++)
		if (covers(image, last->node[i]) && !holds(found, last->node[i]))
			return denied_below(image, last->node[i]);
	return DECISION_ALLOW;
}

struct decision check_path_below_literal(const struct image *image, const char *path, size_t length)
{
	uint32_t node = IMAGE_PATH_ROOT;

	for (size_t at = 1; at < length;) {
		struct component component = component_at(path + at, length - at);

		node = edge_child(image, node, &component);
		if (!node)
			return DECISION_ALLOW;
		at += component.length + 1;
	}
	return covers(image, node) ? denied_below(image, node) : DECISION_ALLOW;
}
