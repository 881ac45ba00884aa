/* SPDX-License-Identifier: MIT */
/* What the programs of a session cost so far, from proc(5). */
#include "serve/cpu_time.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DEPTH_MOST 16

static double cpu_time_of(pid_t pid)
{
	unsigned long long user, system, user_below, system_below;
	char path[64], text[1024], *end;
	FILE *stream;
	size_t got;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	stream = fopen(path, "re");
	if (!stream)
		return 0;
	got = fread(text, 1, sizeof(text) - 1, stream);
	fclose(stream);
	text[got] = '\0';
	end = strrchr(text, ')');
	if (!end || sscanf(end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu", &user, &system,
			   &user_below, &system_below) != 4)
		return 0;
	return (double)(user + system + user_below + system_below) / (double)sysconf(_SC_CLK_TCK);
}

static double below(pid_t pid, int depth)
{
	double seconds = 0;
	char path[64];
	FILE *stream;
	int child;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	stream = depth < DEPTH_MOST ? fopen(path, "re") : NULL;
	if (!stream)
		return 0;
	while (fscanf(stream, "%d", &child) == 1)
		seconds += cpu_time_of(child) + below(child, depth + 1);
	fclose(stream);
	return seconds;
}

double cpu_time_below(pid_t pid)
{
	return below(pid, 0);
}
