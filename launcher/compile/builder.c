/* SPDX-License-Identifier: MIT */
/* The bytes of an image, section by section. Knows layout only, no rule. */
#include "compile/builder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const size_t record_size[IMAGE_SECTION_COUNT] = {
#define SECTION(name, record) sizeof(record),
	IMAGE_SECTIONS(SECTION)
#undef SECTION
};

void builder_start(struct builder *builder)
{
	memset(builder, 0, sizeof(*builder));
	builder_append(builder, IMAGE_SECTION_strings, "", 1);
}

void builder_free(struct builder *builder)
{
	for (int i = 0; i < IMAGE_SECTION_COUNT; i++)
		if (builder->section[i].room)
			free(builder->section[i].bytes);
	free(builder->pool);
	memset(builder, 0, sizeof(*builder));
}

/* Makes room for `more` bytes; false and `failed` where there is none. */
static bool builder_reserve(struct builder *builder, struct builder_section *section, size_t more)
{
	size_t room = section->room ? section->room : 256;
	char *bytes;

	if (more > IMAGE_SIZE_MAX || section->used > IMAGE_SIZE_MAX - more) {
		builder->failed = true;
		return false;
	}
	while (room < section->used + more)
		room *= 2;
	if (room == section->room)
		return true;
	bytes = realloc(section->room ? section->bytes : NULL, room);
	if (!bytes) {
		builder->failed = true;
		return false;
	}
	if (!section->room && section->used)
		memcpy(bytes, section->bytes, section->used);
	section->bytes = bytes;
	section->room = room;
	return true;
}

void builder_borrow(struct builder *builder, enum image_section_id id, const void *records, size_t count)
{
	builder->section[id].bytes = (char *)(uintptr_t)records;
	builder->section[id].used = count * record_size[id];
}

uint32_t builder_count(const struct builder *builder, enum image_section_id id)
{
	return (uint32_t)(builder->section[id].used / record_size[id]);
}

uint32_t builder_append(struct builder *builder, enum image_section_id id, const void *records,
			size_t count)
{
	struct builder_section *section = &builder->section[id];
	uint32_t index = builder_count(builder, id);

	if (count > IMAGE_SIZE_MAX / record_size[id]) {
		builder->failed = true;
		return index;
	}
	if (count && builder_reserve(builder, section, count * record_size[id])) {
		memcpy(section->bytes + section->used, records, count * record_size[id]);
		section->used += count * record_size[id];
	}
	return index;
}

void *builder_record(struct builder *builder, enum image_section_id id, uint32_t index)
{
	return builder->section[id].bytes + index * record_size[id];
}

static size_t text_hash(const char *text, size_t length)
{
	uint64_t hash = 14695981039346656037u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
	return (size_t)(hash ^ hash >> 32);
}

/* The slot that holds the text, or the free one where it belongs. */
static uint32_t *pool_slot(const struct builder *builder, const char *text, size_t length)
{
	const char *strings = builder->section[IMAGE_SECTION_strings].bytes;
	size_t at = text_hash(text, length);

	for (;; at++) {
		uint32_t *slot = &builder->pool[at & (builder->pool_size - 1)];

		if (!*slot || (strings[*slot] == *text && !strncmp(strings + *slot, text, length) &&
			       !strings[*slot + length]))
			return slot;
	}
}

static bool pool_grow(struct builder *builder)
{
	const char *strings = builder->section[IMAGE_SECTION_strings].bytes;
	uint32_t *old = builder->pool;
	size_t old_size = builder->pool_size;

	builder->pool_size = old_size ? old_size * 2 : 256;
	builder->pool = calloc(builder->pool_size, sizeof(*builder->pool));
	if (!builder->pool) {
		builder->pool = old;
		builder->pool_size = old_size;
		builder->failed = true;
		return false;
	}
	for (size_t i = 0; i < old_size; i++)
		if (old[i])
			*pool_slot(builder, strings + old[i], strlen(strings + old[i])) = old[i];
	free(old);
	return true;
}

uint32_t builder_string_length(struct builder *builder, const char *text, size_t length)
{
	uint32_t *slot, offset;

	if (!text || !length || builder->failed)
		return 0;
	if (builder->pool_used * 2 >= builder->pool_size && !pool_grow(builder))
		return 0;
	slot = pool_slot(builder, text, length);
	if (*slot)
		return *slot;
	if (!builder_reserve(builder, &builder->section[IMAGE_SECTION_strings], length + 1))
		return 0;
	offset = builder_append(builder, IMAGE_SECTION_strings, text, length);
	builder_append(builder, IMAGE_SECTION_strings, "", 1);
	*slot = offset;
	builder->pool_used++;
	return offset;
}

uint32_t builder_string(struct builder *builder, const char *text)
{
	return text ? builder_string_length(builder, text, strlen(text)) : 0;
}

