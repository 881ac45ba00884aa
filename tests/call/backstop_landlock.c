/* SPDX-License-Identifier: MIT */
/* Landlock under the built bridle, without the backstop: the kernel's floor alone. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backstop/belt.h"
#include "backstop_world.h"

TestSuite(backstop_landlock, .init = backstop_world_open, .fini = backstop_world_close, .timeout = 300);

/* The kernel's floor alone: a static program that nobody watches writes inside, and not outside. */
Test(backstop_landlock, landlock_holds_the_write_trees)
{
	static const char belt[] = "coverage: { backstop = \"off\"; landlock = \"on\"; };\n";
	static const char *const inside_only[] = {"openat_create", "mkdirat", "truncate", "unlinkat", "renameat2"};
	char verb[32];

	if (!belt_abi())
		cr_skip_test("no Landlock");
	for (size_t i = 0; i < sizeof(inside_only) / sizeof(inside_only[0]); i++) {
		struct session_of session;
		char *before, *after;

		snprintf(verb, sizeof(verb), "%s ok\n", inside_only[i]);
		world_prepare(world_in(world_inside, "belt"));
		session = world_run(belt, "backstop/doors-static", inside_only[i]);
		cr_expect_str_eq(session.output, verb, "%s", session.errors);
		session_free(&session);
		world_prepare(world_outside);
		before = world_picture(world_outside);
		session = world_run(belt, "backstop/doors-static", inside_only[i]);
		after = world_picture(world_outside);
		cr_expect_str_eq(after, before, "%s", inside_only[i]);
		cr_expect_null(strstr(session.output, " ok"), "%s", session.output);
		cr_expect_eq(session_count(&session, "verdict", "deny"), 0);
		cr_expect_eq(strncmp(session_field(session_line(&session, "event", "open"), "landlock"), "on", 2), 0);
		session_free(&session);
		free(before);
		free(after);
		world_remove(world_in(world_inside, "belt"));
	}
}

/* The ports of its network rules: no connection but to what is allowed. */
Test(backstop_landlock, landlock_holds_the_ports)
{
	static const char belt[] = "coverage: { backstop = \"off\"; landlock = \"on\"; };\n";
	static const char *const rules[] = {"network: { connect = \"deny\"; };\n",
					    "network: { connect = \"deny\"; allow = [ \"192.0.2.1:9\" ]; };\n"};

	if (belt_abi() < 4)
		cr_skip_test("no Landlock, or none that knows ports");
	setenv("FOLDER", world_inside, 1);
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		struct session_of session;
		char policy[512];

		snprintf(policy, sizeof(policy), "%s%s", belt, rules[i]);
		session = world_run(policy, "backstop/doors-static", "connect");
		cr_expect_str_eq(session.output, i ? "connect ok\n" : "connect EACCES\n", "%s", session.errors);
		cr_expect_eq(session_count(&session, "verdict", "deny"), 0);
		session_free(&session);
	}
}
