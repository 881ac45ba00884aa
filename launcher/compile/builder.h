/* SPDX-License-Identifier: MIT */
/*
 * Puts an image together: strings and origins are pooled (the same one twice has one offset), each section's records
 * are appended in the order they come, and builder_finish lays all out as include/image.h says. The same calls in the
 * same order give the same bytes. Out of memory is remembered and told by builder_finish, so appending needs no checks.
 */
#ifndef BRIDLE_COMPILE_BUILDER_H
#define BRIDLE_COMPILE_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "failure.h"
#include "image.h"

struct builder_section {
	char *bytes;
	size_t used, room; /* bytes; room 0 while they are borrowed */
};

struct builder {
	struct builder_section section[IMAGE_SECTION_COUNT];
	uint32_t *pool; /* open addressing over the strings: offset, 0 free */
	size_t pool_size, pool_used;
	const char *last_file; /* the file of the last origin, and its string */
	uint32_t last_string;
	bool failed;     /* out of memory or beyond IMAGE_SIZE_MAX */
	uint64_t screen; /* of the image; builder_start says none */
};

void builder_start(struct builder *builder);
void builder_free(struct builder *builder);

/* Offset of the text in the strings section; 0 for NULL and "". */
uint32_t builder_string(struct builder *builder, const char *text);
uint32_t builder_string_length(struct builder *builder, const char *text, size_t length);

/* Index + 1 of this place in the origins section. The file's name outlives the builder. */
uint32_t builder_origin(struct builder *builder, const char *file, uint32_t line);

/*
 * BUILDER_APPEND(builder, section, &record): appends one record, returns its index. BUILDER_APPEND_MANY takes an array.
 * builder_count: records so far. builder_record: an appended record, valid until the next append to its section,
 * not to be written where the section is borrowed.
 */
#define BUILDER_APPEND(builder, name, record) BUILDER_APPEND_MANY(builder, name, record, 1)
#define BUILDER_APPEND_MANY(builder, name, records, count) \
	builder_append(builder, IMAGE_SECTION_##name,      \
		       1 ? (records) : image_##name(NULL), (count)) /* the types must agree */
uint32_t builder_append(struct builder *builder, enum image_section_id id, const void *records,
			size_t count);
/* Makes an empty section of records that outlive the builder: copied only when one is appended. */
#define BUILDER_BORROW(builder, name, image) \
	builder_borrow(builder, IMAGE_SECTION_##name, image_##name(image), (image)->name.count)
void builder_borrow(struct builder *builder, enum image_section_id id, const void *records, size_t count);
uint32_t builder_count(const struct builder *builder, enum image_section_id id);
void *builder_record(struct builder *builder, enum image_section_id id, uint32_t index);

/* On success *ret_image (free() it) holds *ret_size bytes, aligned to 8. */
bool builder_finish(struct builder *builder, uint32_t flags, void **ret_image, size_t *ret_size,
		    struct failure *failure);

/* The same bytes written to the file at the offset, which saves making a copy of them in memory first. */
bool builder_write(struct builder *builder, uint32_t flags, int file, off_t offset, size_t *ret_size,
		   struct failure *failure);

/* Writes all parts of an image to a session's file. False with the reason in failure. parts is used up. */
bool builder_put(struct iovec *parts, int count, int file, off_t offset, struct failure *failure);

#endif
