/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CHECK_H
#define BRIDLE_CHECK_H

#include "options.h"

/* Judges the command of the options, writes the answer as they want it, and returns the exit status of `bridle check`. */
int check_answer(const struct options *options);

#endif
