/* SPDX-License-Identifier: MIT */
/*
 * Libraries that are bound to libc past us: opened with RTLD_DEEPBIND, or into a namespace of their own. The shim does not
 * see what they open; the backstop does.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session_of.h"

#define LIBRARY "#include <fcntl.h>\nint try(void) { return open(\"/etc/hostname\", O_RDONLY) < 0; }\n"
#define PROGRAM                                                                            \
	"#include <dlfcn.h>\nint main(int c, char **v) { void *l = v[2][0] == 'd' ?\n"     \
	"dlopen(v[1], RTLD_NOW | RTLD_DEEPBIND) : dlmopen(LM_ID_NEWLM, v[1], RTLD_NOW);\n" \
	"int (*try)(void) = l ? (int (*)(void))dlsym(l, \"try\") : 0; return try ? (try() ? 42 : 1) : 2; }\n"

static const char policy[] = "extends = \"none\"; environment: { inherit = [ \"*\" ]; };\n"
			     "paths: { read = [ \"/usr\", \"/lib\", \"/lib64\", \"/bin\", \"/proc\", \"/etc/ld.so.cache\" ];\n"
			     "         write = [ \".\" ]; };\n"
			     "coverage: { uncovered = \"allow\"; backstop = \"auto\"; };\n";

static void compile(const char *folder)
{
	char command[2048];

	snprintf(command, sizeof(command),
		 "cd %s && cat > l.c <<'END'\n%sEND\ncat > m.c <<'END'\n%sEND\n"
		 "gcc -w -shared -fPIC -o l.so l.c && gcc -w -D_GNU_SOURCE -o m m.c -ldl",
		 folder, LIBRARY, PROGRAM);
	if (system(command) != 0)
		cr_skip("there is no compiler");
}

static void try(const char *folder, const char *how)
{
	char program[128], library[128];
	const char *argv[] = {program, library, how, NULL};

	snprintf(program, sizeof(program), "%s/m", folder);
	snprintf(library, sizeof(library), "%s/l.so", folder);
	struct session_of session = session_run(folder, policy, argv);
	if (session_count(&session, "backstop", "on") > 0)
		cr_expect(session.status == 42 && session_count(&session, "verdict", "deny") == 1, "%s: %d: %s", how,
			  session.status, session.errors);
	session_free(&session);
}

Test(namespaces, are_the_backstops, .timeout = 300)
{
	char folder[] = "/var/tmp/bridle-namespace-XXXXXX", command[128];

	cr_assert(mkdtemp(folder));
	compile(folder);
	try(folder, "deepbind");
	try(folder, "namespace");
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	cr_expect_eq(system(command), 0);
}
