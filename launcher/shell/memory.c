/* SPDX-License-Identifier: MIT */
/* Memory of the shell-line reader: blocks that live as long as the line, and stacks for what is being built. */
#include "shell/reader.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE 8192

struct block {
	struct block *next;
	size_t used, room;
	alignas(max_align_t) char bytes[];
};

static struct block *block_add(struct reading *reading, size_t size)
{
	size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
	struct block *block = malloc(sizeof(*block) + room);

	if (!block) {
		reading_fail(reading, 0, "out of memory");
		return NULL;
	}
	block->used = 0;
	block->room = room;
	block->next = reading->blocks;
	reading->blocks = block;
	return block;
}

void *memory_take(struct reading *reading, size_t size)
{
	struct block *block = reading->blocks;
	void *memory;

	size = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	if (!block || block->room - block->used < size)
		block = block_add(reading, size);
	if (!block)
		return NULL;
	memory = block->bytes + block->used;
	block->used += size;
	return memory;
}

char *memory_text(struct reading *reading, const char *text, size_t length)
{
	char *copy = memory_take(reading, length + 1);

	if (!copy)
		return NULL;
	if (length > 0)
		memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

void memory_free(struct reading *reading)
{
	while (reading->blocks) {
		struct block *next = reading->blocks->next;

		free(reading->blocks);
		reading->blocks = next;
	}
	free(reading->commands.items);
	free(reading->bytes.items);
	free(reading->marks.items);
	free(reading->words.items);
	free(reading->assignments.items);
	free(reading->redirects.items);
	free(reading->pending.items);
	free(reading->aliases.items);
	free(reading->functions.items);
	free(reading->scopes.items);
}

void *stack_push(struct reading *reading, struct stack *stack, size_t size)
{
	if (stack->length == stack->room) {
		size_t room = stack->room ? 2 * stack->room : 64;
		char *items = realloc(stack->items, room * size);

		if (!items) {
			reading_fail(reading, 0, "out of memory");
			return NULL;
		}
		stack->items = items;
		stack->room = room;
	}
	return stack->items + size * stack->length++;
}

/* Copies the items from mark on to where they stay, and cuts the stack back. */
void *stack_keep(struct reading *reading, struct stack *stack, size_t mark, size_t size)
{
	size_t count = stack->length - mark;
	void *kept = count ? memory_take(reading, count * size) : NULL;

	if (kept)
		memcpy(kept, stack->items + mark * size, count * size);
	stack->length = mark;
	return kept;
}
