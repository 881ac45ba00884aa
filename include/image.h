/* SPDX-License-Identifier: MIT */
/*
 * The image: the compiled policy as the checks read it. Flat bytes, no pointers, the same wherever it is mapped,
 * the same bytes for the same policy. launcher/compile/ writes it; shim/check/image.c validates it once when it is
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

/* image.flags */
#define IMAGE_AUDIT 0x01u          /* report, never refuse */
#define IMAGE_REPORT_ALL 0x02u     /* a line for each call, not only for violations */
#define IMAGE_CONTENT 0x04u        /* inline code and shell lines stand in the report as they are */
#define IMAGE_UNCOVERED_DENY 0x08u /* exec of what the shim cannot enter: refuse */
#define IMAGE_UNCOVERED_ALLOW 0x10u /* ... : say nothing; neither flag: report it */

/* SECTION(name, record): one table of the image. Owners of a section document its records below. */
#define IMAGE_SECTIONS(SECTION)                                                                    \
	SECTION(strings, char)                                                                     \
	SECTION(origins, struct image_origin)

struct image_section {
	uint32_t offset; /* bytes from the start of the image */
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

/* Where in which policy file an entry stands, for explanations. */
struct image_origin {
	uint32_t file; /* string: as given by the user, or "profile tool" for a built-in one */
	uint32_t line;
};

#endif
