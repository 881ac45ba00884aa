/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_REPORT_SHA256_H
#define BRIDLE_REPORT_SHA256_H

#include <stddef.h>

#define SHA256_TEXT 65 /* 64 hexadecimal digits and a NUL */

/* The SHA-256 of size bytes, as lower-case hexadecimal digits. Pure; about 400 bytes of stack. */
void sha256_text(char text[SHA256_TEXT], const void *bytes, size_t size);

#endif
