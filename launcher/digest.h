/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_DIGEST_H
#define BRIDLE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIGEST_HEX_SIZE 65 /* SHA-256 as lower-case hex, with a NUL */

/* SHA-256 of some bytes. */
void digest_bytes(const void *bytes, size_t size, char hex[DIGEST_HEX_SIZE]);

/* SHA-256 of what an open descriptor still holds; false with errno set when reading fails. */
bool digest_file(int file, char hex[DIGEST_HEX_SIZE]);

#endif
