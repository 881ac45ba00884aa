/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CHECK_VALIDATE_H
#define BRIDLE_CHECK_VALIDATE_H

#include <stdbool.h>
#include <stddef.h>

#include "image.h"

/*
 * Is this a whole image of this version whose every offset, count and index stays inside it? Everything else in
 * check/ relies on a yes and never looks again. bytes: aligned to 8. Pure: any thread, signal handler, after vfork.
 */
bool check_validate(const void *bytes, size_t size);

/*
 * The same in two steps: what is said about programs (`tools` and the sections behind it) is nine tenths of an image, and
 * most processes start none. After the first step everything but check/command.h, check/operands.h and what they use can
 * be relied on; the second one needs a yes of the first. check_validate_bounds is the beginning of the first one: the
 * head and the sections' bounds, no record; enough for who knows that the records were looked at.
 */
bool check_validate_bounds(const void *bytes, size_t size);
bool check_validate_basics(const void *bytes, size_t size);
bool check_validate_programs(const struct image *image);

/*
 * valid_NAME(image), one a section, each written by the section's owner: are the records' indices and string offsets
 * inside the image, their enumerations known, their loops finite? Called after the bounds of every section are proven,
 * so image_NAME() and image->NAME.count can be used; the records of other sections cannot be relied on.
 */
#define SECTION(name, record) bool valid_##name(const struct image *image);
IMAGE_SECTIONS(SECTION)
#undef SECTION

/*
 * For valid_NAME: may this be used as a string, as an origin (index + 1, 0: none), as a run of a section? Inline, as each
 * process that starts asks many thousand times.
 */
static inline bool valid_string(const struct image *image, uint32_t offset)
{
	return offset < image->strings.count;
}

static inline bool valid_origin(const struct image *image, uint32_t origin)
{
	return origin <= image->origins.count;
}

static inline bool valid_run(struct image_section section, uint32_t first, uint32_t count)
{
	return first <= section.count && count <= section.count - first;
}

#endif
