/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_DIGEST_H
#define BRIDLE_DIGEST_H

#include <stdbool.h>

#include "report/sha256.h"

/* SHA-256 of what an open descriptor still holds; false with errno set when reading fails. */
bool digest_file(int file, char hex[SHA256_TEXT]);

#endif
