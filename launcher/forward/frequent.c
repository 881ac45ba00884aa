/* SPDX-License-Identifier: MIT */
/* Counts words without keeping all of them. */
#include "forward/frequent.h"

#include <stdlib.h>
#include <string.h>

static struct frequent_entry *find(struct frequent *frequent, const char *word)
{
	for (size_t i = 0; i < frequent->used; i++)
		if (!strcmp(frequent->entries[i].word, word))
			return &frequent->entries[i];
	return NULL;
}

static struct frequent_entry *rarest(struct frequent *frequent)
{
	struct frequent_entry *found = &frequent->entries[0];

	for (size_t i = 1; i < frequent->used; i++)
		if (frequent->entries[i].count < found->count)
			found = &frequent->entries[i];
	return found;
}

void frequent_add(struct frequent *frequent, const char *word)
{
	struct frequent_entry *entry = find(frequent, word);
	char *copy;

	if (entry) {
		entry->count++;
		return;
	}
	copy = strdup(word);
	if (!copy)
		return;
	if (frequent->used < FREQUENT_MAX) {
		frequent->entries[frequent->used++] = (struct frequent_entry){copy, 1, 0};
		return;
	}
	/* The newcomer takes the place of the rarest and its count, which it may have had. */
	entry = rarest(frequent);
	free(entry->word);
	*entry = (struct frequent_entry){copy, entry->count + 1, entry->count};
}

static int by_count(const void *a, const void *b)
{
	const struct frequent_entry *first = a, *second = b;

	if (first->count != second->count)
		return first->count < second->count ? 1 : -1;
	return strcmp(first->word, second->word);
}

void frequent_sort(struct frequent *frequent)
{
	qsort(frequent->entries, frequent->used, sizeof(frequent->entries[0]), by_count);
}

void frequent_free(struct frequent *frequent)
{
	for (size_t i = 0; i < frequent->used; i++)
		free(frequent->entries[i].word);
	frequent->used = 0;
}
