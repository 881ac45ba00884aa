/* SPDX-License-Identifier: MIT */
/* Patterns of a shell line, expanded by glob(3) as the shell will. */
#include "decide/matches.h"

#include <dirent.h>
#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NAMES_READ 50000
#define FOUND_MAX 4096

/* glob(3) hands its functions nothing but the folder. */
static _Thread_local unsigned names_read;

static void *open_folder(const char *path)
{
	return opendir(path);
}

static struct dirent *read_bounded(void *folder)
{
	return names_read++ < NAMES_READ ? readdir(folder) : NULL;
}

static void close_folder(void *folder)
{
	closedir(folder);
}

/* base, its own special characters escaped, in front of the pattern. NULL without memory. */
static char *beneath(const char *base, const char *pattern)
{
	char *path = malloc(2 * strlen(base) + strlen(pattern) + 2), *to = path;

	if (!path)
		return NULL;
	for (; *base; base++) {
		if (strchr("*?[]\\", *base))
			*to++ = '\\';
		*to++ = *base;
	}
	*to++ = '/';
	strcpy(to, pattern);
	return path;
}

static bool is_dots(const char *path)
{
	const char *name = strrchr(path, '/');

	name = name ? name + 1 : path;
	return !strcmp(name, ".") || !strcmp(name, "..");
}

static void keep(struct matches *ret, const glob_t *found, size_t prefix)
{
	ret->names = calloc(found->gl_pathc + 1, sizeof(*ret->names));
	for (size_t i = 0; ret->names && i < found->gl_pathc && ret->count < FOUND_MAX; i++) {
		char *name = is_dots(found->gl_pathv[i]) ? NULL : strdup(found->gl_pathv[i] + prefix);

		if (name)
			ret->names[ret->count++] = name;
	}
}

void matches_find(struct matches *ret, const char *pattern, const char *base)
{
	bool below = base && pattern[0] != '/';
	char *path = below ? beneath(base, pattern) : strdup(pattern);
	glob_t found = {
		.gl_opendir = open_folder,
		.gl_readdir = read_bounded,
		.gl_closedir = close_folder,
		.gl_stat = stat,
		.gl_lstat = lstat,
	};

	*ret = (struct matches){0};
	names_read = 0;
	if (path && !(below && !*base) && !glob(path, GLOB_NOSORT | GLOB_ALTDIRFUNC, NULL, &found)) {
		keep(ret, &found, below ? strlen(base) + 1 : 0);
		globfree(&found);
	}
	free(path);
}

void matches_free(struct matches *matches)
{
	for (size_t i = 0; i < matches->count; i++)
		free(matches->names[i]);
	free(matches->names);
}
