/* SPDX-License-Identifier: MIT */
/*
 * table BRIDLE CALLS CHECK prints what bridle costs: each row is measured bare and guarded in turn, in this one
 * run, and shows medians and, where one is set, the budget. A figure over its budget is said, not punished: the
 * status is 0 unless something could not be measured.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum {
	ROUNDS_MAX = 64,
	ARGUMENTS_MAX = 16
};

struct row {
	const char *what, *name;
	const char *count; /* calls a round */
	int rounds;
	double budget; /* ratio; 0: none */
};

static const struct row rows[] = {
	{"open + close, absolute path", "open-absolute", "20000", 15, 1.25},
	{"open + close, relative path", "open-relative", "20000", 15, 1.40},
	{"open of a missing file", "open-missing", "20000", 9, 0},
	{"openat by a directory + close", "open-directory", "20000", 9, 0},
	{"open to write + close", "open-create", "20000", 9, 0},
	{"fopen + fclose", "fopen", "20000", 9, 0},
	{"stat: never slower, a control", "stat", "20000", 9, 0},
	{"posix_spawn + wait, /bin/true", "spawn", "60", 15, 1.60},
	{"connect on loopback", "connect", "2000", 9, 0},
	{"open refused, with its line", "open-outside", "3000", 9, 0},
};

static const char *bridle, *calls, *check;
static char folder[] = "/tmp/bench-XXXXXX";
static char report[64];

static void die(const char *what)
{
	fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
	exit(1);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Starts argv with stdout on out; stdin and stderr lead nowhere. */
static pid_t start(const char *const *argv, int out)
{
	posix_spawn_file_actions_t actions;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out, 1);
	if (getenv("BENCH_VERBOSE") == NULL)
		posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	errno = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)(uintptr_t)argv, environ);
	if (errno != 0)
		die(argv[0]);
	posix_spawn_file_actions_destroy(&actions);
	return pid;
}

static void finish(pid_t pid, const char *what)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || status != 0) {
		fprintf(stderr, "bench: %s ended with wait status %#x (BENCH_VERBOSE=1 shows its words)\n",
			what, status);
		exit(1);
	}
}

/* Runs argv and reads up to `count` numbers, one a line, off its stdout. */
static void run_for_numbers(const char *const *argv, double *numbers, int count)
{
	int ends[2];
	FILE *lines;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		die("pipe");
	pid = start(argv, ends[1]);
	close(ends[1]);
	lines = fdopen(ends[0], "r");
	for (int i = 0; i < count; i++)
		if (lines == NULL || fscanf(lines, "%lf", &numbers[i]) != 1) {
			errno = ENODATA;
			die(argv[0]);
		}
	fclose(lines);
	finish(pid, argv[0]);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, int count)
{
	qsort(values, (size_t)count, sizeof(*values), ascending);
	return values[count / 2];
}

static const char *verdict(double value, double budget)
{
	return budget <= 0 ? "" : value <= budget ? "ok"
						  : "over";
}

/* A budget as the table shows it: "<= 1.25", or nothing. */
static const char *limit(double budget, const char *unit)
{
	static char text[32];

	text[0] = '\0';
	if (budget > 0)
		snprintf(text, sizeof(text), "<= %g%s", budget, unit);
	return text;
}

static void measure_calls(const struct row *row)
{
	const char *const bare[] = {calls, row->name, row->count, NULL};
	const char *const guarded[] = {bridle, "run", "--profile", "tool", "--report", report, "--",
				       calls, row->name, row->count, NULL};
	double without[ROUNDS_MAX], with[ROUNDS_MAX], ratios[ROUNDS_MAX];

	for (int i = 0; i < row->rounds; i++) {
		run_for_numbers(bare, &without[i], 1);
		run_for_numbers(guarded, &with[i], 1);
		ratios[i] = with[i] / without[i];
	}
	truncate(report, 0);
	{
		double ratio = median(ratios, row->rounds);

		printf("%-32s %9.2f us %9.2f us %7.2f  %-9s %s\n", row->what, median(without, row->rounds) / 1e3,
		       median(with, row->rounds) / 1e3, ratio, limit(row->budget, ""), verdict(ratio, row->budget));
	}
	fflush(stdout);
}

static double wall(const char *const *argv)
{
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	double began = now();

	finish(start(argv, nowhere), argv[0]);
	began = now() - began;
	close(nowhere);
	return began;
}

