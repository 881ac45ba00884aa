/* SPDX-License-Identifier: MIT */
/* What one session did that another did not. */
#include "report/diff.h"

#include <stdlib.h>
#include <string.h>

#define FOLDS_MAX 40

typedef bool same_test(const void *left, const void *right);

static bool same_program(const void *left, const void *right)
{
	const struct summary_program *a = left, *b = right;

	return strcmp(a->path, b->path) == 0 && (a->runs != 0 || b->runs == 0);
}

static bool same_place(const void *left, const void *right)
{
	const struct summary_place *a = left, *b = right;

	if (a->op != b->op || a->port != b->port || strcmp(a->host, b->host) != 0)
		return false;
	return a->host[0] != '\0' || strcmp(a->addr, b->addr) == 0;
}

static bool same_violation(const void *left, const void *right)
{
	const struct summary_violation *a = left, *b = right;

	return a->op == b->op && strcmp(a->rule, b->rule) == 0 &&
	       strcmp(a->subject, b->subject) == 0;
}

static bool same_gap(const void *left, const void *right)
{
	const struct summary_gap *a = left, *b = right;

	return strcmp(a->rule, b->rule) == 0 && strcmp(a->subject, b->subject) == 0;
}

static bool holds(const struct table *table, const void *record, same_test *same)
{
	for (uint32_t i = 0; i < table_count(table); i++)
		if (same(table_at(table, i), record))
			return true;
	return false;
}

static bool compare(struct diff_list *list, const struct table *before, const struct table *after,
		    same_test *same)
{
	uint32_t count = table_count(after);

	list->items = malloc((count + 1) * sizeof(*list->items));
	if (list->items == NULL)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (!holds(before, table_at(after, i), same))
			list->items[list->count++] = i;
	return true;
}

/* Was any file of this folder read before? */
static bool folder_was_read(const struct paths *paths, uint32_t folder)
{
	if (paths->nodes[folder].marks & PATH_READ)
		return true;
	for (uint32_t at = paths->nodes[folder].first; at != INDEX_NONE; at = paths->nodes[at].next)
		if (paths->nodes[at].marks & PATH_READ)
			return true;
	return false;
}

static void mark_paths(const struct paths *before, struct paths *after)
{
	char name[INTERN_TEXT_MAX];

	for (uint32_t node = 0; node < after->count; node++) {
		struct path_node *at = &after->nodes[node];
		uint32_t old;

		if (!(at->marks & (PATH_READ | PATH_CHANGES)))
			continue;
		paths_name(after, node, name, sizeof(name));
		old = paths_find(before, name);
		if ((at->marks & PATH_CHANGES) &&
		    (old == INDEX_NONE || !(before->nodes[old].marks & PATH_CHANGES)))
			at->marks |= PATH_NEW_CHANGE;
		if (!(at->marks & PATH_READ))
			continue;
		if (old != INDEX_NONE && (before->nodes[old].marks & PATH_READ))
			continue;
		paths_name(after, at->parent, name, sizeof(name));
		old = paths_find(before, name);
		if (old == INDEX_NONE || !folder_was_read(before, old))
			at->marks |= PATH_NEW_READ;
	}
}

bool diff_open(struct diff *diff, const struct summary *before, struct summary *after)
{
	*diff = (struct diff){.after = after};
	mark_paths(&before->paths, &after->paths);
	diff->changed_count =
		paths_list(&after->paths, PATH_NEW_CHANGE, SIZE_MAX, &diff->changed);
	diff->read_count = paths_fold(&after->paths, PATH_NEW_READ, FOLDS_MAX, &diff->read);
	return compare(&diff->programs, &before->programs, &after->programs, same_program) &&
	       compare(&diff->places, &before->places, &after->places, same_place) &&
	       compare(&diff->violations, &before->violations, &after->violations,
		       same_violation) &&
	       compare(&diff->gaps, &before->gaps, &after->gaps, same_gap);
}

void diff_close(struct diff *diff)
{
	free(diff->programs.items);
	free(diff->places.items);
	free(diff->violations.items);
	free(diff->gaps.items);
	free(diff->changed);
	free(diff->read);
	*diff = (struct diff){0};
}

bool diff_is_empty(const struct diff *diff)
{
	return diff->programs.count + diff->places.count + diff->violations.count +
		       diff->gaps.count + diff->changed_count + diff->read_count ==
	       0;
}
