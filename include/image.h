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
#define IMAGE_VERSION 5
#define IMAGE_SIZE_MAX (64u << 20)

/* image.flags */
#define IMAGE_AUDIT 0x01u               /* report, never refuse */
#define IMAGE_REPORT_ALL 0x02u          /* a line for each call, not only for violations */
#define IMAGE_CONTENT 0x04u             /* inline code and shell lines stand in the report as they are */
#define IMAGE_UNCOVERED_DENY 0x08u      /* exec of what the shim cannot enter: refuse */
#define IMAGE_UNCOVERED_ALLOW 0x10u     /* ... : say nothing; neither flag: report it */
#define IMAGE_INLINE_DENY 0x20u         /* argv.inline = "deny" */
#define IMAGE_METACHARS_ANY 0x40u       /* structure.metachars = "any" */
#define IMAGE_METACHARS_OPERATORS 0x80u /* ... = "operators"; neither flag: off */
#define IMAGE_EXPLAIN 0x100u            /* say on a refused program's stderr why: report.explain = "stderr" */
#define IMAGE_DROP 0x200u               /* count a report line that finds no room rather than wait: report.drop = true */

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
	SECTION(path_below, struct image_path_below)             \
	SECTION(network, struct image_network)                   \
	SECTION(network_addresses, struct image_network_address) \
	SECTION(network_hosts, struct image_network_host)        \
	SECTION(tools, struct image_tool)                        \
	SECTION(tool_slots, uint32_t)                            \
	SECTION(tool_globs, uint32_t)                            \
	SECTION(tool_sheets, uint32_t)                           \
	SECTION(sheets, struct image_sheet)                      \
	SECTION(tool_options, struct image_option)               \
	SECTION(tool_patterns, struct image_pattern)             \
	SECTION(tool_shapes, struct image_shape)                 \
	SECTION(tool_conditions, struct image_condition)         \
	SECTION(tool_files, struct image_tool_file)              \
	SECTION(tool_builds, struct image_tool_build)            \
	SECTION(grounds, uint32_t)

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
	uint64_t screen; /* the terminal that the command owns, where IMAGE_EXPLAIN writes nothing: its st_rdev; 0: none */
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
	IMAGE_PATH_HIDE, /* shut like DENY, but to be refused a read of it is nothing to report */
	IMAGE_PATH_DENY
};

#define IMAGE_NODE_EDGES 0x01u  /* some literal edge leaves it */
#define IMAGE_NODE_LOOPS 0x02u  /* "**": stays active for every component that follows */
#define IMAGE_NODE_NAMED 0x04u  /* its tree rule allows and was written without globs: it outweighs a deny by basename */
#define IMAGE_NODE_ABOVE 0x08u  /* an ancestor of the root: no deny by basename matches here */
#define IMAGE_NODE_LOCKED 0x10u /* this very path is never writable, whatever the rules say */
#define IMAGE_NODE_LISTED 0x20u /* this very path may be read, what lies in it not: paths.list */
#define IMAGE_NODE_COVERS 0x40u /* a rule behind it is stricter than to let write; path_below names it */

