/* SPDX-License-Identifier: MIT */
/* What Landlock is asked to hold, ABI by ABI. */
#include "backstop/belt.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "policy_image.h"

#define NONE "extends = \"none\"; "
#define NAMES NONE "paths: { write = [ \"*.log\" ]; }; "
#define BOUNDS NONE "paths: { write = [ \".\" ]; }; network: { connect = \"deny\"; bind = \"deny\"; };"

/* As linux/landlock.h has them, which not every machine that builds this does. */
#define WRITE_FILE 0x2u
#define CHANGE_FOLDER 0x1ff0u
#define REFER 0x2000u
#define TRUNCATE 0x4000u
#define BIND_TCP 0x1u
#define CONNECT_TCP 0x2u

static struct belt_plan plan_of(const char *policy, int abi)
{
	size_t size;
	struct image *image = test_image(policy, &size);
	struct belt_plan plan = belt_plan(image, abi);

	free(image);
	return plan;
}

Test(backstop_belt, each_abi_adds_its_own)
{
	static const struct {
		int abi;
		uint64_t fs, net;
		size_t size;
		bool there;
	} rows[] = {
		{0, WRITE_FILE | CHANGE_FOLDER, 0, 8, false},
		{1, WRITE_FILE | CHANGE_FOLDER, 0, 8, false},
		{2, WRITE_FILE | CHANGE_FOLDER | REFER, 0, 8, true},
		{3, WRITE_FILE | CHANGE_FOLDER | REFER | TRUNCATE, 0, 8, true},
		{4, WRITE_FILE | CHANGE_FOLDER | REFER | TRUNCATE, BIND_TCP | CONNECT_TCP, 16, true},
		{5, WRITE_FILE | CHANGE_FOLDER | REFER | TRUNCATE, BIND_TCP | CONNECT_TCP, 16, true},
		{6, WRITE_FILE | CHANGE_FOLDER | REFER | TRUNCATE, BIND_TCP | CONNECT_TCP, 16, true},
		{7, WRITE_FILE | CHANGE_FOLDER | REFER | TRUNCATE, BIND_TCP | CONNECT_TCP, 16, true},
		{99, WRITE_FILE | CHANGE_FOLDER | REFER | TRUNCATE, BIND_TCP | CONNECT_TCP, 16, true},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct belt_plan plan = plan_of(BOUNDS, rows[i].abi);

		cr_expect_eq(plan.fs, rows[i].fs, "ABI %d: %llx", rows[i].abi, (unsigned long long)plan.fs);
		cr_expect_eq(plan.net, rows[i].net, "ABI %d: %llx", rows[i].abi, (unsigned long long)plan.net);
		cr_expect_eq(plan.size, rows[i].size, "ABI %d: %zu", rows[i].abi, plan.size);
		cr_expect_eq(!plan.why, rows[i].there, "ABI %d: %s", rows[i].abi, plan.why);
	}
}

/* Never tighter than the policy: what no rule of Landlock could give back is not asked for. */
Test(backstop_belt, nothing_is_asked_for_that_the_policy_leaves_open)
{
	struct belt_plan plan = plan_of(NAMES "network: { connect = \"deny\"; bind = \"allow\"; };", 7);

	cr_expect_eq(plan.fs, 0, "files by their names have no tree");
	cr_expect_eq(plan.net, CONNECT_TCP);
	plan = plan_of(NONE "paths: { write = [ \".\" ]; }; network: { connect = \"allow\"; bind = \"loopback\"; };", 7);
	cr_expect_eq(plan.net, 0);
	cr_expect_null(plan.why);
	plan = plan_of(NONE "network: { connect = \"deny\"; allow = [ \"10.0.0.0/8\" ]; bind = \"deny\"; };", 7);
	cr_expect_eq(plan.net, BIND_TCP, "every port of some address");
}

Test(backstop_belt, words_say_why_there_is_none)
{
	static const char open_names[] = NAMES "network: { connect = \"allow\"; bind = \"allow\"; };";

	cr_expect_not_null(strstr(plan_of(BOUNDS, 0).why, "no Landlock"));
	cr_expect_not_null(strstr(plan_of(BOUNDS, 1).why, "renames"));
	cr_expect_not_null(strstr(plan_of(NONE "mode = \"audit\"; paths: { write = [ \".\" ]; };", 7).why, "audit"));
	cr_expect_not_null(strstr(plan_of(open_names, 7).why, "no bounds"));
	/* ports alone, where the kernel does not know them yet */
	cr_expect_not_null(plan_of(NAMES "network: { connect = \"deny\"; };", 3).why);
}
