/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_POLICY_WRITE_H
#define BRIDLE_POLICY_WRITE_H

#include <stdio.h>

#include "policy/setting.h"

/*
 * Writes the settings in libconfig's spelling, so that they can be read again as a policy that extends nothing; the key
 * `extends` itself is left out. A comment behind each entry says where it comes from.
 */
void write_settings(FILE *stream, const struct setting *top);

#endif
