/* SPDX-License-Identifier: MIT */
/* The program's environment and its PATH, read where they stand. */
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "wrap/wrap.h"

#include "forbid.h"

#define DEFAULT_PATH "/bin:/usr/bin"

char **wrap_environ(void)
{
	return environ;
}

const char *wrap_variable(const char *name)
{
	size_t length = strlen(name);

	for (char **entry = environ; entry && *entry; entry++)
		if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=')
			return *entry + length + 1;
	return NULL;
}

void wrap_search_start(struct wrap_search *search, const char *file)
{
	const char *path = wrap_variable("PATH");

	search->file = file;
	search->next = path ? path : DEFAULT_PATH;
}

size_t wrap_search_size(const struct wrap_search *search)
{
	size_t longest = 0, length = 0;

	for (const char *at = search->next; *at; at++) {
		length = *at == ':' ? 0 : length + 1;
		longest = length > longest && length < PATH_MAX ? length : longest;
	}
	return longest + strlen(search->file) + 2;
}

bool wrap_search_next(struct wrap_search *search, char *candidate, size_t size)
{
	size_t file = strlen(search->file);

	while (search->next) {
		const char *folder = search->next, *end = strchr(folder, ':');
		size_t length = end ? (size_t)(end - folder) : strlen(folder);

		search->next = end ? end + 1 : NULL;
		if (length + file + 2 > size)
			continue;
		memcpy(candidate, folder, length);
		if (length)
			candidate[length++] = '/'; /* an empty folder is the working directory: the name as it is */
		memcpy(candidate + length, search->file, file + 1);
		return true;
	}
	return false;
}
