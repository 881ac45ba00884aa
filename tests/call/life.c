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
	const char *quick; /* the argument where every call is reported */
};

/* Of one thread: an open, a connect and a start each round, an open in every tenth's child, a start in every twentieth's. */
#define THREAD_REFUSALS(rounds) (3 * (rounds) + (rounds) / 10 + (rounds) / 20)

static const struct life lives[] = {
	{"early", NULL, 3},
	{"vfork", NULL, 2},
	{"stacks", NULL, 4 + 2 * 5, "lines"},
	{"threads", "1000", 10 * (THREAD_REFUSALS(100) + THREAD_REFUSALS(1000)), "20"},
	{"environment", NULL, 12},
	{"descriptors", NULL, 3},
	{"pointers", NULL, 0},
	{"directory", NULL, 5},
	{"allocator", NULL, 3},
	{"filtered", NULL, 0},
	{"old_kernel", "38", 5, "38"},
	{"old_kernel", "1", 5, "1"},
	{"no_proc", NULL, -1},
	{"lists", NULL, 1},
	{"known", NULL, 7},
	{"race", "100000", -1, "1000"},
	{"race_folder", "100000", -1, "1000"},
	{"race_number", "100000", -1, "1000"},
	{"numbers", NULL, 63},
	{"number_doors", NULL, -1},
};

#define LIVES (sizeof(lives) / sizeof(*lives))

/* The same where every call is a line: branches that nothing else takes. */
static const char *const every_call = "report: { level = \"all\"; content = true; };";

static struct criterion_test_params every_life(void)
{
	static size_t numbers[LIVES];

	for (size_t i = 0; i < LIVES; i++)
		numbers[i] = i;
	return cr_make_param_array(size_t, numbers, LIVES, NULL);
}

/* more: of the policy, or NULL. */
static struct call_result lead(const struct life *life, const char *argument, const char *more)
{
	struct call_world world;
	struct call_result result;

	call_world_make(&world);
	result = call_run_program(&world, life->program, argument, more);
	call_world_remove(&world);
	cr_expect_eq(result.status, 0, "%s: status %d: %s", life->program, result.status, result.output);
	return result;
}

ParameterizedTestParameters(life, below_bridle)
{
	return every_life();
}

ParameterizedTest(size_t *number, life, below_bridle, .timeout = 300)
{
	const struct life *life = &lives[*number];
	struct call_result result = lead(life, life->argument, NULL);

	if (life->refusals >= 0)
		cr_expect_eq(result.denials, life->refusals, "%s: %d refusals instead of %d: %s", life->program,
			     result.denials, life->refusals, result.output);
}

ParameterizedTestParameters(life, with_every_call_reported)
{
	return every_life();
}

ParameterizedTest(size_t *number, life, with_every_call_reported, .timeout = 300)
{
	lead(&lives[*number], lives[*number].quick, every_call);
}
