/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_TABLE_H
#define BRIDLE_TABLE_H

#include <stddef.h>

#include "report/index.h"

/* Records of one size, each found by its key, in the order in which they came. At most `limit` of them. */
struct table {
	struct index index;
	void *records;
	uint32_t room;
	size_t size;
};

void table_open(struct table *table, size_t record_size, uint32_t limit);
void table_close(struct table *table);

/*
 * The record of the key, a zeroed one (*ret_new) when it was not there. NULL when the table is full or memory is short.
 * Pointers last until the next table_get.
 */
void *table_get(struct table *table, const struct index_key *key, bool *ret_new);

/* Record number i, i < table_count. */
void *table_at(const struct table *table, uint32_t i);
uint32_t table_count(const struct table *table);

#endif
