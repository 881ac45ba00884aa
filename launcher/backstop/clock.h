/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_BACKSTOP_CLOCK_H
#define BRIDLE_BACKSTOP_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Milliseconds since some moment, to a tick of the kernel's and never 0, which may stand for no moment. Any thread. */
static inline int64_t clock_milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 + 1;
}

#endif
