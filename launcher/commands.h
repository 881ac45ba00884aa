/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_COMMANDS_H
#define BRIDLE_COMMANDS_H

/* The commands of commands.def: each reads its own arguments, prints its own answer and returns the exit status. */
#define COMMAND(name, arguments, words) int command_##name(int argc, char **argv);
#include "commands.def"
#undef COMMAND

/* Exit statuses of bridle itself (a command's own status passes through). */
enum {
	STATUS_TIMED_OUT = 124,
	STATUS_FAILED = 125, /* usage, policy, system: bridle could not do its work */
	STATUS_DENIED = 126, /* refused at launch, or found but not executable */
	STATUS_NOT_FOUND = 127,
	STATUS_SIGNAL = 128,     /* + the signal's number */
	STATUS_CHECK_DENIED = 1, /* of check */
	STATUS_CHECK_ERROR = 2,
};

#endif
