/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_COMMAND_LINE_H
#define BRIDLE_COMMAND_LINE_H

#include <stddef.h>

#define COMMAND_LINE_MAX 512 /* bytes of a command line that summaries keep, with the NUL */

/*
 * Writes argv as one line, each element quoted for a POSIX shell where it needs to be, NUL-terminated; what does not
 * fit is cut after a whole character and "..." stands there. Returns the length. size >= 8. Pure.
 */
size_t command_line(const char *const *argv, size_t argc, char *buffer, size_t size);

#endif
