/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_DOCTOR_STATIC_H
#define BRIDLE_DOCTOR_STATIC_H

#include <stdbool.h>

/*
 * Writes a static program without any libc to path (mode 0755): it creates the file "target" of its working folder and
 * exits with 0 or with the errno it got. False with errno.
 */
bool static_write(const char *path);

#endif
