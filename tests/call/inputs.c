/* SPDX-License-Identifier: MIT */
/*
 * Bad input: what tests/life/inputs.c tells of every interposed function must be the same with bridle and without, where
 * everything is allowed and where, in audit mode, everything is reported. Every row of symbols.def has its calls.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call_case.h"
#include "session_of.h"

#define LINE 512

static const char *const names[] = {
#define SYM(name, family) #name,
#include "symbols.def"
#undef SYM
};

static const char *const covered[] = {
#define CALL(name, result, arguments, inputs) #name,
#define LEFT_OUT(name) #name,
#include "../life/inputs.def"
#undef CALL
#undef LEFT_OUT
};

Test(inputs, every_row_is_called)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		bool found = false;

		for (size_t j = 0; j < sizeof(covered) / sizeof(*covered); j++)
			found = found || strcmp(names[i], covered[j]) == 0;
		cr_expect(found, "%s has no row in tests/life/inputs.def", names[i]);
	}
}

/* posix_spawn(3): it fails only where no child could be made, and says nothing of a pointer that is none. */
#define CRASHED "libc's child reads the name itself and dies of it, its parent gets 0; guarded it gets EFAULT"

/* What differs and may: the beginning of the line, and why. */
static const struct {
	const char *line, *reason;
} known[] = {
	{"posix_spawnp(BPNNaE) null,", CRASHED},
	{"posix_spawnp(BPNNaE) unmapped,", CRASHED},
	{"posix_spawnp(BPNNaE) endless,", CRASHED},
};

/* The parts of a line: "CALL INPUT, N: RESULT, errno N; status S, SUM". */
struct line {
	char call[LINE], result[LINE], status[16], sum[32];
	int error;
};

static struct line read_line(const char *text)
{
	struct line line = {.error = -1};
	const char *colon = strstr(text, ": "), *status = strstr(text, "; status "), *error = strstr(text, ", errno ");

	cr_assert(colon && status, "%s", text);
	snprintf(line.call, sizeof(line.call), "%.*s", (int)(colon - text), text);
	snprintf(line.result, sizeof(line.result), "%.*s", (int)((error ? error : status) - colon), colon);
	sscanf(status, "; status %15[^,], %31s", line.status, line.sum);
	if (error)
		line.error = atoi(error + strlen(", errno "));
	return line;
}

static bool is_known(const char *text)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strncmp(text, known[i].line, strlen(known[i].line)) == 0)
			return true;
	return false;
}

/*
 * rename(2) gives its errors no order. Where the policy is asked, a name that no folder can hold is told of before what is
 * wrong with the other name; the kernel looks at the folders of both first. Both errors are true.
 */
static bool has_two_errors(const char *text, const struct line *bare, const struct line *guarded)
{
	return (strncmp(text, "rename", 6) == 0 || strncmp(text, "syscall(%rename", 15) == 0) && strstr(text, ") wide,") &&
	       strstr(bare->result, "failed") && strstr(guarded->result, "failed") && guarded->error == ENAMETOOLONG;
}

/* errno after success is compared where libc leaves it alone; a crash of libc's own proves nothing. */
static bool is_same(const struct line *bare, const struct line *guarded, bool few)
{
	bool failed = strstr(bare->result, "failed"), crashed = strcmp(bare->status, "b") == 0;
	bool error = bare->error == guarded->error || (!failed && bare->error != 77);

	if (crashed || (few && (bare->error == EMFILE || guarded->error == EMFILE)))
		return true;
	return error && strcmp(bare->result, guarded->result) == 0 && strcmp(bare->status, guarded->status) == 0 &&
	       strcmp(bare->sum, guarded->sum) == 0;
}

static FILE *open_told(const struct call_world *world, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", world->top, name);
	FILE *file = fopen(path, "r");
	cr_assert(file, "%s", path);
	return file;
}

static void compare(const struct call_world *world, bool few)
{
	FILE *bare = open_told(world, "bare"), *guarded = open_told(world, "guarded");
	char one[LINE], other[LINE];
	unsigned calls = 0, differences = 0;

	while (fgets(one, sizeof(one), bare)) {
		cr_assert(fgets(other, sizeof(other), guarded), "the guarded run ends before %s", one);
		struct line first = read_line(one), second = read_line(other);

		cr_assert_str_eq(first.call, second.call);
		calls++;
		if (is_same(&first, &second, few) || is_known(one) || has_two_errors(one, &first, &second))
			continue;
		if (differences++ < 20)
			cr_expect(false, "bare    %sguarded %s", one, other);
	}
	cr_expect_eq(differences, 0, "%u of %u calls differ", differences, calls);
	cr_expect(calls > 1000, "only %u calls", calls);
	fclose(bare);
	fclose(guarded);
}

static void make(const struct call_world *world, const char *policy, const char *state, const char *stride)
{
	char command[2048], *build = session_built("");

	snprintf(command, sizeof(command),
		 "cd %s/in && : > run.sh && %slife/inputs ../bare %s %s </dev/null >/dev/null 2>&1 && rm -rf case &&"
		 "printf '%%s\n' '#!/bin/sh' 'exec %slife/inputs ../guarded %s %s' > run.sh && chmod +x run.sh &&"
		 "cat > ../policy.cfg <<'END'\n%s\nEND\n"
		 "%sbridle run -q -p ../policy.cfg -r . --report /dev/null -- ./run.sh </dev/null >/dev/null 2>&1",
		 world->top, build, state, stride, build, state, stride, policy, build);
	cr_expect_eq(system(command), 0);
	free(build);
}

#define POLICY \
	"extends = \"none\"; environment: { inherit = [ \"*\" ]; }; coverage: { uncovered = \"allow\"; backstop = \"off\"; };"
#define ALLOWED                                 \
	POLICY "paths: { write = [ \"/\" ]; };" \
	       "network: { connect = \"allow\"; bind = \"allow\"; resolve = \"allow\"; };"
#define AUDITED                                                     \
	POLICY "mode = \"audit\"; paths: { read = [ \"/usr\" ]; };" \
	       "network: { connect = \"deny\"; bind = \"deny\"; resolve = \"deny\"; };"

static void try(const char *policy, const char *state, const char *stride)
{
	struct call_world world;

	call_world_make(&world);
	make(&world, policy, state, stride);
	compare(&world, strcmp(state, "few") == 0);
	call_world_remove(&world);
}

Test(inputs, where_all_is_allowed, .timeout = 300)
{
	try(ALLOWED, "plain", "1");
}

Test(inputs, where_all_is_reported, .timeout = 300)
{
	try(AUDITED, "plain", "2");
}

Test(inputs, in_a_removed_folder, .timeout = 300)
{
	try(ALLOWED, "gone", "3");
}

Test(inputs, with_no_descriptor_left, .timeout = 300)
{
	try(ALLOWED, "few", "3");
}
