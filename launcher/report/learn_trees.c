/* SPDX-License-Identifier: MIT */
/*
 * How wide a tree may be that is learnt from files. A file's folder stands for it (the next run makes other names), four
 * folders side by side for their parent; but never: the root of the file system or a folder right below it, the home, a
 * folder above the home or above the session's root, or one with a known secret beneath.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "policy/setting.h"
#include "report/learn.h"

#define SIBLINGS 4 /* trees side by side that become one */

struct growing {
	struct learn *learn;
	const struct paths *paths;
	unsigned char *chosen;
	struct learn_tree *totals; /* by node */
};

/* Is `path` the folder itself or above it? */
static bool is_at_or_above(const char *path, const char *folder)
{
	size_t length = strlen(path);

	if (length == 1)
		return true;
	return strncmp(folder, path, length) == 0 && (folder[length] == '\0' || folder[length] == '/');
}

static bool is_below(const char *path, const char *folder)
{
	return strcmp(path, folder) != 0 && is_at_or_above(folder, path);
}

/* Would the tree take in a place where secrets are known to lie? */
static bool holds_secret(const struct learn *learn, const char *path)
{
	const struct setting *deny = setting_find(policy_settings(learn->secrets), "paths.deny");
	char place[INTERN_TEXT_MAX];

	SETTING_EACH(entry, deny)
	{
		if (entry->text == NULL)
			continue;
		if (entry->text[0] == '~' && learn->home != NULL)
			snprintf(place, sizeof(place), "%s%s", learn->home, entry->text + 1);
		else
			snprintf(place, sizeof(place), "%s", entry->text);
		if (place[0] == '/' && is_below(place, path))
			return true;
	}
	return false;
}

/* Devices and what the kernel tells are named one by one. */
static bool is_special(const char *path)
{
	return is_below(path, "/proc") || is_below(path, "/sys") || is_below(path, "/dev");
}

static bool is_too_wide(const struct learn *learn, const char *path)
{
	if (strcmp(path, learn->root) == 0)
		return false;
	if (is_at_or_above(path, learn->root) || (learn->home != NULL && is_at_or_above(path, learn->home)))
		return true;
	if (strchr(path + 1, '/') == NULL && strcmp(path, "/tmp") != 0)
		return true;
	return is_special(path) || holds_secret(learn, path);
}

static bool is_folder(const struct growing *growing, uint32_t node, const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 ? S_ISDIR(status.st_mode) : growing->paths->nodes[node].first != INDEX_NONE;
}

/*
 * A folder that was listed stands for itself. Of anything else the folder that holds it does, unless that is too wide: then
 * it stands alone, or, being too wide itself, becomes a question.
 */
static void choose(struct growing *growing, uint32_t node)
{
	bool write = growing->paths == &growing->learn->written;
	uint32_t parent = growing->paths->nodes[node].parent;
	char path[INTERN_TEXT_MAX], folder[INTERN_TEXT_MAX];
	bool is_dir, wide;

	paths_name(growing->paths, node, path, sizeof(path));
	paths_name(growing->paths, parent, folder, sizeof(folder));
	is_dir = is_folder(growing, node, path);
	wide = is_dir && is_too_wide(growing->learn, path) && !is_special(path);
	if (is_dir && !write && !wide)
		growing->chosen[node] = 1;
	else if (!is_too_wide(growing->learn, folder) && (!is_dir || write))
		growing->chosen[parent] = 1;
	else if (!wide)
		growing->chosen[node] = 1;
	else
		learn_ask(growing->learn, write ? "write" : "read", path, "");
}

/* From the leaves up: children have greater indexes than their parents. */
static void merge(struct growing *growing)
{
	const struct paths *paths = growing->paths;
	char path[INTERN_TEXT_MAX];

	for (uint32_t node = paths->count; node-- > 1;) {
		uint32_t count = 0;

		for (uint32_t at = paths->nodes[node].first; at != INDEX_NONE; at = paths->nodes[at].next)
			count += growing->chosen[at] && paths->nodes[at].first != INDEX_NONE;
		if (count < SIBLINGS || growing->chosen[node])
			continue;
		paths_name(paths, node, path, sizeof(path));
		growing->chosen[node] = !is_too_wide(growing->learn, path);
	}
}

static void sum_up(struct growing *growing)
{
	const struct paths *paths = growing->paths;

	for (uint32_t node = paths->count; node-- > 1;) {
		struct learn_tree *total = &growing->totals[node], *above = &growing->totals[paths->nodes[node].parent];

		total->files += paths->nodes[node].marks != 0;
		total->calls += paths->nodes[node].reads + paths->nodes[node].writes;
		above->files += total->files;
		above->calls += total->calls;
	}
}

static int by_path(const void *left, const void *right)
{
	return strcmp(((const struct learn_tree *)left)->path, ((const struct learn_tree *)right)->path);
}

static bool collect(struct growing *growing, struct learn_trees *trees)
{
	const struct paths *paths = growing->paths;
	char path[INTERN_TEXT_MAX];

	trees->items = calloc(LEARN_TREES_MAX, sizeof(*trees->items));
	if (trees->items == NULL)
		return false;
	for (uint32_t node = 1; node < paths->count && trees->count < LEARN_TREES_MAX; node++) {
		bool covered = growing->chosen[paths->nodes[node].parent] != 0;

		if (growing->chosen[node] && !covered) {
			paths_name(paths, node, path, sizeof(path));
			trees->items[trees->count] = growing->totals[node];
			trees->items[trees->count].path = strdup(path);
			if (trees->items[trees->count++].path == NULL)
				return false;
		}
		growing->chosen[node] |= covered;
	}
	qsort(trees->items, trees->count, sizeof(*trees->items), by_path);
	return true;
}

static bool grow(struct learn *learn, const struct paths *paths, struct learn_trees *trees)
{
	struct growing growing = {
		.learn = learn,
		.paths = paths,
		.chosen = calloc(paths->count, 1),
		.totals = calloc(paths->count, sizeof(*growing.totals)),
	};
	bool good = growing.chosen != NULL && growing.totals != NULL;

	if (paths->nodes[0].marks != 0)
		learn_ask(learn, paths == &learn->written ? "write" : "read", "/", "");
	for (uint32_t node = 1; good && node < paths->count; node++)
		if (paths->nodes[node].marks != 0)
			choose(&growing, node);
	if (good) {
		merge(&growing);
		sum_up(&growing);
		good = collect(&growing, trees);
	}
	free(growing.chosen);
	free(growing.totals);
	return good;
}

/* Writing implies reading. */
static void drop_covered(struct learn_trees *read, const struct learn_trees *written)
{
	size_t kept = 0;

	for (size_t i = 0; i < read->count; i++) {
		bool covered = false;

		for (size_t at = 0; at < written->count; at++)
			covered = covered || is_at_or_above(written->items[at].path, read->items[i].path);
		if (covered)
			free(read->items[i].path);
		else
			read->items[kept++] = read->items[i];
	}
	read->count = kept;
}

bool learn_trees(struct learn *learn, struct learn_trees *ret_read, struct learn_trees *ret_written)
{
	*ret_read = *ret_written = (struct learn_trees){0};
	if (!grow(learn, &learn->read, ret_read) || !grow(learn, &learn->written, ret_written))
		return false;
	drop_covered(ret_read, ret_written);
	return true;
}

void learn_trees_free(struct learn_trees *trees)
{
	for (size_t i = 0; i < trees->count; i++)
		free(trees->items[i].path);
	free(trees->items);
	*trees = (struct learn_trees){0};
}