struct image_path_node {
	uint32_t flags;      /* IMAGE_NODE_* */
	uint32_t deep;       /* node of a "**" that follows, active together with this one; 0: none */
	uint32_t glob_first; /* its glob edges, a run in path_globs */
	uint32_t glob_count;
	uint8_t tree; /* enum image_path_verdict of the tree rule that ends here */
	uint8_t base; /* the same of a basename rule; NONE, or node 1's children only */
	uint16_t unused;
	uint32_t tree_origin; /* index + 1 into origins; without a tree rule that of the entry in paths.list */
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

/* Of each node with IMAGE_NODE_COVERS, sorted by it: the strictest rule behind it. */
struct image_path_below {
	uint32_t node;
	uint32_t rule;    /* string: the path or pattern that the rule is on */
	uint32_t origin;  /* of its entry */
	uint32_t allowed; /* 0: it shuts its path for writing; 1: it lets it be read, but not written */
};

enum image_network_bind {
	IMAGE_BIND_DENY,
	IMAGE_BIND_LOOPBACK,
	IMAGE_BIND_ALLOW
};

/* The one record of the section: what holds where no entry decides. */
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

/*
 * What is known of programs and their arguments. A tool is found by (parent, name): parent is IMAGE_TOOL_PROGRAM for a
 * program's name, a tool for its sub-command ("git" -> "push"), and two more kinds of name live in the same table.
 * Literal names are found through tool_slots (open addressing: index + 1 of the tool, 0 free; count a power of two, at
 * most half full), names that are globs stand in tool_globs. Each (parent, name) is one tool.
 */
#define IMAGE_TOOL_PROGRAM 0xffffffffu
#define IMAGE_TOOL_VARIABLE 0xfffffffeu /* an environment variable; its patterns judge the value */
#define IMAGE_TOOL_CALLER 0xfffffffdu   /* argv.trusted_callers */
#define IMAGE_TOOL_NAMED 0xfffffff0u    /* parents from here on are no tools */

#define IMAGE_TOOL_DENIED 0x0001u   /* names.deny holds it; `deny` is that entry's origin */
#define IMAGE_TOOL_STDIN 0x0002u    /* without a script or code it takes code from its standard input */
#define IMAGE_TOOL_WHOLE 0x0004u    /* "-xyz" is one option, not -x -y -z */
#define IMAGE_TOOL_PLUS 0x0008u     /* "+x" is an option as well */
#define IMAGE_TOOL_DASHLESS 0x0010u /* a first word without a dash is a cluster, its values follow in order */
#define IMAGE_TOOL_ASSIGNS 0x0020u  /* NAME=value words stand before the command */
#define IMAGE_TOOL_PARENT 0x0040u   /* some tool has it as its parent */
#define IMAGE_TOOL_GLOBAL 0x0080u   /* its options are understood behind its sub-command too */
#define IMAGE_TOOL_SHELL 0x0100u    /* its code is a shell line; a code option's value is the first operand */
#define IMAGE_TOOL_LINE 0x0200u     /* its command is joined into one shell line */
#define IMAGE_TOOL_TURNS 0x0400u    /* some option of it changes what its operands are */
#define IMAGE_TOOL_FLAGS 0x07ffu

/* What a word is to its tool: of an operand, or of an option's value. */
enum image_role {
	IMAGE_ROLE_ANY,      /* not known: a path where it looks like one */
	IMAGE_ROLE_DATA,     /* text, never a path nor a command */
	IMAGE_ROLE_READ,     /* a path that is read */
	IMAGE_ROLE_LOOK,     /* a path that is looked at: a folder's names are read, what lies in it is not */
	IMAGE_ROLE_STATUS,   /* a path of which only kind, size and times are asked, of a folder too */
	IMAGE_ROLE_WRITE,    /* a path that is written */
	IMAGE_ROLE_MOVE,     /* a path that gets another name, with all that lies in it */
	IMAGE_ROLE_AT,       /* text, but "@path" and "name=@path" read a file */
	IMAGE_ROLE_NOTHING,  /* of an option: nothing is wrong with it, it is here to be known; of an operand: words to print */
	IMAGE_ROLE_INFO,     /* of an option: it makes the tool tell something and end ("--version") */
	IMAGE_ROLE_VARIABLE, /* NAME=value for the environment of a command */
	IMAGE_ROLE_EDIT,     /* a stream editor's script, judged by what it does */
	IMAGE_ROLE_ACTIONS,  /* a program of patterns and { actions }, judged by what it does */
	IMAGE_ROLE_SOURCE,   /* a file that holds code: its standard input is code from stdin */
	IMAGE_ROLE_SCRIPT,   /* of an operand: the same, and what follows belongs to the script */
	IMAGE_ROLE_MODULE,   /* of an option: names a script by its module, what follows belongs to it */
	IMAGE_ROLE_END,      /* of an operand: data, and what follows belongs to somebody else */
	IMAGE_ROLE_COMMAND,  /* of an operand: here a command starts that runs to the end */
	IMAGE_ROLE_EXEC,     /* of an option: a command follows, up to ";" or "{} +" */
	IMAGE_ROLE_LINE,     /* a command line in one word */
	IMAGE_ROLE_SPLIT,    /* the same, and the words behind it belong to it */
	IMAGE_ROLE_AS,       /* of an option: what follows are arguments for the program named in its pattern */
	IMAGE_ROLE_DOOR,     /* runs, or may run, a program: refused unless a pattern allows the value */
	IMAGE_ROLE_CODE,     /* a program's text */
	IMAGE_ROLE_COUNT
};

#define IMAGE_TOOL_ROLES 4

/* A name. What is known of it stands in its sheets: each is one entry of the policy, and many names can share it. */
struct image_tool {
	uint32_t name; /* string */
	uint32_t length;
	uint32_t parent;
	uint32_t flags;                    /* of all its sheets */
	uint32_t sheet_first, sheet_count; /* a run of tool_sheets; a later one goes before an earlier one */
	uint32_t deny;                     /* origin of the entry in names.deny */
};

struct image_sheet {
	uint32_t flags;
	uint32_t option_first, option_count;
	uint32_t shape_first, shape_count;
	uint32_t pattern_first, pattern_count; /* for a variable's value and operands of the roles DOOR and CODE */
	uint32_t origin;
	uint32_t reason;                /* string */
	uint8_t role[IMAGE_TOOL_ROLES]; /* enum image_role of the operands; the last one stands for all that follow */
	uint8_t role_count;
	uint8_t role_final; /* of the last operand, where it differs; ANY: it does not */
	uint16_t unused;
};

enum image_arity {
	IMAGE_VALUE_NONE,
	IMAGE_VALUE_GLUED,
	IMAGE_VALUE_NEEDED,
	IMAGE_VALUE_TWO
};

#define IMAGE_OPTION_FIRST 0x01u   /* with it, the first operand is missing from the roles */
#define IMAGE_OPTION_CHANGES 0x08u /* with it, files that are read are written as well ("--in-place") */
#define IMAGE_OPTION_LINKS 0x10u   /* with it, relative operands do not start here ("--symbolic") */
#define IMAGE_OPTION_ENTERS 0x20u  /* with it, folders that are looked at are read with all that lies in them ("-exec") */
#define IMAGE_OPTION_STAYS 0x40u   /* with it, folders that are looked at are not listed ("ls -d") */
#define IMAGE_OPTION_TARGET 0x80u  /* with it, the last operand is one like the others ("--target-directory") */
#define IMAGE_OPTION_TURNS                                                                      \
	(IMAGE_OPTION_FIRST | IMAGE_OPTION_CHANGES | IMAGE_OPTION_LINKS | IMAGE_OPTION_ENTERS | \
	 IMAGE_OPTION_STAYS | IMAGE_OPTION_TARGET)
#define IMAGE_OPTION_WEAK 0x04u   /* only named by a shape: who knows more of it goes first */
#define IMAGE_OPTION_PREFIX 0x02u /* not an option by its dash: a word that starts so ("of=", "@") */

struct image_option {
	uint32_t name; /* string, dashes included: "-x", "--long", "-long"; pooled, so equal names have equal offsets */
	uint16_t length;
	uint8_t role;  /* enum image_role of the option or its value */
	uint8_t arity; /* enum image_arity; GLUED: only in the same word ("-iX", "--color=X"); TWO: the next word too */
	uint32_t flags;
	uint32_t pattern_first, pattern_count;
	uint32_t origin;
	uint32_t reason; /* string */
};

/* check/pattern.h says how it is read. Where some allow and fit, the value is fine; else it is refused when one that
 * refuses fits, or when there is none that refuses. */
enum image_pattern_verdict {
	IMAGE_PATTERN_REFUSE,
	IMAGE_PATTERN_ALLOW,
	IMAGE_PATTERN_ALLOW_AT_RUN
};

struct image_pattern {
	uint32_t text; /* string */
	uint32_t verdict;
};

/*
 * argv.deny: every group of conditions is met by one of its members; where `broad`, on an operand that reaches as far as a
 * ground (check/broad.h); where `outside`, beyond; where `direct`, as `broad` in what a trusted caller starts, else anywhere
 * but below TMPDIR. What chooses by name, in the way of find, is judged as `outside`.
 */
#define IMAGE_SHAPE_BROAD 0x01u
#define IMAGE_SHAPE_DIRECT 0x02u
#define IMAGE_SHAPE_OUTSIDE 0x04u
#define IMAGE_SHAPE_CHOOSES 0x08u /* some of its conditions are choices: its words are an expression */
#define IMAGE_SHAPE_FLAGS 0x0fu
#define IMAGE_SHAPE_GROUPS 32u

struct image_shape {
	uint32_t condition_first, condition_count;
	uint32_t groups; /* how many, at most IMAGE_SHAPE_GROUPS */
	uint32_t flags;
	uint32_t implied; /* string: the operand that it takes where none is given; 0: none */
	uint32_t origin;
	uint32_t reason; /* string */
};

enum image_condition_kind {
	IMAGE_CONDITION_FLAG,    /* this option, with a value that fits where `value` is not 0 */
	IMAGE_CONDITION_OPERAND, /* an operand that fits `value` */
	IMAGE_CONDITION_DENIED,  /* an operand that names a denied program by its path */
	IMAGE_CONDITION_COUNT,   /* at least `group` operands; of no group */
	IMAGE_CONDITION_WITHOUT, /* not this option; of no group */
	IMAGE_CONDITION_CHOICE   /* this option chooses what is met; of no group */
};

struct image_condition {
	uint32_t kind;
	uint32_t group; /* 0 .. groups - 1 */
	uint32_t name;  /* string: the option's name, as in image_option */
	uint32_t value; /* string: a pattern */
};

/* The files of denied programs, sorted by inode, then device: a link or another name for one is known by them. */
struct image_tool_file {
	uint64_t inode, device;
	uint32_t tool;
	uint32_t unused;
};

/* The build-ids of denied programs (check/build.h), sorted: a copy is known by it, whatever it is called. */
#define IMAGE_BUILD_SIZE 20

struct image_tool_build {
	uint8_t id[IMAGE_BUILD_SIZE];
	uint32_t tool;
};

/*
 * grounds: strings, absolute folders beneath which a sweeping command is ordinary; "": none. The first is the root; the
 * second is the home, which is no ground, but like the root it is never to be swept itself; the third is TMPDIR, where sweeping
 * is nobody's loss.
 */
#define IMAGE_GROUND_HOME 1u
#define IMAGE_GROUND_SCRATCH 2u

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
