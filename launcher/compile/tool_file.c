/* SPDX-License-Identifier: MIT */
/* Where denied programs are installed: asked for in the system's folders of programs. */
#include "compile/tool_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/build.h"
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
	struct name *names, *globs; /* denied: literal ones and patterns */
	size_t name_count, glob_count;
	struct image_tool_file *files;
	size_t file_count, room;
	struct image_tool_build *builds;
	size_t build_count;
	struct stat seen[FOLDERS];
	int folder[FOLDERS]; /* descriptors of those that are there, each once */
	size_t folder_count;
};

static void *checked(void *memory)
{
	if (!memory)
		abort();
	return memory;
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

static int by_build(const void *left, const void *right)
{
	const struct image_tool_build *a = left, *b = right;
	int order = memcmp(a->id, b->id, sizeof(a->id));

	return order ? order : a->tool < b->tool ? -1
						 : a->tool > b->tool;
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
}

/* One build for each file, so the room is the same. */
static void add_build(struct search *search, int folder, const char *text, uint32_t tool)
{
	struct image_tool_build *build = &search->builds[search->build_count];
	char head[BUILD_HEAD];
	int fd = openat(folder, text, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	ssize_t size = fd >= 0 ? pread(fd, head, sizeof(head), 0) : -1;

	if (fd >= 0)
		close(fd);
	if (size <= 0 || !check_build_id(head, (size_t)size, build->id))
		return;
	build->tool = tool;
	search->build_count++;
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
		search->builds = checked(reallocarray(search->builds, search->room, sizeof(*search->builds)));
	}
	add_build(search, folder, text, tool);
	search->files[search->file_count++] =
		(struct image_tool_file){.inode = status.st_ino, .device = status.st_dev, .tool = tool};
}

/* /bin is /usr/bin on most machines. */
static void open_folder(struct search *search, const char *path)
{
	struct stat *status = &search->seen[search->folder_count];
	int folder;

	if (stat(path, status) < 0)
		return;
	for (size_t i = 0; i < search->folder_count; i++)
		if (search->seen[i].st_ino == status->st_ino && search->seen[i].st_dev == status->st_dev)
			return;
	folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder >= 0)
		search->folder[search->folder_count++] = folder;
}

/* Asking for each name takes less than reading a folder of thousands. */
static void ask_for_names(struct search *search, int folder)
{
	for (size_t i = 0; i < search->name_count; i++)
		add_file(search, folder, search->names[i].text, search->names[i].tool);
}

static int by_text(const void *left, const void *right)
{
	return strcmp(((const struct name *)left)->text, ((const struct name *)right)->text);
}

static void add_named(struct search *search, int folder, const char *text)
{
	const struct name wanted = {text, 0}, *end = search->names + search->name_count;
	const struct name *at = bsearch(&wanted, search->names, search->name_count, sizeof(wanted), by_text);

	while (at && at > search->names && !strcmp(at[-1].text, text))
		at--;
	for (; at && at < end && !strcmp(at->text, text); at++)
		add_file(search, folder, text, at->tool);
}

/* Does the program stand here that the pattern's programs are called after: mkfs for "mkfs.*"? */
static bool holds_stem(int folder, const char *pattern)
{
	size_t length = strcspn(pattern, "*?[\\");
	char stem[NAME_MAX + 1];

	while (length && strchr(".-_", pattern[length - 1]))
		length--;
	if (!length || length >= sizeof(stem))
		return false;
	memcpy(stem, pattern, length);
	stem[length] = '\0';
	return !faccessat(folder, stem, F_OK, AT_SYMLINK_NOFOLLOW);
}

/* A family of programs stands where the one that it is called after stands; else it may be anywhere. */
static unsigned folders_of(const struct search *search, const char *pattern)
{
	unsigned found = 0;

	for (size_t i = 0; i < search->folder_count; i++)
		if (holds_stem(search->folder[i], pattern))
			found |= 1u << i;
	return found ? found : (1u << search->folder_count) - 1;
}

static void read_folder(struct search *search, size_t at, const unsigned *wanted)
{
	DIR *folder = fdopendir(search->folder[at]);
	struct dirent *entry;

	if (!folder) {
		close(search->folder[at]);
		return;
	}
	while ((entry = readdir(folder))) {
		add_named(search, dirfd(folder), entry->d_name);
		for (size_t g = 0; g < search->glob_count; g++)
			if (wanted[g] >> at & 1 &&
			    check_glob(search->globs[g].text, entry->d_name, strlen(entry->d_name)))
				add_file(search, dirfd(folder), entry->d_name, search->globs[g].tool);
	}
	closedir(folder);
}

/* A folder whose own size is no more than this is read: most of the names are not in it. */
#define SMALL_FOLDER 4096

static void search_folders(struct search *search)
{
	unsigned *wanted = checked(calloc(search->glob_count + 1, sizeof(*wanted))), all = 0;

	for (size_t i = 0; i < FOLDERS; i++)
		open_folder(search, folders[i]);
	for (size_t g = 0; g < search->glob_count; g++)
		all |= wanted[g] = folders_of(search, search->globs[g].text);
	qsort(search->names, search->name_count, sizeof(*search->names), by_text);
	for (size_t i = 0; i < search->folder_count; i++) {
		if (all >> i & 1 || search->seen[i].st_size <= SMALL_FOLDER) {
			read_folder(search, i, wanted);
		} else {
			ask_for_names(search, search->folder[i]);
			close(search->folder[i]);
		}
	}
	free(wanted);
}

void compile_tool_files(struct builder *builder)
{
	struct search search = {.builder = builder};

	find_names(&search);
	if (search.name_count + search.glob_count)
		search_folders(&search);
	if (search.file_count)
		qsort(search.files, search.file_count, sizeof(*search.files), by_inode);
	for (size_t i = 0; i < search.file_count; i++)
		if (!i || search.files[i].inode != search.files[i - 1].inode ||
		    search.files[i].device != search.files[i - 1].device)
			BUILDER_APPEND(builder, tool_files, &search.files[i]);
	if (search.build_count)
		qsort(search.builds, search.build_count, sizeof(*search.builds), by_build);
	for (size_t i = 0; i < search.build_count; i++)
		if (!i || memcmp(search.builds[i].id, search.builds[i - 1].id, IMAGE_BUILD_SIZE))
			BUILDER_APPEND(builder, tool_builds, &search.builds[i]);
	free(search.builds);
	free(search.names);
	free(search.globs);
	free(search.files);
}
