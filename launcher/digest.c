/* SPDX-License-Identifier: MIT */
/* The SHA-256 of a file, read to its end. */
#include "digest.h"

#include <errno.h>
#include <unistd.h>

bool digest_file(int file, char hex[SHA256_TEXT])
{
	unsigned char buffer[16384];
	struct sha256 sha256;
	ssize_t got;

	sha256_start(&sha256);
	while ((got = read(file, buffer, sizeof(buffer))) != 0) {
		if (got > 0)
			sha256_add(&sha256, buffer, (size_t)got);
		else if (errno != EINTR)
			return false;
	}
	sha256_finish(&sha256, hex);
	return true;
}
