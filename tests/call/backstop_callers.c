/* SPDX-License-Identifier: MIT */
/*
 * Callers that make it hard: odd memory and paths, roots and namespaces of their own, crowds, and those that reach for the
 * launcher.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "backstop_world.h"

TestSuite(backstop_callers, .init = backstop_world_open, .fini = backstop_world_close, .timeout = 300);

/* Odd callers: what each line must say. Kernels and containers may refuse a root or a namespace of one's own. */
static void corners(const char *program)
{
	static const char *const wanted =
		"memory_crossing EACCES\nmemory_last_bytes EACCES\nmemory_unterminated EFAULT\nmemory_null EFAULT\n"
		"memory_kernel EFAULT\nmemory_too_long ENAMETOOLONG\nmemory_empty ENOENT\nmemory_argv EFAULT\n"
		"path_relative EACCES\npath_proc_root EACCES\npath_proc_twice EACCES\n"
		"path_proc_cwd EACCES\npath_proc_descriptor EACCES\n"
		"path_dots EACCES\npath_symlink EACCES\npath_symlink_to_magic EACCES\npath_loop ok\npath_inside ok\n"
		"path_own_descriptor ok\npath_dev_fd ok\npath_bad_dirfd ok\npath_file_as_folder ok\npath_missing ENOENT\n"
		"deleted_create ENOENT\ndeleted_read ENOENT\ndeleted_outside EACCES\ndeleted_self ok\n"
		"chroot_inside ok\nchroot_create ok\nchroot_missing ENOENT\nchroot_escape EACCES\n"
		"namespace_outside EACCES\nnamespace_inside ok\nio_uring ENOSYS\n"
		"filter_installed ok\nfilter_works ok\nfilter_outside EACCES\nfilter_inside ok\n"
		"stuck_inside ok\nstuck_outside EACCES\n"
		"i386_open EACCES\ni386_openat EACCES\ni386_unlink EACCES\ni386_chmod EACCES\ni386_creat_inside ok\n"
		"i386_unlink_inside ok\ni386_socketcall EACCES\ni386_connect EACCES\nx32_open EACCES\n";
	struct session_of session;
	char *before, *after, *line, *rest;

	world_prepare(world_outside);
	before = world_picture(world_outside);
	session = world_run(SHUT_NETWORK, program, "all");
	after = world_picture(world_outside);
	cr_expect_str_eq(after, before, "something was changed");
	cr_expect_gt(strlen(session.output), 600, "%s%s", session.output, session.errors);
	for (line = strtok_r(session.output, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		bool may_lack = !strncmp(line, "chroot ", 7) || !strncmp(line, "namespace ", 10) ||
				!strncmp(line, "stuck ", 6);

		cr_expect(may_lack || strstr(wanted, line), "%s", line);
	}
	session_free(&session);
	free(before);
	free(after);
}

Test(backstop_callers, odd_callers_dynamic)
{
	corners("backstop/corners");
}

Test(backstop_callers, odd_callers_static)
{
	corners("backstop/corners-static");
}

Test(backstop_callers, a_crowd)
{
	struct session_of session;

	world_prepare(world_outside);
	session = world_run("", "backstop/crowd-static", NULL);
	cr_expect_str_eq(session.output,
			 "thousand 2000 tried, 0 wrong\nended 100\ninterrupted 4000 tried, 0 wrong\n");
	cr_expect_eq(session.status, 0, "%s", session.errors);
	session_free(&session);
}

Test(backstop_callers, the_launcher_is_out_of_reach)
{
	struct session_of session = world_run("", "backstop/intrude-static", NULL);

	cr_expect_str_eq(session.output, "write_parent EPERM\nfd_of_parent EPERM\nseize_parent EPERM\n"
					 "write_child ok\nfd_of_child ok\nseize_child ok\n");
	cr_expect_eq(session_count(&session, "rule", "integrity.guard"), 3);
	session_free(&session);
}
