/* SPDX-License-Identifier: MIT */
/* From a plan to a running process. */
#include "run/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/limits.h"

static bool redirect(const struct plan *plan)
{
	if (plan->empty_stdin) {
		int nothing = open("/dev/null", O_RDONLY);

		if (nothing < 0 || (nothing != STDIN_FILENO && dup2(nothing, STDIN_FILENO) < 0))
			return false;
		if (nothing > STDERR_FILENO)
			close(nothing);
	}
	if (plan->output >= 0 && dup2(plan->output, STDOUT_FILENO) < 0)
		return false;
	return plan->error < 0 || dup2(plan->error, STDERR_FILENO) >= 0;
}

static void execute(const struct plan *plan)
{
	size_t count = 0;
	const char **shell;

	backstop_execute(plan->backstop, plan->path, plan->argv, plan->environment);
	if (errno != ENOEXEC)
		return;
	while (plan->argv[count])
		count++;
	shell = calloc(count + 2, sizeof(*shell));
	if (!shell)
		return;
	shell[0] = "sh";
	shell[1] = plan->path;
	for (size_t i = 1; i < count; i++)
		shell[i + 1] = plan->argv[i];
	backstop_execute(plan->backstop, "/bin/sh", (char *const *)shell, plan->environment);
	free(shell);
}

/* In the child, which borrows the launcher's memory: the answer to what went wrong is left there. */
static _Noreturn void become(const struct plan *plan, pid_t launcher, volatile int *error)
{
	/* Nobody reads its report or keeps its limits once the launcher is gone. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != launcher)
		_exit(1);
	if (redirect(plan)) {
		*error = setrlimit(RLIMIT_NOFILE, &plan->open_files) ? errno : limits_apply(plan->limits);
		if (!*error)
			*error = belt_enter(plan->belt);
		if (!*error) {
			/* the launcher hears why */
			if (!backstop_install(plan->backstop))
				_exit(1);
			sigprocmask(SIG_SETMASK, plan->signals, NULL);
			execute(plan);
			*error = errno;
		}
	} else {
		*error = errno;
	}
	_exit(1);
}

/* Kills and reaps a child that cannot go on. */
static void give_up(pid_t child)
{
	kill(child, SIGKILL);
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
}

/*
 * To copy the launcher's memory takes longer than all the rest of the start. The launcher goes on when the child has
 * executed or ended; it waits for that anyway, and what the child does until then never stops in its supervisor.
 */
pid_t spawn(const struct plan *plan, struct failure *failure)
{
	const pid_t launcher = getpid();
	volatile int error = 0;
	volatile pid_t child = vfork();

	if (!child)
		become(plan, launcher, &error);
	if (child < 0)
		return -1;
	if (!error && !backstop_start(plan->backstop, &plan->watched, failure))
		error = ENOSYS;
	if (!error)
		return child;
	give_up(child);
	errno = error;
	return -1;
}
