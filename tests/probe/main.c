/* SPDX-License-Identifier: MIT */
/* Finds the verb, calls it, compares. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "probe.h"

static const struct verb *const tables[] = {exec_verbs, open_verbs, file_verbs, meta_verbs,
					    dir_verbs, ipc_verbs, net_verbs, read_verbs, host_verbs, number_verbs, other_verbs};

struct outcome from_int(long result)
{
	return (struct outcome){.failed = result < 0, .error = result < 0 ? errno : 0};
}

struct outcome from_pointer(const void *result)
{
	return (struct outcome){.failed = !result, .error = result ? 0 : errno};
}

struct outcome from_error(int error)
{
	return (struct outcome){.failed = error != 0, .error = error < 0 ? errno : error};
}

struct outcome from_name(const char *found, const char *wanted)
{
	struct outcome outcome = from_pointer(found);

	if (found && wanted && strcmp(found, wanted) != 0)
		outcome = (struct outcome){.failed = true, .error = ENOENT};
	return outcome;
}

static int missing(void)
{
	errno = ENOSYS;
	return -1;
}

void *find(const char *name)
{
	void *found = dlsym(RTLD_DEFAULT, name);

	return found ? found : (void *)missing;
}

int open_flags(const char *words)
{
	static const struct {
		const char *word;
		int flag;
	} known[] = {
		{"O_RDONLY", O_RDONLY},
		{"O_WRONLY", O_WRONLY},
		{"O_RDWR", O_RDWR},
		{"O_CREAT", O_CREAT},
		{"O_EXCL", O_EXCL},
		{"O_TRUNC", O_TRUNC},
		{"O_PATH", O_PATH},
		{"O_DIRECTORY", O_DIRECTORY},
		{"O_NOFOLLOW", O_NOFOLLOW},
		{"O_APPEND", O_APPEND},
		{"O_TMPFILE", O_TMPFILE},
		{"O_CLOEXEC", O_CLOEXEC},
	};
	char copy[256];
	int flags = 0;

	snprintf(copy, sizeof(copy), "%s", words);
	for (char *word = strtok(copy, "|"); word; word = strtok(NULL, "|"))
		for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
			if (strcmp(known[i].word, word) == 0)
				flags |= known[i].flag;
	return flags;
}

int folder(const char *path)
{
	return strcmp(path, "-") == 0 ? AT_FDCWD : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		for (const struct verb *verb = tables[i]; verb->name; verb++)
			if (strcmp(verb->name, name) == 0)
				return verb;
	return NULL;
}

static void list(void)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		for (const struct verb *verb = tables[i]; verb->name; verb++)
			puts(verb->name);
}

static void describe(const struct outcome *outcome, char *text, size_t size)
{
	const char *word = outcome->word ? outcome->word : strerrorname_np(outcome->error);

	if (outcome->failed)
		snprintf(text, size, "-1,%s", word ? word : "?");
	else
		snprintf(text, size, "ok");
}

static bool is_expected(const char *expected, const char *got)
{
	size_t length = strlen(got);

	for (const char *at = expected; at; at = strchr(at, '|'), at = at ? at + 1 : NULL)
		if (strncmp(at, got, length) == 0 && (at[length] == '\0' || at[length] == '|'))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	const struct verb *verb;
	char got[64];

	if (argc == 2 && strcmp(argv[1], "--verbs") == 0) {
		list();
		return 0;
	}
	verb = argc >= 3 ? find_verb(argv[1]) : NULL;
	if (!verb || (unsigned)argc - 3 < verb->arguments) {
		fprintf(stderr, "probe: usage: probe VERB EXPECT ARGUMENT... (VERB %s)\n",
			argc > 1 ? argv[1] : "missing");
		return 2;
	}
	errno = 0;
	struct outcome outcome = verb->call(argv + 3);
	describe(&outcome, got, sizeof(got));
	if (is_expected(argv[2], got))
		return 0;
	fprintf(stderr, "probe: %s %s: expected %s, got %s\n", argv[1], argc > 3 ? argv[3] : "", argv[2], got);
	return 1;
}
