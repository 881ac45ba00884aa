/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_POLICY_STRING_H
#define BRIDLE_POLICY_STRING_H

#include <stdio.h>

/* Writes text as a string of a policy file (libconfig): quoted, with the bytes that need it escaped. */
void policy_string(FILE *out, const char *text);

#endif
