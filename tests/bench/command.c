/* SPDX-License-Identifier: MIT */
/*
 * What the rules on names and arguments cost: the CPU time of one check_command for common calls under profile tool, and
 * how it grows when the tables hold twenty times as many names. Prints rows; medians of interleaved rounds. command quick
 * prints only the nanoseconds of the median line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check/command.h"
#include "compile/compile.h"
#include "policy/policy.h"

enum {
	ROUNDS = 31,
	CALLS = 400,
	WORDS_MAX = 24,
	NAMES = 500 /* of one entry */
};

static const char *const lines[] = {
	"ls -la",
	"git -c core.pager=cat push origin main",
	"git commit -m message --author=me src/a.c",
	"gcc -O2 -Wall -Wextra -Iinclude -Isrc -DX=1 -c a.c -o a.o",
	"python3 script.py --verbose a b c",
	"find . -name *.c -exec grep -l foo {} +",
	"tar -czf a.tgz --exclude=*.o src",
	"docker run --rm -e A=1 -v /x:/y image command a b c",
	"nice -n 5 timeout 9 env A=1 nohup setsid stdbuf -o0 ionice -c3 chrt -i 0 make x",
};
#define LINES (sizeof(lines) / sizeof(lines[0]))

static void write_policy(FILE *out, int entries)
{
	fputs("extends = \"tool\";\nargv: { doors = (\n", out);
	for (int entry = 0; entry < entries; entry++) {
		fprintf(out, "%s{ name = \"", entry ? ",\n" : "");
		for (int name = 0; name < NAMES; name++)
			fprintf(out, "%stool%d-%d", name ? "|" : "", entry, name);
		fputs("\"; values = [ \"-a|--alpha\", \"-b|--beta\" ]; door = [ \"--run\" ]; }", out);
	}
	fputs("\n); };\n", out);
	fclose(out);
}

static struct image *compile(const char *file, const char *root, int entries)
{
	const struct compile_context context = {.home = "/home/dev", .tmpdir = "/tmp", .path = ""};
	struct policy_choice choice = {.file = file, .root = root};
	struct failure failure = {""};
	FILE *out = fopen(file, "we");
	struct policy *policy;
	void *image = NULL;
	size_t size;

	if (!out) {
		perror(file);
		exit(1);
	}
	write_policy(out, entries);
	policy = policy_load(&choice, &failure);
	unlink(file);
	if (!policy || !compile_image(policy, &context, &image, &size, &failure)) {
		fprintf(stderr, "bench: %s\n", failure.text);
		exit(1);
	}
	policy_free(policy);
	return image;
}

static volatile bool answer; /* keeps the calls */

/* Microseconds of one call. */
static double round_of(const struct image *image, const struct command *command)
{
	struct timespec began, ended;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &began);
	for (int i = 0; i < CALLS; i++)
		answer = check_command(image, command).denied;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ended);
	return ((double)(ended.tv_sec - began.tv_sec) * 1e6 + (double)(ended.tv_nsec - began.tv_nsec) / 1e3) / CALLS;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void measure(const char *line, struct image *const image[2], double ret_median[2])
{
	char *words = strdup(line), *argv[WORDS_MAX];
	struct command command = {.argv = argv, .launch = true};
	double times[2][ROUNDS];

	for (char *at = strtok(words, " "); at && command.argc < WORDS_MAX - 1; at = strtok(NULL, " "))
		argv[command.argc++] = at;
	argv[command.argc] = NULL;
	command.program = argv[0];
	for (int round = -1; round < ROUNDS; round++)
		for (int i = 0; i < 2; i++)
			times[i][round < 0 ? 0 : round] = round_of(image[i], &command);
	for (int i = 0; i < 2; i++) {
		qsort(times[i], ROUNDS, sizeof(double), ascending);
		ret_median[i] = times[i][ROUNDS / 2];
	}
	free(words);
}

static void print_table(struct image *const image[2])
{
	double median[2], worst = 0, sum[2] = {0};

	printf("%-44s %8s %8s\n", "check of one argv, microseconds", "tables", "20 times");
	for (size_t i = 0; i < LINES; i++) {
		measure(lines[i], image, median);
		printf("  %-42.42s %8.2f %8.2f\n", lines[i], median[0], median[1]);
		worst = median[0] > worst ? median[0] : worst;
		sum[0] += median[0];
		sum[1] += median[1];
	}
	printf("%-44s %8.2f %8s  (budget 20)\n", "slowest", worst, "");
	printf("%-44s %8s %8.2f  (budget 1.30; %u names, then %u)\n", "growth", "", sum[1] / sum[0],
	       image[0]->tools.count, image[1]->tools.count);
}

static void print_median(struct image *const image[2])
{
	double median[2], times[LINES];

	for (size_t i = 0; i < LINES; i++) {
		measure(lines[i], image, median);
		times[i] = median[0] * 1e3;
	}
	qsort(times, LINES, sizeof(double), ascending);
	printf("%.0f\n", times[LINES / 2]);
}

int main(int argc, char **argv)
{
	char folder[] = "/tmp/bench-command-XXXXXX", file[64];
	bool quick = argc == 2 && strcmp(argv[1], "quick") == 0;
	struct image *image[2];

	if (!mkdtemp(folder))
		return 1;
	snprintf(file, sizeof(file), "%s/rules.cfg", folder);
	image[0] = compile(file, folder, quick ? 0 : 1);
	image[1] = quick ? image[0] : compile(file, folder, (int)(image[0]->tools.count / NAMES) * 20);
	rmdir(folder);
	if (quick) {
		print_median(image);
	} else {
		print_table(image);
		free(image[1]);
	}
	free(image[0]);
	return 0;
}
