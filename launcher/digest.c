/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4): for pinned files and for naming the compiled policy in the report. */
#include "digest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct digest {
	uint32_t state[8];
	uint64_t length; /* bytes so far */
	unsigned char block[64];
};

static const uint32_t constants[64] = {
	0x428a2f98,
	0x71374491,
	0xb5c0fbcf,
	0xe9b5dba5,
	0x3956c25b,
	0x59f111f1,
	0x923f82a4,
	0xab1c5ed5,
	0xd807aa98,
	0x12835b01,
	0x243185be,
	0x550c7dc3,
	0x72be5d74,
	0x80deb1fe,
	0x9bdc06a7,
	0xc19bf174,
	0xe49b69c1,
	0xefbe4786,
	0x0fc19dc6,
	0x240ca1cc,
	0x2de92c6f,
	0x4a7484aa,
	0x5cb0a9dc,
	0x76f988da,
	0x983e5152,
	0xa831c66d,
	0xb00327c8,
	0xbf597fc7,
	0xc6e00bf3,
	0xd5a79147,
	0x06ca6351,
	0x14292967,
	0x27b70a85,
	0x2e1b2138,
	0x4d2c6dfc,
	0x53380d13,
	0x650a7354,
	0x766a0abb,
	0x81c2c92e,
	0x92722c85,
	0xa2bfe8a1,
	0xa81a664b,
	0xc24b8b70,
	0xc76c51a3,
	0xd192e819,
	0xd6990624,
	0xf40e3585,
	0x106aa070,
	0x19a4c116,
	0x1e376c08,
	0x2748774c,
	0x34b0bcb5,
	0x391c0cb3,
	0x4ed8aa4a,
	0x5b9cca4f,
	0x682e6ff3,
	0x748f82ee,
	0x78a5636f,
	0x84c87814,
	0x8cc70208,
	0x90befffa,
	0xa4506ceb,
	0xbef9a3f7,
	0xc67178f2,
};

static uint32_t rotate(uint32_t value, unsigned bits)
{
	return value >> bits | value << (32 - bits);
}

static void expand(const unsigned char *block, uint32_t words[64])
{
	for (int i = 0; i < 16; i++)
		words[i] = (uint32_t)block[4 * i] << 24 | block[4 * i + 1] << 16 | block[4 * i + 2] << 8 |
			   block[4 * i + 3];
	for (int i = 16; i < 64; i++) {
		uint32_t a = words[i - 15], b = words[i - 2];

		words[i] = words[i - 16] + words[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) +
			   (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
	}
}

static void compress(uint32_t state[8], const unsigned char *block)
{
	uint32_t words[64], v[8];

	expand(block, words);
	memcpy(v, state, sizeof(v));
	for (int i = 0; i < 64; i++) {
		uint32_t high = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
		uint32_t low = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
		uint32_t first = v[7] + high + ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[i] + words[i];
		uint32_t second = low + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));

		memmove(v + 1, v, 7 * sizeof(v[0]));
		v[4] += first;
		v[0] = first + second;
	}
	for (int i = 0; i < 8; i++)
		state[i] += v[i];
}

static void start(struct digest *digest)
{
	static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
					    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

	memcpy(digest->state, initial, sizeof(initial));
	digest->length = 0;
}

static void add(struct digest *digest, const unsigned char *bytes, size_t size)
{
	while (size) {
		size_t used = digest->length % 64, part = size < 64 - used ? size : 64 - used;

		memcpy(digest->block + used, bytes, part);
		digest->length += part;
		bytes += part;
		size -= part;
		if (used + part == 64)
			compress(digest->state, digest->block);
	}
}

static void finish(struct digest *digest, char hex[DIGEST_HEX_SIZE])
{
	uint64_t bits = digest->length * 8;
	unsigned char length[8];

	add(digest, (const unsigned char *)"\x80", 1);
	while (digest->length % 64 != 56)
		add(digest, (const unsigned char *)"", 1);
	for (int i = 0; i < 8; i++)
		length[i] = bits >> (56 - 8 * i);
	add(digest, length, 8);
	for (int i = 0; i < 8; i++)
		snprintf(hex + 8 * i, 9, "%08x", digest->state[i]);
}

void digest_bytes(const void *bytes, size_t size, char hex[DIGEST_HEX_SIZE])
{
	struct digest digest;

	start(&digest);
	add(&digest, bytes, size);
	finish(&digest, hex);
}

bool digest_file(int file, char hex[DIGEST_HEX_SIZE])
{
	unsigned char buffer[16384];
	struct digest digest;
	ssize_t got;

	start(&digest);
	while ((got = read(file, buffer, sizeof(buffer))) != 0) {
		if (got > 0)
			add(&digest, buffer, got);
		else if (errno != EINTR)
			return false;
	}
	finish(&digest, hex);
	return true;
}
