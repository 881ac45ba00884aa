/* SPDX-License-Identifier: MIT */
/* In a vfork child the parent's memory is used: refusals, moves of the working directory and exec leave it as it was. */
#include "life.h"

extern char **environ;

static pid_t start(const char *program, volatile int *ret_error)
{
	char *argv[] = {(char *)(size_t)program, NULL};
	pid_t pid = vfork();

	if (pid == 0) {
		execve(program, argv, environ);
		*ret_error = errno;
		_exit(0);
	}
	return pid;
}

int main(void)
{
	volatile int error = 0;
	pid_t pid;

	must(is_opened("./f")); /* our own directory is known now */
	must(ended_well(start("./forbidden", &error)));
	must(error == EACCES);
	error = 0;
	must(ended_well(start("./fine", &error)));
	must(error == 0);

	pid = vfork();
	if (pid == 0) {
		if (chdir("dir") == 0 && is_opened("inner") && is_opened("../f"))
			_exit(0);
		_exit(1);
	}
	must(ended_well(pid));
	must(is_opened("f"));
	must(!is_opened("inner"));
	must(is_refused(OUTSIDE));
	return 0;
}
