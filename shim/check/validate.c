/* SPDX-License-Identifier: MIT */
/* One look over an image when it is mapped, so that the checks can index it without asking. */
#include "check/validate.h"

/* The first and the last byte are NUL: offset 0 is the empty string, and every string ends inside. */
bool valid_strings(const struct image *image)
{
	uint32_t count = image->strings.count;

	return count > 0 && image_strings(image)[0] == '\0' && image_strings(image)[count - 1] == '\0';
}

bool valid_origins(const struct image *image)
{
	const struct image_origin *origin = image_origins(image);

	for (uint32_t i = 0; i < image->origins.count; i++)
		if (!valid_string(image, origin[i].file))
			return false;
	return true;
}

static bool valid_bounds(struct image_section section, size_t record, size_t size)
{
	if (section.offset % 8 || section.offset < sizeof(struct image) || section.offset > size)
		return false;
	return section.count <= (size - section.offset) / record;
}

bool check_validate_bounds(const void *bytes, size_t size)
{
	const struct image *image = bytes;

	if (size < sizeof(*image) || size > IMAGE_SIZE_MAX)
		return false;
	if (image->magic != IMAGE_MAGIC || image->version != IMAGE_VERSION || image->size != size)
		return false;
#define SECTION(name, record)                                 \
	if (!valid_bounds(image->name, sizeof(record), size)) \
		return false;
	IMAGE_SECTIONS(SECTION)
#undef SECTION
	return true;
}

bool check_validate_basics(const void *bytes, size_t size)
{
	const struct image *image = bytes;

	if (!check_validate_bounds(bytes, size))
		return false;
#define SECTION(name, record)                                                   \
	if (IMAGE_SECTION_##name < IMAGE_SECTION_tools && !valid_##name(image)) \
		return false;
	IMAGE_SECTIONS(SECTION)
#undef SECTION
	return true;
}

bool check_validate_programs(const struct image *image)
{
#define SECTION(name, record)                                                    \
	if (IMAGE_SECTION_##name >= IMAGE_SECTION_tools && !valid_##name(image)) \
		return false;
	IMAGE_SECTIONS(SECTION)
#undef SECTION
	return true;
}

bool check_validate(const void *bytes, size_t size)
{
	return check_validate_basics(bytes, size) && check_validate_programs(bytes);
}