uint32_t builder_origin(struct builder *builder, const char *file, uint32_t line)
{
	struct image_origin origin = {.line = line};
	uint32_t count = builder_count(builder, IMAGE_SECTION_origins);
	const struct image_origin *known = count ? builder_record(builder, IMAGE_SECTION_origins, 0) : NULL;

	if (!file || file != builder->last_file)
		builder->last_string = builder_string(builder, file);
	builder->last_file = file;
	origin.file = builder->last_string;
	/* Entries come file by file, line by line: the same place is asked for in a row. */
	for (uint32_t i = count; i > 0 && i + 8 > count; i--)
		if (known[i - 1].file == origin.file && known[i - 1].line == line)
			return i;
	return BUILDER_APPEND(builder, origins, &origin) + 1;
}

static size_t aligned(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

/* The header, where each section goes, and the size of all. False when the image would be too big. */
static bool lay_out(struct builder *builder, uint32_t flags, struct image *ret_image, struct failure *failure)
{
	struct image_section section[IMAGE_SECTION_COUNT];
	size_t size = aligned(sizeof(struct image));

	for (int i = 0; i < IMAGE_SECTION_COUNT && !builder->failed; i++) {
		section[i].offset = (uint32_t)size;
		section[i].count = builder_count(builder, i);
		size += aligned(builder->section[i].used);
		if (size > IMAGE_SIZE_MAX)
			builder->failed = true;
	}
	if (builder->failed)
		return failure_set(failure, "the policy is too big to compile (more than %u MiB of rules)",
				   IMAGE_SIZE_MAX >> 20);
	*ret_image = (struct image){
		.magic = IMAGE_MAGIC,
		.version = IMAGE_VERSION,
		.size = (uint32_t)size,
		.flags = flags,
		.screen = builder->screen,
	};
#define SECTION(name, record) ret_image->name = section[IMAGE_SECTION_##name];
	IMAGE_SECTIONS(SECTION)
#undef SECTION
	return true;
}

#define PARTS (2 * IMAGE_SECTION_COUNT + 2)

/* All that the image consists of, in order: header, sections, and what fills up to eight bytes behind each. */
static int parts_of(struct builder *builder, const struct image *header, struct iovec parts[PARTS])
{
	static const uint64_t nothing;
	int count = 0;

	parts[count++] = (struct iovec){(void *)(uintptr_t)header, sizeof(*header)};
	parts[count++] = (struct iovec){(void *)(uintptr_t)&nothing, aligned(sizeof(*header)) - sizeof(*header)};
	for (int i = 0; i < IMAGE_SECTION_COUNT; i++) {
		const struct builder_section *section = &builder->section[i];

		parts[count++] = (struct iovec){section->bytes, section->used};
		parts[count++] = (struct iovec){(void *)(uintptr_t)&nothing, aligned(section->used) - section->used};
	}
	return count;
}

bool builder_finish(struct builder *builder, uint32_t flags, void **ret_image, size_t *ret_size,
		    struct failure *failure)
{
	struct iovec parts[PARTS];
	struct image header;
	char *end;
	int count;

	if (!lay_out(builder, flags, &header, failure))
		return false;
	end = malloc(header.size);
	if (!end)
		return failure_set(failure, "out of memory");
	*ret_image = end;
	*ret_size = header.size;
	count = parts_of(builder, &header, parts);
	for (int i = 0; i < count; i++)
		if (parts[i].iov_len)
			end = mempcpy(end, parts[i].iov_base, parts[i].iov_len);
	return true;
}

/* Takes what was written off the front. Returns the first part that is not done. */
static int take_off(struct iovec *parts, int at, int count, size_t wrote)
{
	for (; at < count && wrote >= parts[at].iov_len; at++)
		wrote -= parts[at].iov_len;
	if (at < count) {
		parts[at].iov_base = (char *)parts[at].iov_base + wrote;
		parts[at].iov_len -= wrote;
	}
	return at;
}

bool builder_put(struct iovec *parts, int count, int file, off_t offset, struct failure *failure)
{
	int at = 0;

	while (at < count) {
		ssize_t wrote = pwritev(file, parts + at, count - at, offset);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			return failure_set(failure, "cannot write the compiled policy into the session folder: %s; "
						    "set TMPDIR to a folder that has room",
					   strerror(errno));
		offset += wrote;
		at = take_off(parts, at, count, (size_t)wrote);
	}
	return true;
}

bool builder_write(struct builder *builder, uint32_t flags, int file, off_t offset, size_t *ret_size,
		   struct failure *failure)
{
	struct iovec parts[PARTS];
	struct image header;

	if (!lay_out(builder, flags, &header, failure))
		return false;
	*ret_size = header.size;
	return builder_put(parts, parts_of(builder, &header, parts), file, offset, failure);
}
