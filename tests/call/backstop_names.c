/* SPDX-License-Identifier: MIT */
/* A folder that gets another name does not take along what a rule on a path is about, whoever gives it. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backstop_world.h"

TestSuite(backstop_names, .init = backstop_world_open, .fini = backstop_world_close, .timeout = 120);

static const char wanted[] =
	"folder EACCES\nslash EACCES\ndots EACCES\ninto EACCES\nfile ok\nfile_back ok\nbystander ok\nbystander_back ok\n"
	"link ok\nlink_back ok\nseveral_above EACCES\nthrough_link EACCES\nthe_rule_itself EACCES\n"
	"by_name ok\nby_name_back ok\n"
	"by_pattern EACCES\nsame_name ok\nsame_name_back ok\nplanted EACCES\ninside_loop ok\ninside_loop_back ok\n"
	"out_of_loop EACCES\nread_only_below EACCES\nlisted_below ok\nlisted_below_back ok\nby_linked_rule EACCES\n"
	"exchange_first EACCES\nexchange_second EACCES\nexchange_file EACCES\nexchange_free ok\nexchange_free_back ok\n"
	"descriptor EACCES\nabsolute EACCES\nrelative EACCES\nbind EACCES\nbind_free passes\nbind_again passes\n"
	"mount_moved EACCES\nopen_tree EACCES\nopen_tree_free passes\nmove_mount EACCES\nmove_mount_read_only EACCES\n"
	"move_mount_free passes\nchroot EACCES\nchroot_free passes\n";

static void names(const char *program, const char *way, const char *backstop)
{
	char policy[4096], *build = session_built(""), *path = session_built(program);
	const char *argv[] = {path, way, NULL};
	struct session_of session;

	session = world_natively(program, "prepare", world_inside);
	cr_assert_eq(session.status, 0);
	session_free(&session);
	snprintf(policy, sizeof(policy),
		 "extends = \"none\";\nroot = \"%s\";\n"
		 "paths: { write = [ \".\", \"/dev/null\" ]; tmp = \"shared\"; list = [ \"./look/shown\" ];\n"
		 " read = [ \"/usr\", \"/lib\", \"/lib64\", \"/etc/ld.so.cache\", \"/proc/self\", \"%s\", \"gone/ro\" ];\n"
		 " hide = [ \"up/a/b/keys/*.key\" ];\n"
		 " deny = [ \"d/sub\", \".env\", \"**/.git/hooks\", \"loop/**/secret\", \"alias/private\" ]; };\n"
		 "environment: { inherit = [ \"*\" ]; };\ncoverage: { uncovered = \"allow\"; backstop = \"%s\"; };\n",
		 world_inside, build, backstop);
	session = session_run(world_inside, policy, argv);
	cr_expect_str_eq(session.output, wanted, "%s %s: %s%s", program, way, session.output, session.errors);
	session_free(&session);
	free(build);
	free(path);
}

Test(backstop_names, the_library_alone)
{
	names("backstop/names", "libc", "off");
}

Test(backstop_names, the_library_alone_by_number)
{
	names("backstop/names", "syscall", "off");
}

Test(backstop_names, the_library_and_the_backstop)
{
	names("backstop/names", "libc", "on");
}

Test(backstop_names, the_backstop_by_number)
{
	names("backstop/names", "syscall", "on");
}

Test(backstop_names, raw)
{
	names("backstop/names", "raw", "on");
}

Test(backstop_names, static_program)
{
	names("backstop/names-static", "libc", "on");
}

Test(backstop_names, static_and_raw)
{
	names("backstop/names-static", "raw", "on");
}
