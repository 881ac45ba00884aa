/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_SERVE_CPU_TIME_H
#define BRIDLE_SERVE_CPU_TIME_H

#include <sys/types.h>

/* Seconds that the descendants of a process have used, with those they waited for; 0 where that cannot be told. */
double cpu_time_below(pid_t pid);

#endif
