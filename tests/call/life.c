/* SPDX-License-Identifier: MIT */
/* Runs the programs of tests/life below bridle: each must end well, and cause exactly the refusals that it is known for. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <string.h>

#include "call_case.h"

/* refusals: -1 where their number depends on timing. */
struct life {
	const char *program;
	const char *argument;
	int refusals;
};

static const struct life lives[] = {
	{"early", NULL, 3},
	{"vfork", NULL, 2},
	{"stacks", NULL, 4},
	{"threads", "20", 10 * (20 + 20 + 2 + 2)},
	{"environment", NULL, 12},
	{"descriptors", NULL, 3},
	{"pointers", NULL, 0},
	{"directory", NULL, 2},
	{"allocator", NULL, 3},
	{"filtered", NULL, 0},
	{"race", "100000", -1},
	{"race_folder", "100000", -1},
};

#define LIVES (sizeof(lives) / sizeof(*lives))

ParameterizedTestParameters(life, below_bridle)
{
	static size_t numbers[LIVES];

	for (size_t i = 0; i < LIVES; i++)
		numbers[i] = i;
	return cr_make_param_array(size_t, numbers, LIVES, NULL);
}

ParameterizedTest(size_t *number, life, below_bridle, .timeout = 120)
{
	const struct life *life = &lives[*number];
	struct call_world world;
	struct call_result result;

	call_world_make(&world);
	result = call_run_program(&world, life->program, life->argument);
	call_world_remove(&world);
	cr_expect_eq(result.status, 0, "%s: status %d: %s", life->program, result.status, result.output);
	if (life->refusals >= 0)
		cr_expect_eq(result.denials, life->refusals, "%s: %d refusals instead of %d: %s", life->program,
			     result.denials, life->refusals, result.output);
}
