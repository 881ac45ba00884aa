/* SPDX-License-Identifier: MIT */
/* bridle run: a command under the policy. */
#include "run/run.h"

#include "commands.h"
#include "usage.h"

int command_run(int argc, char **argv)
{
	struct options options;
	struct failure failure;
	bool parsed = options_parse(argc, argv, &options, &failure);
	int status;

	if (!usage_answer("run", &options, parsed, &failure, &status))
		status = run_session(&options, NULL);
	options_free(&options);
	return status;
}
