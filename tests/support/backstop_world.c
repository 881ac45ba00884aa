/* SPDX-License-Identifier: MIT */
/* Sessions with the backstop: what is theirs, what is not, and what became of it. */
#include "backstop_world.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backstop/backstop.h"

/* A folder for the session and one that its rules do not reach. */
char world_inside[64], world_outside[64];

const char *world_in(const char *parent, const char *name)
{
	static char paths[4][128];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", parent, name);
	return path;
}

void backstop_world_open(void)
{
	if (backstop_obstacle())
		cr_skip_test("%s", backstop_obstacle());
	strcpy(world_inside, "/var/tmp/bridle-in-XXXXXX");
	strcpy(world_outside, "/var/tmp/bridle-out-XXXXXX");
	cr_assert_not_null(mkdtemp(world_inside));
	cr_assert_not_null(mkdtemp(world_outside));
	setenv("INSIDE", world_inside, 1);
	setenv("OUTSIDE", world_in(world_outside, "file"), 1);
}

void world_remove(const char *folder)
{
	const char *argv[] = {"/bin/rm", "-rf", "--", folder, NULL};
	struct session_of removal;

	if (!folder[0])
		return;
	removal = session_start(argv, NULL);
	session_free(&removal);
}

void backstop_world_close(void)
{
	world_remove(world_inside);
	world_remove(world_outside);
}

/* The rules of these tests: the session's folder, what programs need to start, and the probes. */
struct session_of world_run(const char *further, const char *program, const char *verb)
{
	char policy[8192], *build = session_built(""), *path = session_built(program);
	const char *argv[] = {path, verb, NULL};
	struct session_of session;

	snprintf(policy, sizeof(policy),
		 "extends = \"none\";\n"
		 "root = \"%s\";\n"
		 "paths: { write = [ \".\", \"/dev/null\" ]; tmp = \"shared\";\n"
		 "         read = [ \"/usr\", \"/lib\", \"/lib64\", \"/bin\", \"/etc/ld.so.cache\", \"/proc/self\",\n"
		 "                  \"/sys/kernel/mm/transparent_hugepage\", \"%s\" ]; };\n"
		 "environment: { inherit = [ \"*\" ]; };\n"
		 "%s%s",
		 world_inside, build, strstr(further, "coverage") ? "" : "coverage: { uncovered = \"allow\"; };\n", further);
	session = session_run(world_inside, policy, argv);
	free(build);
	free(path);
	return session;
}

void world_prepare(const char *folder)
{
	char *doors = session_built("backstop/doors");
	const char *argv[] = {doors, "prepare", NULL};
	struct session_of session;

	setenv("FOLDER", folder, 1);
	session = session_start(argv, NULL);

	cr_assert_eq(session.status, 0);
	session_free(&session);
	free(doors);
}

/* What the same program answers without bridle. */
struct session_of world_natively(const char *program, const char *verb, const char *folder)
{
	char *path = session_built(program);
	const char *argv[] = {path, verb, NULL};
	struct session_of session;

	setenv("FOLDER", folder, 1);
	session = session_start(argv, NULL);
	free(path);
	return session;
}

/* Everything in a folder that a call could have changed. */
char *world_picture(const char *folder)
{
	const char *argv[] = {"/usr/bin/find", folder, "-printf", "%P %y %s %m %u %g %n %l %T@\n", NULL};
	struct session_of session = session_start(argv, NULL);
	char *text = strdup(session.output);

	session_free(&session);
	return text;
}

bool world_has(const char *program)
{
	char *path = session_built(program);
	bool there = !access(path, X_OK);

	free(path);
	return there;
}
