/* SPDX-License-Identifier: MIT */
/* Where denied programs are installed. */
#include "compile/tool_file.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "check/glob.h"
#include "check/tools.h"

#define FOLDERS_MAX 64
#define LINKS_MAX 16 /* a file with more names than this is many programs in one */

static const char usual[] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

struct search {
	struct drafts *drafts;
	uint32_t *denied; /* tools */
	size_t denied_count;
	struct image_tool_file *files;
	size_t count, room;
	char folder[PATH_MAX];
	struct stat folders[FOLDERS_MAX];
	size_t folder_count;
};

static void add_file(struct search *search, uint32_t tool, const char *name)
{
	char path[PATH_MAX], *real;
	struct stat status;
	const char *slash;

	if (snprintf(path, sizeof(path), "%s/%s", search->folder, name) >= (int)sizeof(path))
		return;
	if (stat(path, &status) < 0 || !S_ISREG(status.st_mode) || !(status.st_mode & 0111) ||
	    status.st_nlink > LINKS_MAX)
		return;
	real = realpath(path, NULL);
	slash = real ? strrchr(real, '/') : NULL;
	if (slash && check_glob(drafts_name(search->drafts, tool), slash + 1, strlen(slash + 1))) {
		if (search->count == search->room) {
			search->room = search->room * 2 + 16;
			search->files = reallocarray(search->files, search->room, sizeof(*search->files));
			if (!search->files)
				abort();
		}
		search->files[search->count++] = (struct image_tool_file){
			.inode = status.st_ino, .device = status.st_dev, .tool = tool};
	}
	free(real);
}

static const char *denied_name(const struct search *search, size_t index)
{
	return drafts_name(search->drafts, search->denied[index]);
}

static bool is_glob(const struct search *search, size_t index)
{
	return check_glob_is_pattern(denied_name(search, index));
}

/* Globs ask for the whole folder. */
static void search_globs(struct search *search)
{
	DIR *folder = opendir(search->folder);
	struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		for (size_t i = 0; i < search->denied_count; i++)
			if (is_glob(search, i) && check_glob(denied_name(search, i), entry->d_name, strlen(entry->d_name)))
				add_file(search, search->denied[i], entry->d_name);
	if (folder)
		closedir(folder);
}

/* /bin is /usr/bin on most machines, and PATH repeats itself. */
static bool is_searched(struct search *search)
{
	struct stat status;

	if (stat(search->folder, &status) < 0)
		return true;
	for (size_t i = 0; i < search->folder_count; i++)
		if (search->folders[i].st_ino == status.st_ino && search->folders[i].st_dev == status.st_dev)
			return true;
	if (search->folder_count < FOLDERS_MAX)
		search->folders[search->folder_count++] = status;
	return false;
}

static void search_folder(struct search *search, const char *folder, size_t length)
{
	bool globs = false;

	if (!length || *folder != '/' || length >= sizeof(search->folder))
		return;
	memcpy(search->folder, folder, length);
	search->folder[length] = '\0';
	if (is_searched(search))
		return;
	for (size_t i = 0; i < search->denied_count; i++) {
		globs |= is_glob(search, i);
		if (!is_glob(search, i))
			add_file(search, search->denied[i], denied_name(search, i));
	}
	if (globs)
		search_globs(search);
}

static void search_path(struct search *search, const char *path)
{
	while (path && *path) {
		size_t length = strcspn(path, ":");

		search_folder(search, path, length);
		path += length;
		path += *path == ':';
	}
}

static int by_inode(const void *left, const void *right)
{
	const struct image_tool_file *a = left, *b = right;

	if (a->inode != b->inode)
		return a->inode < b->inode ? -1 : 1;
	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return a->tool < b->tool ? -1 : a->tool > b->tool;
}

void compile_tool_files(struct drafts *drafts, const char *path)
{
	struct search search = {.drafts = drafts};

	search.denied = calloc(drafts->tools.count + 1, sizeof(*search.denied));
	if (!search.denied)
		abort();
	for (uint32_t i = 0; i < drafts->tools.count; i++)
		if (drafts_at(drafts, i)->record.flags & IMAGE_TOOL_DENIED)
			search.denied[search.denied_count++] = i;
	search_path(&search, path);
	search_path(&search, usual);
	if (search.count)
		qsort(search.files, search.count, sizeof(*search.files), by_inode);
	for (size_t i = 0; i < search.count; i++)
		if (!i || search.files[i].inode != search.files[i - 1].inode ||
		    search.files[i].device != search.files[i - 1].device)
			BUILDER_APPEND(drafts->builder, tool_files, &search.files[i]);
	free(search.denied);
	free(search.files);
}
