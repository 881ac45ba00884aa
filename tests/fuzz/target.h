/* SPDX-License-Identifier: MIT */
/*
 * What the fuzz targets share. A target feeds bytes to one part and calls `require` for what must hold of the answer,
 * whatever the bytes: a broken promise aborts, and libFuzzer keeps the input.
 */
#ifndef BRIDLE_FUZZ_TARGET_H
#define BRIDLE_FUZZ_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "failure.h"
#include "image.h"
#include "policy/policy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

#define require(condition)                                                                      \
	do {                                                                                    \
		if (!(condition)) {                                                             \
			fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                                \
		}                                                                               \
	} while (0)

/* The image that a policy choice compiles to, or NULL; to be freed. Variables stand for fixed folders. */
static inline struct image *fuzz_image(const struct policy_choice *choice, size_t *ret_size)
{
	const struct compile_context context = {
		.home = "/home/dev",
		.tmpdir = "/tmp/bridle-fuzz/tmp",
		.path = "/usr/bin:/bin",
		.session = "/tmp/bridle-fuzz",
	};
	struct failure failure = {{0}};
	struct policy *policy = policy_load(choice, &failure);
	void *image = NULL;

	if (policy == NULL) {
		require(failure.text[0] != '\0');
		return NULL;
	}
	if (!compile_image(policy, &context, &image, ret_size, &failure)) {
		require(failure.text[0] != '\0');
		image = NULL;
	}
	policy_free(policy);
	return image;
}

/* The image of a built-in profile. */
static inline struct image *fuzz_profile(const char *name, size_t *ret_size)
{
	const struct policy_choice choice = {.profile = name, .root = "/"};
	struct image *image = fuzz_image(&choice, ret_size);

	require(image != NULL);
	return image;
}

/* A NUL-terminated copy of exactly the bytes it needs, so that a read past its end is seen. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	require(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/*
 * Cuts the next piece, up to a NUL or the end, off the input, as a string of its own; NULL when nothing is left.
 */
static inline char *fuzz_piece(const uint8_t **data, size_t *size)
{
	const uint8_t *end;
	size_t length;
	char *text;

	if (*size == 0)
		return NULL;
	end = memchr(*data, '\0', *size);
	length = end != NULL ? (size_t)(end - *data) : *size;
	text = fuzz_text(*data, length);
	length += end != NULL;
	*data += length;
	*size -= length;
	return text;
}

#endif
