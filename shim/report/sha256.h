/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_REPORT_SHA256_H
#define BRIDLE_REPORT_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_TEXT 65 /* 64 hexadecimal digits and a NUL */

/* What was read so far: sha256_start() it, add bytes, finish it once. */
struct sha256 {
	uint32_t state[8];
	uint64_t length; /* bytes */
	uint8_t block[64];
};

void sha256_start(struct sha256 *sha256);
void sha256_add(struct sha256 *sha256, const void *bytes, size_t size);
void sha256_finish(struct sha256 *sha256, char text[SHA256_TEXT]);

/* The SHA-256 of size bytes, as lower-case hexadecimal digits. All pure; about 600 bytes of stack. */
void sha256_text(char text[SHA256_TEXT], const void *bytes, size_t size);

#endif
