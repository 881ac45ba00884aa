/* SPDX-License-Identifier: MIT */
/* Maps what became of a command to statuses. */
#include "run/outcome.h"

#include <errno.h>
#include <sys/wait.h>

#include "commands.h"

static int own_status(int wait_status)
{
	if (WIFSIGNALED(wait_status))
		return STATUS_SIGNAL + WTERMSIG(wait_status);
	return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : STATUS_FAILED;
}

/* As a shell says it: not there, or there and not to be executed; anything else is not the command's fault. */
static int unstarted_status(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		return STATUS_NOT_FOUND;
	case EACCES:
	case EPERM:
	case ENOEXEC:
	case EISDIR:
	case ELIBBAD:
	case ETXTBSY:
	case ELOOP:
	case ENAMETOOLONG:
	case E2BIG:
		return STATUS_DENIED;
	default:
		return STATUS_FAILED;
	}
}

int outcome_status(const struct outcome *outcome)
{
	switch (outcome->kind) {
	case OUTCOME_DENIED:
		return STATUS_DENIED;
	case OUTCOME_UNSTARTED:
		return unstarted_status(outcome->error);
	case OUTCOME_ENDED:
	case OUTCOME_CROWDED:
		return own_status(outcome->wait_status);
	case OUTCOME_TIMED_OUT:
		return STATUS_TIMED_OUT;
	default:
		return STATUS_FAILED;
	}
}

int outcome_exit_code(const struct outcome *outcome)
{
	if (outcome->kind == OUTCOME_DENIED)
		return EXIT_CODE_DENIED;
	if (outcome->kind == OUTCOME_TIMED_OUT)
		return EXIT_CODE_TIMED_OUT;
	return outcome_status(outcome);
}

int outcome_signal(const struct outcome *outcome)
{
	bool ran = outcome->kind != OUTCOME_DENIED && outcome->kind != OUTCOME_UNSTARTED;

	return ran && WIFSIGNALED(outcome->wait_status) ? WTERMSIG(outcome->wait_status) : 0;
}
