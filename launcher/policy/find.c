/* SPDX-License-Identifier: MIT */
/* Which policy file decides, and which root it is about. */
#include "policy/find.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define POLICY_FILE "bridle.cfg"
#define DEFAULT_PROFILE "tool"

static char *working_directory(struct arena *arena, struct failure *failure)
{
	char *here = getcwd(NULL, 0), *copy = NULL;

	if (here && *here == '/')
		copy = arena_text(arena, here, strlen(here));
	else
		failure_set(failure, "cannot tell the working directory: %s", here ? "it is unreachable" : strerror(errno));
	free(here);
	return copy;
}

static char *resolved(struct arena *arena, const char *path)
{
	char *real = realpath(path, NULL), *copy = real ? arena_text(arena, real, strlen(real)) : NULL;

	free(real);
	return copy;
}

static char *place_of(struct arena *arena, const char *file)
{
	const char *slash = strrchr(file, '/');
	char *folder = resolved(arena, slash == file ? "/" : arena_text(arena, file, (size_t)(slash - file)));

	return folder ? arena_format(arena, "%s%s", strcmp(folder, "/") ? folder : "", slash) : NULL;
}

static bool named_file(struct arena *arena, const char *file, const char *whence, struct found_policy *found,
		       struct failure *failure)
{
	char *here;

	found->name = arena_text(arena, file, strlen(file));
	found->file = found->name;
	if (*file != '/') {
		here = working_directory(arena, failure);
		if (!here)
			return false;
		found->file = arena_format(arena, "%s/%s", here, file);
	}
	found->resolved = resolved(arena, found->file);
	found->place = place_of(arena, found->file);
	if (!found->resolved || !found->place)
		return failure_set(failure, "%s: cannot read the policy%s: %s", file, whence, strerror(errno));
	return true;
}

/* bridle.cfg in the working directory or its nearest ancestor; found->file stays NULL where there is none. */
static bool nearest_file(struct arena *arena, struct found_policy *found, struct failure *failure)
{
	struct failure nowhere;
	char *here = working_directory(arena, &nowhere), *folder;

	/* A folder that was removed holds no policy. */
	if (!here)
		return true;
	folder = arena_text(arena, here, strlen(here));
	for (;;) {
		char *file = arena_format(arena, "%s/" POLICY_FILE, strcmp(folder, "/") ? folder : "");
		char *slash = strrchr(folder, '/');

		if (!access(file, F_OK)) {
			found->name = strcmp(folder, here) ? file : POLICY_FILE;
			found->file = file;
			found->searched = true;
			found->resolved = resolved(arena, file);
			found->place = file;
			if (!found->resolved)
				return failure_set(failure, "%s: cannot read the policy: %s", found->name,
						   strerror(errno));
			return true;
		}
		if (!folder[1])
			return true;
		slash[slash == folder] = '\0';
	}
}

bool find_policy(struct arena *arena, const struct policy_choice *choice, struct found_policy *ret_found,
		 struct failure *failure)
{
	const char *variable = getenv("BRIDLE_POLICY");
	struct found_policy found = {NULL};

	if (choice->file && choice->profile)
		return failure_set(failure, "--policy and --profile exclude each other: a policy file names its "
					    "profile with `extends`");
	if (choice->file) {
		if (!named_file(arena, choice->file, "", &found, failure))
			return false;
	} else if (!choice->profile && variable && *variable) {
		if (!named_file(arena, variable, " that BRIDLE_POLICY names", &found, failure))
			return false;
	} else if (!choice->profile && !nearest_file(arena, &found, failure)) {
		return false;
	}
	if (!found.file) {
		found.profile = choice->profile ? choice->profile : DEFAULT_PROFILE;
		found.name = arena_format(arena, "profile %s", found.profile);
	}
	*ret_found = found;
	return true;
}

char *find_root(struct arena *arena, const struct policy_choice *choice, const struct found_policy *found,
		const struct setting *settings, struct failure *failure)
{
	const struct setting *setting = setting_member(settings, "root");
	const char *given = choice->root ? choice->root : setting ? setting->text
								  : ".",
		   *path = given;
	bool from_policy = !choice->root && found->file;
	const char *home = getenv("HOME");
	struct stat status;
	char *root;

	if (!choice->root && !strncmp(given, "~/", 2) && home)
		path = arena_format(arena, "%s%s", home, given + 1);
	else if (from_policy && *given != '/')
		path = arena_format(arena, "%.*s%s", (int)(strrchr(found->file, '/') + 1 - found->file), found->file,
				    given);
	root = resolved(arena, path);
	if (root && (stat(root, &status) < 0 || !S_ISDIR(status.st_mode))) {
		errno = ENOTDIR;
		root = NULL;
	}
	if (root)
		return root;
	if (!choice->root && setting)
		failure_set(failure, "%s:%u: root \"%s\": %s", setting->file, setting->line, given, strerror(errno));
	else if (!from_policy && *path != '/' && errno == ENOENT && !working_directory(arena, failure))
		failure_set(failure, "the working directory was removed: name another root with --root, and with --chdir "
				     "where to start");
	else
		failure_set(failure, "root %s: %s", path, strerror(errno));
	return NULL;
}
