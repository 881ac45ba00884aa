/* SPDX-License-Identifier: MIT */
/* A fault that other preload libraries met, as a script below bridle. Its name tells its kind. */
#ifndef BRIDLE_FAULT_H
#define BRIDLE_FAULT_H

#include <stddef.h>

/* What a script needs beside a shell; without it there is nothing to try. */
#define NEEDS(program) "command -v " program " >/dev/null || { echo done; exit 0; }\n"
#define COMPILER NEEDS("gcc") "export TMPDIR=.\n"
#define PYTHON NEEDS("python3")

/* output: what must be printed. refusals: lines of the report; -1: not counted, as a program may be missing. */
struct fault {
	const char *kind, *script, *output;
	int refusals;
};

/* Each ended by a NULL kind. */
extern const struct fault faults_of_scripts[], faults_of_programs[];

#endif
