/* SPDX-License-Identifier: MIT */
/* Folds a tree of paths into the few folders that say where they are. */
#include "report/paths.h"

#include <stdlib.h>
#include <string.h>

#define BRANCHES_MAX 12 /* a folder with more entries says more as a whole */

/* How many marked paths, and calls on them, each node has at and beneath it. */
struct total {
	uint64_t files, calls;
};

struct folding {
	const struct paths *paths;
	uint32_t marks;
	struct total *totals;
	struct path_fold *folds;
	size_t count, room;
};

static bool is_marked(const struct folding *folding, uint32_t node)
{
	return (folding->paths->nodes[node].marks & folding->marks) != 0;
}

static uint64_t own_calls(const struct folding *folding, uint32_t node)
{
	const struct path_node *at = &folding->paths->nodes[node];

	uint32_t changes = PATH_CHANGES | PATH_LASTING | PATH_TEMPORARY;

	return (folding->marks & (PATH_READ | PATH_RUN) ? at->reads : 0) +
	       (folding->marks & changes ? at->writes : 0) + (folding->marks & PATH_MISSING ? at->misses : 0);
}

/* A child's index is greater than its parent's, so one pass from the end sums everything up. */
static struct total *sum_up(const struct folding *folding)
{
	const struct paths *paths = folding->paths;
	struct total *totals = calloc(paths->count, sizeof(*totals));

	for (uint32_t node = paths->count; totals != NULL && node-- > 0;) {
		if (is_marked(folding, node)) {
			totals[node].files++;
			totals[node].calls += own_calls(folding, node);
		}
		if (node == 0)
			break;
		totals[paths->nodes[node].parent].files += totals[node].files;
		totals[paths->nodes[node].parent].calls += totals[node].calls;
	}
	return totals;
}

static bool add(struct folding *folding, uint32_t node, uint64_t files, uint64_t calls)
{
	if (folding->count == folding->room) {
		size_t room = folding->room ? 2 * folding->room : 64;
		struct path_fold *folds = realloc(folding->folds, room * sizeof(*folds));

		if (folds == NULL)
			return false;
		folding->folds = folds;
		folding->room = room;
	}
	folding->folds[folding->count++] = (struct path_fold){node, files, calls};
	return true;
}

/* How many entries would stand for this one if it were opened. */
static size_t branches(const struct folding *folding, uint32_t node)
{
	size_t count = is_marked(folding, node);

	for (uint32_t at = folding->paths->nodes[node].first; at != INDEX_NONE;
	     at = folding->paths->nodes[at].next)
		count += folding->totals[at].files != 0;
	return count;
}

/* Replaces entry `which` by its children, and by itself as a single path when it was used as one. */
static bool unfold(struct folding *folding, size_t which)
{
	uint32_t node = folding->folds[which].node;

	folding->folds[which] = folding->folds[--folding->count];
	for (uint32_t at = folding->paths->nodes[node].first; at != INDEX_NONE;
	     at = folding->paths->nodes[at].next)
		if (folding->totals[at].files != 0 &&
		    !add(folding, at, folding->totals[at].files, folding->totals[at].calls))
			return false;
	return !is_marked(folding, node) || add(folding, node, 1, own_calls(folding, node));
}

/* The entry with the most files that can be opened within the limit; count when there is none. */
static size_t choose(const struct folding *folding, size_t limit)
{
	size_t best = folding->count;

	for (size_t i = 0; i < folding->count; i++) {
		const struct path_fold *fold = &folding->folds[i];
		size_t more = branches(folding, fold->node);
		bool whole = fold->files == folding->totals[fold->node].files;
		bool single = more == 1 && !is_marked(folding, fold->node);

		if (!whole || folding->paths->nodes[fold->node].children == 0 ||
		    (more == 1 && !single))
			continue;
		if (single || fold->node == 0)
			return i;
		if (more <= BRANCHES_MAX && folding->count - 1 + more <= limit &&
		    (best == folding->count || fold->files > folding->folds[best].files))
			best = i;
	}
	return best;
}

static int by_path(const void *left, const void *right, void *paths)
{
	char names[2][INTERN_TEXT_MAX];

	paths_name(paths, ((const struct path_fold *)left)->node, names[0], sizeof(names[0]));
	paths_name(paths, ((const struct path_fold *)right)->node, names[1], sizeof(names[1]));
	return strcmp(names[0], names[1]);
}

static size_t finish(struct folding *folding, struct path_fold **ret_folds)
{
	if (folding->count != 0)
		qsort_r(folding->folds, folding->count, sizeof(*folding->folds), by_path,
			(void *)(uintptr_t)folding->paths);
	free(folding->totals);
	*ret_folds = folding->folds;
	return folding->count;
}

size_t paths_fold(const struct paths *paths, uint32_t marks, size_t limit,
		  struct path_fold **ret_folds)
{
	struct folding folding = {.paths = paths, .marks = marks};
	size_t which;

	folding.totals = sum_up(&folding);
	if (folding.totals != NULL && folding.totals[0].files != 0 &&
	    add(&folding, 0, folding.totals[0].files, folding.totals[0].calls)) {
		while ((which = choose(&folding, limit)) != folding.count)
			if (!unfold(&folding, which))
				break;
	}
	return finish(&folding, ret_folds);
}

size_t paths_list(const struct paths *paths, uint32_t marks, size_t limit,
		  struct path_fold **ret_folds)
{
	struct folding folding = {.paths = paths, .marks = marks};

	for (uint32_t node = 0; node < paths->count && folding.count < limit; node++)
		if (is_marked(&folding, node) && !add(&folding, node, 1, own_calls(&folding, node)))
			break;
	return finish(&folding, ret_folds);
}
