/* SPDX-License-Identifier: MIT */
/* What was learnt, as entries of a policy. */
#include <stdlib.h>
#include <string.h>

#include "check/path.h"
#include "report/learn.h"

enum {
	READ,
	WRITE,
	NETWORK,
	CALLERS
};

void learn_spelling(const struct learn *learn, const char *path, char *spelling, size_t size)
{
	size_t root = strlen(learn->root), home = learn->home ? strlen(learn->home) : 0, length = 0;
	const char *rest = path;

	if (strncmp(path, learn->root, root) == 0 && (path[root] == '/' || path[root] == '\0')) {
		spelling[length++] = '.';
		rest = path + root;
	} else if (home > 1 && strncmp(path, learn->home, home) == 0 && path[home] == '/') {
		spelling[length++] = '~';
		rest = path + home;
	}
	if (strncmp(rest, "/proc/*/", 8) == 0) { /* this star is ours */
		memcpy(spelling, rest, 7);
		length = 7;
		rest += 7;
	}
	for (; *rest != '\0' && length + 3 < size; rest++) {
		if (strchr("*?[]\\", *rest) != NULL || (*rest == '{' && rest > path && rest[-1] == '$'))
			spelling[length++] = '\\';
		spelling[length++] = *rest;
	}
	spelling[length] = '\0';
}

static const char *keep(struct learn *learn, const char *text)
{
	return intern_text(learn->names, text);
}

static bool add(struct learn *learn, struct learn_list *list, const char *text, const char *comment)
{
	struct learn_entry *entries = realloc(list->entries, (list->count + 1) * sizeof(*entries));

	if (entries == NULL)
		return false;
	list->entries = entries;
	entries[list->count++] = (struct learn_entry){keep(learn, text), keep(learn, comment)};
	return true;
}

static bool add_trees(struct learn *learn, struct learn_list *list, const struct learn_trees *trees)
{
	char spelling[INTERN_TEXT_MAX], comment[96];

	for (size_t i = 0; i < trees->count; i++) {
		const struct learn_tree *tree = &trees->items[i];

		if (strstr(tree->path, "\xef\xbf\xbd") != NULL) {
			learn_ask(learn, list->name, tree->path, ""); /* its bytes are not in the report */
			continue;
		}
		learn_spelling(learn, tree->path, spelling, sizeof(spelling));
		snprintf(comment, sizeof(comment), "%llu %s, %llu %s", (unsigned long long)tree->files,
			 tree->files == 1 ? "path" : "paths", (unsigned long long)tree->calls,
			 tree->calls == 1 ? "call" : "calls");
		if (!add(learn, list, spelling, comment))
			return false;
	}
	return true;
}

static bool add_place(struct learn *learn, struct learn_additions *additions, const struct learn_place *place)
{
	char text[INTERN_TEXT_MAX], comment[64];
	const char *name = place->host[0] ? place->host : place->addr;
	bool brackets = place->host[0] == '\0' && strchr(name, ':') != NULL;

	snprintf(text, sizeof(text), "%s%s%s", brackets ? "[" : "", name, brackets ? "]" : "");
	if (place->port != 0)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), ":%lld", (long long)place->port);
	snprintf(comment, sizeof(comment), "%llu %s", (unsigned long long)place->count,
		 place->count == 1 ? "time" : "times");
	return add(learn, &additions->lists[NETWORK], text, comment);
}

static bool add_scalar(struct learn *learn, struct learn_additions *additions, const char *group, const char *name,
		       const char *value, const char *comment)
{
	struct learn_list *scalar = &additions->scalars[additions->scalar_count++];

	scalar->group = group;
	scalar->name = name;
	return add(learn, scalar, value, comment);
}

static bool add_network(struct learn *learn, struct learn_additions *additions)
{
	bool bind = false, good = true;

	for (uint32_t i = 0; i < table_count(&learn->places); i++) {
		const struct learn_place *place = table_at(&learn->places, i);

		if (place->op == OP_BIND)
			bind = true;
		else
			good = add_place(learn, additions, place) && good;
	}
	if (bind)
		good = add_scalar(learn, additions, "network", "bind", "allow",
				  "something listened on an address that is not of this machine alone") &&
		       good;
	if (learn->resolve)
		good = add_scalar(learn, additions, "network", "resolve", "allow", "names were looked up") && good;
	return good;
}

static bool add_callers(struct learn *learn, struct learn_additions *additions)
{
	bool good = true;

	for (uint32_t i = 0; i < table_count(&learn->callers); i++)
		good = add(learn, &additions->lists[CALLERS], *(const char **)table_at(&learn->callers, i),
			   "it ran inline code") &&
		       good;
	if (learn->inline_at_launch)
		good = add_scalar(learn, additions, "argv", "inline", "allow",
				  "the command itself was inline code") &&
		       good;
	return good;
}

/* What the dynamic linker and libc read by themselves is in no report, and no program goes without. */
static bool add_libraries(struct learn *learn, struct learn_list *list)
{
	static const char *const trees[] = {
		"/lib",
		"/lib64",
		"/usr/lib",
		"/usr/lib64",
		"/usr/local/lib",
		"/usr/share/locale",
		"/usr/share/zoneinfo",
		"/etc/ld.so.cache",
		"/etc/locale.alias",
		"/etc/localtime",
	};
	bool good = true;

	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]) && table_count(&learn->programs) != 0; i++)
		if (check_path(learn->base, OP_READ, trees[i], strlen(trees[i])).denied)
			good = add(learn, list, trees[i], "the system's own, for every program") && good;
	return good;
}

static bool add_folder(struct learn *learn, struct learn_additions *additions)
{
	static const char words[] = "the session's own temporary folder was used";

	return add(learn, &additions->lists[WRITE], "${TMPDIR}", words) &&
	       (learn->private_tmp || add_scalar(learn, additions, "paths", "tmp", "private", words));
}

bool learn_add_up(struct learn *learn, struct learn_additions *ret_additions)
{
	struct learn_trees read, written;
	bool good;

	*ret_additions = (struct learn_additions){.lists = {
							  [READ] = {"paths", "read", NULL, 0},
							  [WRITE] = {"paths", "write", NULL, 0},
							  [NETWORK] = {"network", "allow", NULL, 0},
							  [CALLERS] = {"argv", "trusted_callers", NULL, 0},
						  }};
	good = learn_trees(learn, &read, &written);
	if (good && learn->own_folder)
		good = add_folder(learn, ret_additions);
	good = good && add_libraries(learn, &ret_additions->lists[READ]) &&
	       add_trees(learn, &ret_additions->lists[READ], &read) &&
	       add_trees(learn, &ret_additions->lists[WRITE], &written) && add_network(learn, ret_additions) &&
	       add_callers(learn, ret_additions);
	learn_trees_free(&read);
	learn_trees_free(&written);
	return good;
}

void learn_additions_free(struct learn_additions *additions)
{
	for (size_t i = 0; i < LEARN_LISTS; i++)
		free(additions->lists[i].entries);
	for (size_t i = 0; i < LEARN_SCALARS; i++)
		free(additions->scalars[i].entries);
	*additions = (struct learn_additions){0};
}
