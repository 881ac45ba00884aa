/* SPDX-License-Identifier: MIT */
/* The order in which violations are shown. */
#include <stdlib.h>

#include "report/summary.h"

static uint32_t rule_number(const struct summary *summary, const char *rule)
{
	struct index_key key = {{INDEX_WORD(rule)}};

	return index_find(&summary->rules.index, &key);
}

static int compare(const void *left, const void *right, void *context)
{
	const struct summary *summary = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const struct summary_violation *first = table_at(&summary->violations, a);
	const struct summary_violation *second = table_at(&summary->violations, b);
	uint32_t rules[] = {rule_number(summary, first->rule), rule_number(summary, second->rule)};

	if (rules[0] != rules[1])
		return rules[0] < rules[1] ? -1 : 1;
	if (first->count != second->count)
		return first->count > second->count ? -1 : 1;
	return a < b ? -1 : a > b;
}

uint32_t summary_violations(const struct summary *summary, uint32_t **ret_order)
{
	uint32_t count = table_count(&summary->violations);
	uint32_t *order = count ? malloc(count * sizeof(*order)) : NULL;

	*ret_order = order;
	if (order == NULL)
		return 0;
	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	qsort_r(order, count, sizeof(*order), compare, (void *)(uintptr_t)summary);
	return count;
}

static int by_count(const void *left, const void *right, void *summary)
{
	const struct summary *whole = summary;
	const struct summary_failure *one = table_at(&whole->failures, *(const uint32_t *)left);
	const struct summary_failure *other = table_at(&whole->failures, *(const uint32_t *)right);

	if (one->count != other->count)
		return one->count < other->count ? 1 : -1;
	return *(const uint32_t *)left < *(const uint32_t *)right ? -1 : 1;
}

uint32_t summary_failures(const struct summary *summary, uint32_t **ret_order)
{
	uint32_t count = table_count(&summary->failures);
	uint32_t *order = malloc((count + 1) * sizeof(*order));

	*ret_order = order;
	if (order == NULL)
		return 0;
	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	qsort_r(order, count, sizeof(*order), by_count, (void *)(uintptr_t)summary);
	return count;
}
