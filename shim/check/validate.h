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
