/* SPDX-License-Identifier: MIT */
/*
 * backstop BRIDLE CALLS STATIC_CALLS prints what the backstop costs: each row is measured both ways in turn, in this one
 * run, and shows medians, their ratio and the budget. A figure over its budget is said, not punished.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS_MAX 32
#define SOURCES 100
#define OPENS "20000"
#define OFF "coverage.backstop=off"

static const char *bridle;
static char folder[] = "/var/tmp/bench-XXXXXX";

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

/* Runs argv to its end. Returns the number that it prints, or with wall set the milliseconds that it took. */
static double run(const char *const *argv, bool wall)
{
	int ends[2], status;
	double number = 0, began = now();
	char text[64] = "";
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) < 0)
		die("pipe");
	child = fork();
	if (child == 0) {
		int nothing = open("/dev/null", O_RDWR);

		dup2(nothing, 0);
		dup2(ends[1], 1);
		if (!getenv("BENCH_VERBOSE"))
			dup2(nothing, 2);
		execvp(argv[0], (char *const *)argv);
		_exit(127);
	}
	close(ends[1]);
	while (read(ends[0], text, sizeof(text) - 1) > 0)
		if (!wall)
			number = atof(text);
	close(ends[0]);
	if (waitpid(child, &status, 0) != child || status) {
		fprintf(stderr, "bench: %s ended with wait status %#x (BENCH_VERBOSE=1 shows its words)\n", argv[0], status);
		exit(1);
	}
	return wall ? now() - began : number;
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

struct row {
	const char *what;
	const char *const *base, *const *other;
	const char *const *before; /* made before each run, not measured; NULL: nothing */
	int rounds;
	bool wall;       /* the time of the whole run, else the number that it prints */
	bool difference; /* budget is on milliseconds more, else on the ratio */
	bool at_least;   /* the ratio is to be at least the budget */
	double budget;
};

static void measure(const struct row *row)
{
	double base[ROUNDS_MAX], other[ROUNDS_MAX], results[ROUNDS_MAX], result, scale = row->wall ? 1 : 1e3;
	const char *unit = row->wall ? "ms" : "us";

	for (int i = 0; i < row->rounds; i++) {
		if (row->before)
			run(row->before, true);
		base[i] = run(row->base, row->wall);
		if (row->before)
			run(row->before, true);
		other[i] = run(row->other, row->wall);
		results[i] = row->difference ? other[i] - base[i] : other[i] / base[i];
	}
	result = median(results, row->rounds);
	printf("%-44s %9.2f %s %9.2f %s %7.2f  %s %g%s %s\n", row->what, median(base, row->rounds) / scale, unit,
	       median(other, row->rounds) / scale, unit, result, row->at_least ? ">=" : "<=", row->budget,
	       row->difference ? " ms" : "", (row->at_least ? result >= row->budget : result <= row->budget) ? "ok" : "over");
	fflush(stdout);
}

static void write_sources(void)
{
	char name[32];
	FILE *file = fopen("Makefile", "w");

	fputs("all: $(patsubst %.c,%.o,$(wildcard f*.c))\nclean:\n\t@rm -f *.o\n", file);
	fclose(file);
	for (int i = 0; i < SOURCES; i++) {
		snprintf(name, sizeof(name), "f%d.c", i);
		file = fopen(name, "w");
		fprintf(file, "#include <stdio.h>\n#include <stdlib.h>\nint f%d(int x) { return x + %d; }\n", i, i);
		fclose(file);
	}
}

static void make_folder(const char *calls, const char *static_calls)
{
	const char *const copy[] = {"cp", calls, static_calls, folder, NULL};

	if (!mkdtemp(folder))
		die(folder);
	run(copy, true);
	if (chdir(folder) < 0 || mkdir("a", 0755) < 0 || mkdir("a/b", 0755) < 0 || mkdir("a/b/c", 0755) < 0)
		die(folder);
	close(open("a/b/c/file", O_WRONLY | O_CREAT, 0644));
	write_sources();
}

int main(int argc, char **argv)
{
	static const char *const remove[] = {"rm", "-rf", folder, NULL}, *const clean[] = {"make", "-s", "clean", NULL};
	static const char *const bare_static[] = {"./bench-calls-static", "open-supervised", OPENS, NULL};
	static const char *const bare_make[] = {"make", "-s", "-j2", NULL};
	static const char *const traced[] = {"strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "-e", "trace=openat",
					     "./bench-calls-static", "open-supervised", OPENS, NULL};

	if (argc != 4)
		return 2;
	bridle = argv[1];
	setenv("PATH", "/usr/bin:/bin", 1); /* no compiler cache, whose hits would be measured */
	make_folder(argv[2], argv[3]);
	{
		const char *const off[] = {bridle, "run", "-q", "--set", OFF, "./bench-calls", "open-supervised", OPENS, NULL};
		const char *const on[] = {bridle, "run", "-q", "./bench-calls", "open-supervised", OPENS, NULL};
		const char *const on_static[] = {bridle, "run", "-q", "./bench-calls-static", "open-supervised", OPENS, NULL};
		const char *const on_make[] = {bridle, "run", "-q", "make", "-s", "-j2", NULL};
		const char *const true_off[] = {bridle, "run", "-q", "--set", OFF, "true", NULL};
		const char *const true_on[] = {bridle, "run", "-q", "true", NULL};
		const struct row rows[] = {
			{"open + close, covered: without, with backstop", off, on, NULL, 15, .budget = 1.15},
			{"open + close, static: bare, backstop", bare_static, on_static, NULL, 15, .budget = 8},
			{"open + close, static: backstop, strace", on_static, traced, NULL, 5, .at_least = true, .budget = 3},
			{"bridle run true: without, with backstop", true_off, true_on, NULL, 31, .wall = true,
			 .difference = true, .budget = 3},
			{"make -j2 of 100 files: bare, backstop", bare_make, on_make, clean, 5, .wall = true, .budget = 1.15},
		};

		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
			if (rows[i].other != traced || !access("/usr/bin/strace", X_OK))
				measure(&rows[i]);
	}
	run(remove, true);
	return 0;
}
