/* SPDX-License-Identifier: MIT */
/* Watches how many processes a session has. */
#include "run/crowd.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "run/tree.h"

#define AHEAD (-10) /* nice(2) */
#define LOOK_MS 20
#define COUNT_MS 200 /* after a count of the session's own processes, which costs a walk through /proc */

int64_t crowd_tasks(void)
{
	int file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
	char text[128];
	long long tasks;
	ssize_t got;

	if (file < 0)
		return 0;
	got = read(file, text, sizeof(text) - 1);
	close(file);
	if (got <= 0)
		return 0;
	text[got] = '\0';
	return sscanf(text, "%*s %*s %*s %*[0-9]/%lld", &tasks) == 1 ? tasks : 0;
}

void crowd_start(struct crowd *crowd, int64_t limit, int64_t now)
{
	/* Among hundreds of busy processes a launcher of their rank would look too late. Root may, others have RLIMIT_NPROC. */
	if (limit)
		setpriority(PRIO_PROCESS, 0, AHEAD);
	*crowd = (struct crowd){.limit = limit, .least = crowd_tasks(), .next = now + LOOK_MS};
}

bool crowd_look(struct crowd *crowd, int64_t now)
{
	int64_t tasks;

	if (!crowd->limit || now < crowd->next)
		return false;
	tasks = crowd_tasks();
	crowd->next = now + LOOK_MS;
	if (tasks < crowd->least)
		crowd->least = tasks;
	if (tasks && tasks - crowd->least <= crowd->limit / 2)
		return false;
	crowd->next = now + COUNT_MS;
	return (int64_t)tree_signal(0) > crowd->limit;
}

int crowd_wait(const struct crowd *crowd, int64_t now)
{
	if (!crowd->limit)
		return -1;
	return crowd->next > now ? (int)(crowd->next - now) : 0;
}
