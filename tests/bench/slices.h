/* SPDX-License-Identifier: MIT */
/*
 * How the measured programs time a call: many slices of it, and the least of them, which what else the machine does seldom
 * lengthens all.
 */
#ifndef BRIDLE_BENCH_SLICES_H
#define BRIDLE_BENCH_SLICES_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A kind of call, as the command line names it. */
struct measured {
	const char *name;
	void (*call)(void);
	long slice;  /* calls that are timed together */
	long breath; /* nanoseconds of rest before a slice, for whoever reads what the calls wrote */
};

static inline void die(const char *what)
{
	fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
	exit(1);
}

static inline uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Prints the nanoseconds that one of count calls took, by the wall clock. */
static inline void measure(const struct measured *one, long count)
{
	const struct timespec breath = {.tv_nsec = one->breath};
	double least = 0;

	for (long i = 0; i < count / 10 + 1; i++)
		one->call(); /* warm */
	for (long done = 0; done < count; done += one->slice) {
		long calls = count - done < one->slice ? count - done : one->slice;
		uint64_t began;
		double took;

		if (one->breath)
			nanosleep(&breath, NULL);
		began = now();
		for (long i = 0; i < calls; i++)
			one->call();
		took = (double)(now() - began) / (double)calls;
		least = least == 0 || took < least ? took : least;
	}
	printf("%.1f\n", least);
}

/* Measures the one of that name. Result: the status to end with. */
static inline int measure_named(const struct measured *all, size_t length, const char *name, long count)
{
	for (size_t i = 0; i < length; i++)
		if (strcmp(name, all[i].name) == 0) {
			measure(&all[i], count);
			return 0;
		}
	fprintf(stderr, "bench: no case %s\n", name);
	return 2;
}

#endif
