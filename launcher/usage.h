/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_USAGE_H
#define BRIDLE_USAGE_H

#include "options.h"

/*
 * Answers --help and --version, or a command line that options_parse refused (failure, on stderr with the command's
 * name). True: the command is done, with the exit status in ret_status; otherwise it shall go on.
 */
bool usage_answer(const char *command, const struct options *options, bool parsed,
		  const struct failure *failure, int *ret_status);

#endif
