/* SPDX-License-Identifier: MIT */
/*
 * The policy as the launcher holds it: the file that decides, its bases merged in, every value checked. What the
 * run-time checks need of it goes into the image (launcher/compile/); limits and environment stay here.
 */
#ifndef BRIDLE_POLICY_H
#define BRIDLE_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "failure.h"

enum policy_mode {
	POLICY_ENFORCE,
	POLICY_AUDIT
};
enum policy_uncovered {
	POLICY_UNCOVERED_REPORT,
	POLICY_UNCOVERED_DENY,
	POLICY_UNCOVERED_ALLOW
};
enum policy_backstop {
	POLICY_BACKSTOP_AUTO,
	POLICY_BACKSTOP_ON,
	POLICY_BACKSTOP_OFF
};

/* All limits: 0 = not set. */
struct policy_limits {
	double wall_seconds, grace_seconds;
	int64_t cpu_seconds, memory_mb, file_size_mb, open_files, processes, output_bytes;
};

struct policy_variable {
	char *name, *value;
};

struct policy_environment {
	char **inherit; /* globs of names; NULL-terminated */
	struct policy_variable *set;
	size_t set_count;
};

struct policy_pin {
	char *path, *sha256;
	uint32_t line;
};

struct policy;  /* opaque; its rules are read by launcher/compile/ through policy_settings */
struct setting; /* policy/setting.h */

/* Which policy a command line asks for. Every pointer may be NULL. */
struct policy_choice {
	const char *file;        /* --policy */
	const char *profile;     /* --profile */
	const char *root;        /* --root */
	const char *mode;        /* --mode */
	const char *const *sets; /* --set KEY=VALUE, NULL-terminated */
	bool untrusted;          /* a file that is found counts though nobody said that it is trusted, to check it */
	bool whole;              /* with the built-in rules about programs, to show or check them */
};

/*
 * Finds (design 1.1: --policy, $BRIDLE_POLICY, bridle.cfg here or above, profile tool), reads, merges and checks.
 * NULL on failure, with file:line and a remedy in failure. The caller frees with policy_free.
 */
struct policy *policy_load(const struct policy_choice *choice, struct failure *failure);
void policy_free(struct policy *policy);

const char *policy_name(const struct policy *policy);    /* the file as given, or "profile tool" */
const char *policy_file(const struct policy *policy);    /* absolute path, NULL for a built-in profile */
const char *policy_profile(const struct policy *policy); /* the built-in profile at its bottom, or "none" */
const char *policy_root(const struct policy *policy);    /* absolute, symlinks followed */
/* The file that was found and not used, for it is not trusted (policy/trust.h); NULL: none. */
const char *policy_untrusted(const struct policy *policy);
enum policy_mode policy_mode(const struct policy *policy);
enum policy_uncovered policy_uncovered(const struct policy *policy);
enum policy_backstop policy_backstop(const struct policy *policy);
/* Does the backstop judge what libc and its linker read for themselves? */
bool policy_judges_libc(const struct policy *policy);
bool policy_landlock(const struct policy *policy);
bool policy_private_tmp(const struct policy *policy);
bool policy_report_all(const struct policy *policy);
const struct policy_limits *policy_limits(const struct policy *policy);
const struct policy_environment *policy_environment(const struct policy *policy);
/* Everything the policy says, bases merged in and checked against the schema: what has no accessor here. */
const struct setting *policy_settings(const struct policy *policy);
/* The built-in rules about programs that its settings leave out (compile/rules.h), "rules/tool.cfg"; NULL: none. */
const char *policy_rules(const struct policy *policy);
/* The names that those rules deny and this policy does not ("!dd" in names.deny). */
const char *const *policy_allowed(const struct policy *policy, size_t *ret_count);
/* The files it was read from, NULL-terminated, absolute: as given and, where different, symlinks followed. */
const char *const *policy_sources(const struct policy *policy);
const struct policy_pin *policy_pins(const struct policy *policy, size_t *ret_count);

#endif
