/* SPDX-License-Identifier: MIT */
/*
 * check RULES... compiles a policy with so many path rules and prints, for each number, the nanoseconds of one
 * check_path over the same paths: medians of interleaved rounds. check line prints those of one report line about
 * a refusal, check allowed-line those of one that a trace writes about an allowed open.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check/path.h"
#include "compile/compile.h"
#include "policy/policy.h"
#include "report/line.h"

enum {
	COUNTS_MAX = 4,
	ROUNDS = 31,
	CALLS = 5000
};

/* Rules that both policies hold, what lies under them, and what no rule covers. */
static const char *const paths[] = {
	"/data/part0/set0", "/data/part3/set3/a/b/c/file", "/data/part9/set9/x", "/data/part5/set0/file",
	"/data/other/file", "/usr/lib/x86_64-linux-gnu/libc.so.6", "/home/dev/.ssh/id_rsa", "/"};

static void write_policy(const char *file, long rules)
{
	FILE *out = fopen(file, "w");

	if (out == NULL) {
		perror(file);
		exit(1);
	}
	fputs("extends = \"none\";\npaths: { read = [ ", out);
	for (long i = 0; i < rules; i++)
		fprintf(out, "%s\"/data/part%ld/set%ld\"", i ? ",\n  " : "", i, i % 97);
	fputs(" ]; };\n", out);
	fclose(out);
}

static struct image *compile(const char *folder, long rules)
{
	const struct compile_context context = {.home = "/home/dev", .tmpdir = "/tmp", .path = "/usr/bin:/bin"};
	struct policy_choice choice = {.root = folder};
	struct failure failure = {{0}};
	struct policy *policy;
	char file[4096];
	void *image = NULL;
	size_t size;

	snprintf(file, sizeof(file), "%s/rules.cfg", folder);
	write_policy(file, rules);
	choice.file = file;
	policy = policy_load(&choice, &failure);
	if (policy == NULL || !compile_image(policy, &context, &image, &size, &failure)) {
		fprintf(stderr, "bench: %s\n", failure.text);
		exit(1);
	}
	policy_free(policy);
	unlink(file);
	return image;
}

static volatile bool answer; /* keeps the calls */

static double round_of(const struct image *image)
{
	struct timespec began, ended;

	clock_gettime(CLOCK_MONOTONIC, &began);
	for (int i = 0; i < CALLS; i++) {
		const char *path = paths[(size_t)i % (sizeof(paths) / sizeof(paths[0]))];

		answer = check_path(image, OP_READ, path, strlen(path)).denied;
	}
	clock_gettime(CLOCK_MONOTONIC, &ended);
	return ((double)(ended.tv_sec - began.tv_sec) * 1e9 + (double)(ended.tv_nsec - began.tv_nsec)) / CALLS;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double line_round(const struct image *image, bool allowed)
{
	const char *subject = allowed ? "/usr/include/x86_64-linux-gnu/bits/types.h" : "../outside";
	const struct request request = {.op = OP_READ,
					.call = "open64",
					.subject = subject,
					.path = allowed ? subject : "/home/dev/outside",
					.path_length = allowed ? strlen(subject) : 17};
	const struct report_context context = {.via = "shim",
					       .session = "1f3c9a0b2d4e",
					       .exe = "/usr/bin/python3.11",
					       .pid = 4711,
					       .ppid = 4710,
					       .tid = 4711,
					       .seconds = 1790000000,
					       .microseconds = 123456,
					       .enforced = !allowed,
					       .errno_name = allowed ? NULL : "EACCES"};
	const struct decision decision = allowed ? DECISION_ALLOW : DECISION_DENY(RULE_PATH_JAIL);
	struct timespec began, ended;
	char buffer[4096];
	size_t length = 0;

	clock_gettime(CLOCK_MONOTONIC, &began);
	for (int i = 0; i < CALLS; i++)
		length += report_line(buffer, sizeof(buffer), image, &request, &decision, &context);
	clock_gettime(CLOCK_MONOTONIC, &ended);
	answer = length > 0;
	return ((double)(ended.tv_sec - began.tv_sec) * 1e9 + (double)(ended.tv_nsec - began.tv_nsec)) / CALLS;
}

static int measure_line(const char *folder, bool allowed)
{
	struct image *image = compile(folder, 10);
	double times[ROUNDS];

	rmdir(folder);
	for (int round = -1; round < ROUNDS; round++)
		times[round < 0 ? 0 : round] = line_round(image, allowed);
	qsort(times, ROUNDS, sizeof(double), ascending);
	printf("%.1f\n", times[ROUNDS / 2]);
	free(image);
	return 0;
}

int main(int argc, char **argv)
{
	char folder[] = "/tmp/bench-check-XXXXXX";
	struct image *image[COUNTS_MAX];
	double times[COUNTS_MAX][ROUNDS];
	int count = argc - 1;

	if (count < 1 || count > COUNTS_MAX || mkdtemp(folder) == NULL) {
		fputs("usage: check RULES... | check line | check allowed-line\n", stderr);
		return 2;
	}
	if (strcmp(argv[1], "line") == 0 || strcmp(argv[1], "allowed-line") == 0)
		return measure_line(folder, argv[1][0] == 'a');
	for (int i = 0; i < count; i++)
		image[i] = compile(folder, atol(argv[i + 1]));
	rmdir(folder);
	for (int round = -1; round < ROUNDS; round++)
		for (int i = 0; i < count; i++)
			times[i][round < 0 ? 0 : round] = round_of(image[i]);
	for (int i = 0; i < count; i++) {
		qsort(times[i], ROUNDS, sizeof(double), ascending);
		printf("%.1f\n", times[i][ROUNDS / 2]);
		free(image[i]);
	}
	return 0;
}
