/* SPDX-License-Identifier: MIT */
/* Records that are found by a key. */
#include "report/table.h"

#include <stdlib.h>
#include <string.h>

void table_open(struct table *table, size_t record_size, uint32_t limit)
{
	*table = (struct table){.size = record_size};
	index_open(&table->index, limit);
}

void table_close(struct table *table)
{
	index_close(&table->index);
	free(table->records);
	table->records = NULL;
}

static bool make_room(struct table *table)
{
	uint32_t room = table->room ? 2 * table->room : 16;
	void *records;

	if (table->index.count < table->room)
		return true;
	records = realloc(table->records, room * table->size);
	if (records == NULL)
		return false;
	table->records = records;
	table->room = room;
	return true;
}

void *table_get(struct table *table, const struct index_key *key, bool *ret_new)
{
	uint32_t number;

	*ret_new = false;
	if (!make_room(table))
		return NULL;
	number = index_add(&table->index, key, ret_new);
	if (number == INDEX_NONE)
		return NULL;
	if (*ret_new)
		memset(table_at(table, number), 0, table->size);
	return table_at(table, number);
}

void *table_at(const struct table *table, uint32_t i)
{
	return (char *)table->records + (size_t)i * table->size;
}

uint32_t table_count(const struct table *table)
{
	return table->index.count;
}
