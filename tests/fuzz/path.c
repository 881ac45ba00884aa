/* SPDX-License-Identifier: MIT */
/* Any normalised path under each built-in profile: one answer, with a rule when it is no, and write implies read. */
#include "target.h"

#include "check/path.h"

static struct image *profile[3];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	size_t size;

	(void)argc;
	(void)argv;
	profile[0] = fuzz_profile("tool", &size);
	profile[1] = fuzz_profile("agent", &size);
	profile[2] = fuzz_profile("code", &size);
	return 0;
}

/* Makes of any bytes what check_path asks for: absolute, no empty, "." or ".." component. Returns the length. */
static size_t normalise(char *path, const uint8_t *data, size_t size)
{
	size_t length = 0, start = 0;

	for (size_t i = 0; i <= size; i++) {
		size_t span = i - start;

		if (i < size && data[i] != '/' && data[i] != '\0')
			continue;
		if (span > 0 && !(span == 1 && data[start] == '.') &&
		    !(span == 2 && data[start] == '.' && data[start + 1] == '.')) {
			path[length++] = '/';
			memcpy(path + length, data + start, span);
			length += span;
		}
		start = i + 1;
	}
	if (length == 0)
		path[length++] = '/';
	return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *scratch = malloc(size + 2), *path;
	size_t length;

	require(scratch != NULL);
	length = normalise(scratch, data, size);
	path = malloc(length); /* no byte more: check_path must not count on a NUL */
	require(path != NULL);
	memcpy(path, scratch, length);
	free(scratch);
	for (size_t i = 0; i < sizeof(profile) / sizeof(profile[0]); i++) {
		struct decision read = check_path(profile[i], OP_READ, path, length);
		struct decision write = check_path(profile[i], OP_WRITE, path, length);

		require(read.denied == (read.rule != RULE_NONE));
		require(write.denied == (write.rule != RULE_NONE));
		require(write.denied || !read.denied);
		require(!read.denied || read.rule == RULE_PATH_JAIL || read.rule == RULE_PATH_DENY);
	}
	free(path);
	return 0;
}
