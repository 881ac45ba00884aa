/* SPDX-License-Identifier: MIT */
/* bridle policy trust: a policy that is found may be used from now on, as it is now. */
#include "policy_trust.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "policy/find.h"
#include "policy/trust.h"
#include "say.h"

static bool record(struct arena *arena, const char *name, const char *path, struct failure *failure)
{
	struct source source;

	return source_file(arena, name, &source, failure) && trust_record(path, &source, failure);
}

bool policy_trust_file(const char *file, char **ret_path, struct failure *failure)
{
	struct policy_choice choice = {.file = file, .untrusted = true};
	struct arena *arena = arena_new();
	struct policy *policy = policy_load(&choice, failure);
	struct found_policy found;
	bool good = policy && find_policy(arena, &choice, &found, failure);

	*ret_path = NULL;
	if (good && !found.file)
		good = failure_set(failure, "there is no bridle.cfg here or above; 'bridle init' writes one");
	good = good && record(arena, found.name, found.place, failure);
	if (good)
		*ret_path = strdup(found.place);
	policy_free(policy);
	arena_free(arena);
	return good;
}

int policy_trust(int argc, char **argv)
{
	bool asked = argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
	struct failure failure = {""};
	char *path;

	if (argc > 2 || asked) {
		fputs("usage: bridle policy trust [FILE]\n", asked ? stdout : stderr);
		return asked && !fflush(stdout) ? 0 : STATUS_FAILED;
	}
	if (!policy_trust_file(argc > 1 ? argv[1] : NULL, &path, &failure)) {
		say("policy trust: %s", failure.text);
		return STATUS_FAILED;
	}
	printf("trusted: %s\n", path ? path : "");
	free(path);
	return fflush(stdout) ? STATUS_FAILED : 0;
}
