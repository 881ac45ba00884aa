/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_COMMAND_REPORT_H
#define BRIDLE_COMMAND_REPORT_H

/*
 * `bridle report [OPTION]... [FILE]...`: argv[0] is "report". Returns the exit status: 0 done; for `diff`: 1 when the second
 * file shows anything new; 2 a file could not be read or written, or the usage is wrong.
 */
int command_report(int argc, char **argv);

#endif
