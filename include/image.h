/* SPDX-License-Identifier: MIT */
/*
 * The image: the compiled policy as the checks read it. Flat bytes, no pointers, the same wherever it is mapped,
 * the same bytes for the same policy. launcher/compile/ writes it; shim/check/validate.c validates it once when it is
 * mapped; after that the checks index without asking again.
 *
 * Layout: struct image, then each section's records, aligned to 8, in the order of IMAGE_SECTIONS. A string is
 * named by its offset into the strings section, whose byte 0 is NUL: offset 0 is the empty string or "none".
 *
 * Bump IMAGE_VERSION whenever a record or its meaning changes: shim and launcher of one build belong together.
 */
#ifndef BRIDLE_IMAGE_H
#define BRIDLE_IMAGE_H

#include <stdint.h>

#define IMAGE_MAGIC 0x676d6962u /* "bimg" */
#define IMAGE_VERSION 1
#define IMAGE_SIZE_MAX (64u << 20)

/* image.flags */
#define IMAGE_AUDIT 0x01u           /* report, never refuse */
#define IMAGE_REPORT_ALL 0x02u      /* a line for each call, not only for violations */
#define IMAGE_CONTENT 0x04u         /* inline code and shell lines stand in the report as they are */
#define IMAGE_UNCOVERED_DENY 0x08u  /* exec of what the shim cannot enter: refuse */
#define IMAGE_UNCOVERED_ALLOW 0x10u /* ... : say nothing; neither flag: report it */

/*
 * SECTION(name, record): one table of the image. Its owner documents the record below and defines
 * `bool valid_NAME(const struct image *)` (shim/check/validate.h); the builder and the bounds checks follow the list.
 */
#define IMAGE_SECTIONS(SECTION)                                  \
	SECTION(strings, char)                                   \
	SECTION(origins, struct image_origin)                    \
	SECTION(path_nodes, struct image_path_node)              \
	SECTION(path_edges, struct image_path_edge)              \
	SECTION(path_globs, struct image_path_glob)              \
	SECTION(network, struct image_network)                   \
	SECTION(network_addresses, struct image_network_address) \
	SECTION(network_hosts, struct image_network_host)

enum image_section_id {
#define SECTION(name, record) IMAGE_SECTION_##name,
	IMAGE_SECTIONS(SECTION)
#undef SECTION
	IMAGE_SECTION_COUNT
};

struct image_section {
	uint32_t offset; /* bytes from the start of the image, a multiple of 8 */
	uint32_t count;  /* records */
};

struct image {
	uint32_t magic;
	uint32_t version;
	uint32_t size; /* bytes in all, this header included */
	uint32_t flags;
#define SECTION(name, record) struct image_section name;
	IMAGE_SECTIONS(SECTION)
#undef SECTION
};

/* Where in which policy file an entry stands, for explanations. Records name it by index + 1; 0: none. */
struct image_origin {
	uint32_t file; /* string: as given by the user, or "profile tool" for a built-in one */
	uint32_t line;
};

/*
 * Path rules: a trie over the components of a path. Node 0 is "/"; node 1 is where every pattern without an anchor
 * starts (a basename rule, "**" in front) and is active at every depth. A step takes, from each active node, the one
 * literal edge that fits the component, every glob edge that fits, and stays where the node loops.
 */
#define IMAGE_PATH_ROOT 0u
#define IMAGE_PATH_ANYWHERE 1u

/* The most nodes that can be active at once after any component: the compiler refuses a policy that could exceed it. */
#define IMAGE_PATH_ACTIVE 48u

/* What a rule gives to the path it names and to all beneath, weakest first: at a tie the stronger wins. */
enum image_path_verdict {
	IMAGE_PATH_NONE,
	IMAGE_PATH_READ,
	IMAGE_PATH_WRITE,
	IMAGE_PATH_DENY
};

#define IMAGE_NODE_EDGES 0x01u  /* some literal edge leaves it */
#define IMAGE_NODE_LOOPS 0x02u  /* "**": stays active for every component that follows */
#define IMAGE_NODE_NAMED 0x04u  /* its tree rule allows and was written without globs: it outweighs a deny by basename */
#define IMAGE_NODE_ABOVE 0x08u  /* an ancestor of the root: no deny by basename matches here */
#define IMAGE_NODE_LOCKED 0x10u /* this very path is never writable, whatever the rules say */

struct image_path_node {
	uint32_t flags;      /* IMAGE_NODE_* */
	uint32_t deep;       /* node of a "**" that follows, active together with this one; 0: none */
	uint32_t glob_first; /* its glob edges, a run in path_globs */
	uint32_t glob_count;
	uint8_t tree; /* enum image_path_verdict of the tree rule that ends here */
	uint8_t base; /* the same of a basename rule; NONE, or node 1's children only */
	uint16_t unused;
	uint32_t tree_origin; /* index + 1 into origins */
	uint32_t base_origin;
	uint32_t reason; /* string: why it is shut or locked, where bridle itself wants it so */
};

/* A slot of the table of literal edges: open addressing, count a power of two, at most half full. child 0: free. */
struct image_path_edge {
	uint32_t parent;
	uint32_t child;
	uint32_t component; /* string */
	uint32_t length;    /* of it */
};

struct image_path_glob {
	uint32_t pattern; /* string: *, ?, [...], \\; no slash */
	uint32_t child;
};

/* The one record of the section: what holds where no entry decides. */
enum image_network_bind {
	IMAGE_BIND_DENY,
	IMAGE_BIND_LOOPBACK,
	IMAGE_BIND_ALLOW
};

struct image_network {
	uint8_t connect_allowed; /* 0 or 1 */
	uint8_t resolve_allowed;
	uint8_t bind; /* enum image_network_bind */
	uint8_t unused;
	uint32_t connect_origin, resolve_origin, bind_origin;
};

/* network.allow and network.deny by address. Sorted: the first that fits decides. */
struct image_network_address {
	uint8_t bytes[16]; /* IPv4: the first four */
	uint8_t version;   /* 4 or 6 */
	uint8_t prefix;    /* bits that must be equal: at most 32 or 128 */
	uint8_t denied;
	uint8_t unused;
	uint16_t port_low, port_high; /* both inclusive */
	uint32_t origin;
};

/* ... by host name. Sorted as well. */
struct image_network_host {
	uint32_t pattern; /* string, lower case; a glob in which * also spans dots */
	uint16_t port_low, port_high;
	uint32_t denied;
	uint32_t origin;
};

/* image_NAME(image): the first record of a section of a validated image. */
#define SECTION(name, record)                                                                    \
	static inline const record *image_##name(const struct image *image)                      \
	{                                                                                        \
		return (const record *)(const void *)((const char *)image + image->name.offset); \
	}
IMAGE_SECTIONS(SECTION)
#undef SECTION

/* The NUL-terminated string at an offset of a validated image. */
static inline const char *image_string(const struct image *image, uint32_t offset)
{
	return image_strings(image) + offset;
}

#endif