/* Milliseconds of processor that the processes waited for so far have taken. */
static double processor(void)
{
	struct rusage all;

	getrusage(RUSAGE_CHILDREN, &all);
	return (double)(all.ru_utime.tv_sec + all.ru_stime.tv_sec) * 1e3 +
	       (double)(all.ru_utime.tv_usec + all.ru_stime.tv_usec) / 1e3;
}

/* The wall clock has the budget; the processor's time tells how much of it is the machine's other work. */
static void measure_start(void)
{
	const char *const bare[] = {"true", NULL};
	const char *const guarded[] = {bridle, "run", "true", NULL};
	double without[ROUNDS_MAX], with[ROUNDS_MAX], more[ROUNDS_MAX], spent[ROUNDS_MAX];

	for (int i = 0; i < 41; i++) {
		without[i] = wall(bare);
		spent[i] = processor();
		with[i] = wall(guarded);
		spent[i] = processor() - spent[i];
		more[i] = with[i] - without[i];
	}
	{
		double added = median(more, 41);

		printf("%-32s %9.2f ms %9.2f ms %+7.2f  %-9s %s\n", "bridle run true", median(without, 41),
		       median(with, 41), added, limit(6, " ms"), verdict(added, 6));
		printf("%-32s %12s %9.2f ms\n", "... of the processor", "", median(spent, 41));
	}
	fflush(stdout);
}

static void measure_rules(void)
{
	const char *const few_and_many[] = {check, "10", "10000", NULL};
	double times[2], ratio;

	run_for_numbers(few_and_many, times, 2);
	ratio = times[1] / times[0];
	printf("%-32s %9.1f ns %9.1f ns %7.2f  %-9s %s\n", "check_path, 10 and 10,000 rules", times[0],
	       times[1], ratio, limit(1.3, ""), verdict(ratio, 1.3));
	fflush(stdout);
}

/* The most memory that a process has had so far, in MiB; 0 when it cannot be read any more. */
static double peak_of(pid_t pid)
{
	char path[64], line[256];
	double kib = 0;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	status = fopen(path, "r");
	while (status != NULL && fgets(line, sizeof(line), status) != NULL)
		if (sscanf(line, "VmHWM: %lf", &kib) == 1)
			break;
	if (status != NULL)
		fclose(status);
	return kib / 1024;
}

static void measure_memory(void)
{
	const char *const guarded[] = {bridle, "run", "--json", "--", calls, "print", "200", NULL};
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC), status;
	pid_t pid = start(guarded, nowhere);
	double peak = 0;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		double seen = peak_of(pid);

		if (seen > peak)
			peak = seen;
		usleep(500);
	}
	close(nowhere);
	if (status != 0) {
		errno = ECHILD;
		die("bridle run --json");
	}
	printf("%-32s %12s %8.2f MiB %7s  %-9s %s\n", "launcher, 200 MiB printed", "", peak, "", limit(8, " MiB"),
	       verdict(peak, 8));
}

static void make_folder(void)
{
	const char *const copy[] = {"cp", calls, "root/calls", NULL};

	if (mkdtemp(folder) == NULL || chdir(folder) < 0 || mkdir("root", 0755) < 0 || mkdir("root/a", 0755) < 0 ||
	    mkdir("root/a/b", 0755) < 0 || mkdir("root/a/b/c", 0755) < 0)
		die(folder);
	close(open("root/a/b/c/file", O_WRONLY | O_CREAT, 0644));
	close(open("outside", O_WRONLY | O_CREAT, 0644));
	snprintf(report, sizeof(report), "%s/report", folder);
	wall(copy); /* the measured program lies in the root, where it may be started */
	if (chdir("root") < 0)
		die("root");
	calls = "./calls";
}

static void remove_folder(void)
{
	const char *const remove[] = {"rm", "-r", folder, NULL};

	if (chdir("/") == 0)
		wall(remove);
}

int main(int argc, char **argv)
{
	char *path[3];

	if (argc != 4) {
		fputs("usage: table BRIDLE CALLS CHECK\n", stderr);
		return 2;
	}
	for (int i = 0; i < 3; i++)
		if ((path[i] = realpath(argv[i + 1], NULL)) == NULL)
			die(argv[i + 1]);
	bridle = path[0];
	calls = path[1];
	check = path[2];
	make_folder();
	atexit(remove_folder);
	printf("%-32s %12s %12s %7s  %-9s\n", "", "bare", "guarded", "ratio", "budget");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		measure_calls(&rows[i]);
	measure_start();
	measure_rules();
	measure_memory();
	return 0;
}
