/* SPDX-License-Identifier: MIT */
/* The last touches to an allowed command before it starts: arguments that the policy inserts, a directory of its own. */
#include "run/arrange.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/glob.h"
#include "check/operands.h"
#include "policy/setting.h"

static const struct setting *start_of(const struct policy *policy)
{
	return setting_find(policy_settings(policy), "start");
}

static size_t count_of(char *const *argv)
{
	size_t count = 0;

	while (argv[count])
		count++;
	return count;
}

/* The arguments for this program, or NULL: of the last entry whose name fits, so that a policy can correct its base. */
static const struct setting *inserted(const struct policy *policy, const char *program)
{
	const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
	const struct setting *found = NULL;

	SETTING_EACH(entry, setting_member(start_of(policy), "insert"))
	{
		if (check_glob(setting_text(entry, "name", ""), name, strlen(name)))
			found = setting_member(entry, "arguments");
	}
	return found;
}

/* A word that names a file from here, as it must read from elsewhere; else the word. */
static char *from_anywhere(const char *word, const char *here)
{
	char *path = NULL;

	if (word[0] == '/' || word[0] == '-' || !word[0] || access(word, F_OK))
		return strdup(word);
	return asprintf(&path, "%s/%s", here, word) < 0 ? NULL : path;
}

static bool copy_words(const struct policy *policy, const struct image *image, char *const *argv, const char *here,
		       char **ret_words)
{
	size_t argc = count_of(argv), program = argc ? check_unwrap(image, argv, argc) : 0;
	const struct setting *extra = argc ? inserted(policy, argv[program]) : NULL;
	size_t count = 0;

	for (size_t i = 0; i < argc; i++) {
		ret_words[count++] = here && i ? from_anywhere(argv[i], here) : strdup(argv[i]);
		SETTING_EACH(word, i == program ? extra : NULL)
		ret_words[count++] = strdup(word->text);
	}
	ret_words[count] = NULL;
	for (size_t i = 0; i < count; i++)
		if (!ret_words[i])
			return false;
	return true;
}

static size_t most_inserted(const struct policy *policy)
{
	size_t most = 0;

	SETTING_EACH(entry, setting_member(start_of(policy), "insert"))
	{
		size_t count = 0;

		SETTING_EACH(word, setting_member(entry, "arguments"))
		count += word->kind == SETTING_STRING;
		most = count > most ? count : most;
	}
	return most;
}

static bool move(char *program_path, const char *here, const char *directory, struct failure *failure)
{
	char *path = from_anywhere(program_path, here);

	if (!path || strlen(path) >= PATH_MAX) {
		free(path);
		return failure_set(failure, "the path of '%s' is too long for a start in a private directory", program_path);
	}
	memcpy(program_path, path, strlen(path) + 1);
	free(path);
	return !chdir(directory) || failure_set(failure, "cannot start in '%s' (start.directory): %s", directory,
						strerror(errno));
}

bool arrange(const struct policy *policy, const struct image *image, char *const *argv, char *program_path,
	     const char *directory, struct arrangement *ret_arrangement, struct failure *failure)
{
	const struct setting *start = start_of(policy);
	bool move_there = directory && strcmp(setting_text(start, "directory", "given"), "private") == 0;
	char here[PATH_MAX];

	if (!getcwd(here, sizeof(here)))
		move_there = false;
	ret_arrangement->empty_stdin = strcmp(setting_text(start, "stdin", "given"), "empty") == 0;
	ret_arrangement->argv = calloc(count_of(argv) + most_inserted(policy) + 1, sizeof(char *));
	if (!ret_arrangement->argv ||
	    !copy_words(policy, image, argv, move_there ? here : NULL, ret_arrangement->argv))
		return failure_set(failure, "out of memory");
	ret_arrangement->moved = move_there;
	return !move_there || move(program_path, here, directory, failure);
}

void arrangement_free(struct arrangement *arrangement)
{
	for (char **word = arrangement->argv; word && *word; word++)
		free(*word);
	free(arrangement->argv);
	arrangement->argv = NULL;
}
