/* SPDX-License-Identifier: MIT */
/* Keeps each different string once. */
#include "report/intern.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_SIZE 65536
#define SLOTS_START 1024
#define SLOT_BYTES 24 /* beside the text: a slot of a table that doubles when it is three quarters full */

const char intern_full[] = "(more than could be kept)";
const char intern_empty[] = "";

struct chunk {
	struct chunk *next;
	char bytes[CHUNK_SIZE];
};

struct intern {
	struct chunk *chunks;
	size_t used;   /* bytes of the first chunk */
	size_t budget; /* bytes that may still be used */
	char **slots;
	size_t slot_count, text_count; /* slot_count: a power of two */
};

static uint64_t hash(const char *text, size_t length)
{
	uint64_t value = 0xcbf29ce484222325u;

	for (size_t i = 0; i < length; i++)
		value = (value ^ (unsigned char)text[i]) * 0x100000001b3u;
	return value ^ value >> 29;
}

struct intern *intern_new(size_t budget)
{
	struct intern *intern = calloc(1, sizeof(*intern));

	if (intern == NULL)
		return NULL;
	intern->slots = calloc(SLOTS_START, sizeof(*intern->slots));
	intern->slot_count = SLOTS_START;
	intern->budget = budget;
	intern->used = CHUNK_SIZE;
	if (intern->slots == NULL) {
		free(intern);
		return NULL;
	}
	return intern;
}

void intern_free(struct intern *intern)
{
	struct chunk *next;

	if (intern == NULL)
		return;
	for (struct chunk *chunk = intern->chunks; chunk != NULL; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	free(intern->slots);
	free(intern);
}

static void grow(struct intern *intern)
{
	size_t count = intern->slot_count * 2;
	char **slots = calloc(count, sizeof(*slots));

	if (slots == NULL)
		return; /* slower, and full at the end, but right */
	for (size_t i = 0; i < intern->slot_count; i++) {
		char *text = intern->slots[i];

		if (text == NULL)
			continue;
		size_t at = hash(text, strlen(text)) & (count - 1);

		while (slots[at] != NULL)
			at = (at + 1) & (count - 1);
		slots[at] = text;
	}
	free(intern->slots);
	intern->slots = slots;
	intern->slot_count = count;
}

static char *keep(struct intern *intern, const char *text, size_t length)
{
	char *kept;

	if (length + 1 + SLOT_BYTES > intern->budget || intern->text_count + 2 > intern->slot_count)
		return NULL;
	if (intern->used + length + 1 > CHUNK_SIZE) {
		struct chunk *chunk = malloc(sizeof(*chunk));

		if (chunk == NULL)
			return NULL;
		chunk->next = intern->chunks;
		intern->chunks = chunk;
		intern->used = 0;
	}
	kept = intern->chunks->bytes + intern->used;
	memcpy(kept, text, length);
	kept[length] = '\0';
	intern->used += length + 1;
	intern->budget -= length + 1 + SLOT_BYTES;
	intern->text_count++;
	return kept;
}

const char *intern_bytes(struct intern *intern, const char *text, size_t length)
{
	if (length == 0)
		return intern_empty;
	if (length > INTERN_TEXT_MAX)
		for (length = INTERN_TEXT_MAX; ((unsigned char)text[length] & 0xc0) == 0x80;)
			length--;
	if ((intern->text_count + 1) * 4 > intern->slot_count * 3)
		grow(intern);
	size_t at = hash(text, length) & (intern->slot_count - 1);

	while (intern->slots[at] != NULL) {
		if (strncmp(intern->slots[at], text, length) == 0 &&
		    intern->slots[at][length] == '\0')
			return intern->slots[at];
		at = (at + 1) & (intern->slot_count - 1);
	}
	intern->slots[at] = keep(intern, text, length);
	return intern->slots[at] != NULL ? intern->slots[at] : intern_full;
}

const char *intern_text(struct intern *intern, const char *text)
{
	return intern_bytes(intern, text, strlen(text));
}
