/* SPDX-License-Identifier: MIT */
/* The working directory moved behind libc's back: relative paths are judged from where a program really stands. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "backstop_world.h"

TestSuite(backstop_walks, .init = backstop_world_open, .fini = backstop_world_close, .timeout = 300);

static void walks(const char *program)
{
	static const char wanted[] =
		"before ok\nchdir_out EACCES\nchdir_back ok\noutside EACCES\nfchdir_back ok\n"
		"threads ok\n"
		"renamed_before ENOENT\nrenamed EACCES\nrenamed_file ok\n"
		"replaced_before ok\nreplaced ENOENT\nreplaced_up ok\n"
		"shared_before ok\nshared EACCES\n"
#ifdef __x86_64__
		"narrow_out EACCES\n"
#endif
		;
	struct session_of session;
	char *before, *after;

	world_prepare(world_inside);
	world_prepare(world_outside);
	before = world_picture(world_outside);
	session = world_run("", program, NULL);
	after = world_picture(world_outside);
	cr_expect_str_eq(session.output, wanted, "%s%s", session.output, session.errors);
	cr_expect_str_eq(after, before, "something was changed");
	session_free(&session);
	free(before);
	free(after);
}

Test(backstop_walks, dynamic)
{
	walks("backstop/walks");
}

Test(backstop_walks, static)
{
	walks("backstop/walks-static");
}
