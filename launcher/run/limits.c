/* SPDX-License-Identifier: MIT */
/* The policy's limits as resource limits of the kernel. */
#include "run/limits.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "run/crowd.h"

#define MEGABYTE (1024 * 1024)
#define FILES_NEEDED 24 /* with a result, a backstop and what the caller left open */
#define FILES_WANTED 256

/* soft below hard leaves a program the signal before the end. */
static int lower(int resource, rlim_t soft, rlim_t hard)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit))
		return errno;
	if (hard < limit.rlim_max)
		limit.rlim_max = hard;
	if (soft < limit.rlim_cur)
		limit.rlim_cur = soft;
	if (limit.rlim_cur > limit.rlim_max)
		limit.rlim_cur = limit.rlim_max;
	return setrlimit(resource, &limit) ? errno : 0;
}

int limits_no_core(void)
{
	return lower(RLIMIT_CORE, 0, 0);
}

int limits_apply(const struct policy_limits *limits)
{
	struct {
		int resource;
		int64_t amount, unit, margin;
	} table[] = {
		{RLIMIT_CPU, limits->cpu_seconds, 1, 1},
		{RLIMIT_AS, limits->memory_mb, MEGABYTE, 0},
		{RLIMIT_FSIZE, limits->file_size_mb, MEGABYTE, 0},
		{RLIMIT_NOFILE, limits->open_files, 1, 0},
		/* the kernel counts all that the user has: a stop behind the one of run/crowd.h */
		{RLIMIT_NPROC, limits->processes ? limits->processes + crowd_tasks() : 0, 1, 0},
	};
	int error = limits_no_core();

	for (size_t i = 0; !error && i < sizeof(table) / sizeof(table[0]); i++) {
		rlim_t amount = (rlim_t)table[i].amount * table[i].unit;

		if (table[i].amount > 0)
			error = lower(table[i].resource, amount, amount + table[i].margin);
	}
	return error;
}

bool limits_open_files(struct rlimit *ret_before, struct failure *failure)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, ret_before))
		return failure_set(failure, "cannot tell how many files may be open: %s", strerror(errno));
	if (ret_before->rlim_max < FILES_NEEDED)
		return failure_set(failure, "bridle needs %d open files and may have %llu: raise it with 'ulimit -n %d'",
				   FILES_NEEDED, (unsigned long long)ret_before->rlim_max, FILES_WANTED);
	limit = *ret_before;
	if (limit.rlim_cur >= FILES_WANTED)
		return true;
	limit.rlim_cur = limit.rlim_max < FILES_WANTED ? limit.rlim_max : FILES_WANTED;
	return !setrlimit(RLIMIT_NOFILE, &limit) || failure_set(failure, "cannot open more files: %s", strerror(errno));
}

enum rule limits_verdict(const struct policy_limits *limits, int wait_status, double cpu_used)
{
	int number = 0;

	if (WIFSIGNALED(wait_status))
		number = WTERMSIG(wait_status);
	else if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) > 128)
		number = WEXITSTATUS(wait_status) - 128;
	if (limits->cpu_seconds > 0 && number == SIGXCPU)
		return RULE_LIMIT_CPU;
	if (limits->cpu_seconds > 0 && number == SIGKILL && cpu_used >= limits->cpu_seconds)
		return RULE_LIMIT_CPU;
	if (limits->file_size_mb > 0 && number == SIGXFSZ)
		return RULE_LIMIT_FILE_SIZE;
	return RULE_NONE;
}
