/* SPDX-License-Identifier: MIT */
/* Where denied programs are installed: one look over the system's folders of programs. */
#include "compile/tool_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "check/glob.h"
#include "image.h"

#define LINKS_MAX 16 /* a file with more names than this is many programs in one */

static const char *const folders[] = {"/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin", "/sbin", "/bin"};
#define FOLDERS (sizeof(folders) / sizeof(folders[0]))

struct name {
	const char *text;
	uint32_t tool;
};

struct search {
	struct builder *builder;
	struct name *names, *globs; /* denied: literal ones, sorted, and patterns */
	size_t name_count, glob_count;
	struct image_tool_file *files;
	size_t file_count, room;
	struct stat seen[FOLDERS];
	size_t seen_count;
};

static void *checked(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

static int by_text(const void *left, const void *right)
{
	return strcmp(((const struct name *)left)->text, ((const struct name *)right)->text);
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

static void find_names(struct search *search)
{
	uint32_t count = builder_count(search->builder, IMAGE_SECTION_tools);
	const char *strings = search->builder->section[IMAGE_SECTION_strings].bytes;

	search->names = checked(calloc(count + 1, sizeof(*search->names)));
	search->globs = checked(calloc(count + 1, sizeof(*search->globs)));
	for (uint32_t i = 0; i < count; i++) {
		const struct image_tool *tool = builder_record(search->builder, IMAGE_SECTION_tools, i);
		struct name name = {strings + tool->name, i};

		if (!(tool->flags & IMAGE_TOOL_DENIED))
			continue;
		if (check_glob_is_pattern(name.text))
			search->globs[search->glob_count++] = name;
		else
			search->names[search->name_count++] = name;
	}
	qsort(search->names, search->name_count, sizeof(*search->names), by_text);
}

static const struct name *denied_name(const struct search *search, const char *text)
{
	const struct name wanted = {text, 0}, *found;

	found = bsearch(&wanted, search->names, search->name_count, sizeof(wanted), by_text);
	for (size_t i = 0; !found && i < search->glob_count; i++)
		if (check_glob(search->globs[i].text, text, strlen(text)))
			found = &search->globs[i];
	return found;
}

/* A symlink is left out: the file it leads to has a name of its own, and where that is denied it is found by it. */
static void add_file(struct search *search, int folder, const char *text, uint32_t tool)
{
	struct stat status;

	if (fstatat(folder, text, &status, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(status.st_mode) ||
	    !(status.st_mode & 0111) || status.st_nlink > LINKS_MAX)
		return;
	if (search->file_count == search->room) {
		search->room = search->room * 2 + 16;
		search->files = checked(reallocarray(search->files, search->room, sizeof(*search->files)));
	}
	search->files[search->file_count++] =
		(struct image_tool_file){.inode = status.st_ino, .device = status.st_dev, .tool = tool};
}

/* /bin is /usr/bin on most machines. */
static bool is_new(struct search *search, int folder)
{
	struct stat *status = &search->seen[search->seen_count];

	if (fstat(folder, status) < 0)
		return false;
	for (size_t i = 0; i < search->seen_count; i++)
		if (search->seen[i].st_ino == status->st_ino && search->seen[i].st_dev == status->st_dev)
			return false;
	search->seen_count++;
	return true;
}

static void search_folder(struct search *search, const char *path)
{
	DIR *folder = opendir(path);
	const struct name *name;
	struct dirent *entry;

	if (folder && is_new(search, dirfd(folder)))
		while ((entry = readdir(folder)))
			if ((name = denied_name(search, entry->d_name)))
				add_file(search, dirfd(folder), entry->d_name, name->tool);
	if (folder)
		closedir(folder);
}

void compile_tool_files(struct builder *builder)
{
	struct search search = {.builder = builder};

	find_names(&search);
	for (size_t i = 0; search.name_count + search.glob_count && i < FOLDERS; i++)
		search_folder(&search, folders[i]);
	if (search.file_count)
		qsort(search.files, search.file_count, sizeof(*search.files), by_inode);
	for (size_t i = 0; i < search.file_count; i++)
		if (!i || search.files[i].inode != search.files[i - 1].inode ||
		    search.files[i].device != search.files[i - 1].device)
			BUILDER_APPEND(builder, tool_files, &search.files[i]);
	free(search.names);
	free(search.globs);
	free(search.files);
}
