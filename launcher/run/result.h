/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_RESULT_H
#define BRIDLE_RESULT_H

#include <jansson.h>
#include <stdbool.h>

#include "run/capture.h"
#include "run/outcome.h"

/* What the result (design 1.3) is made of. */
struct result {
	const struct outcome *outcome;
	const struct capture *output, *error; /* NULL: nothing was captured */
	const char *reason;                   /* NULL: none */
	json_t *violations;                   /* array or NULL; borrowed */
	uint64_t violation_count;
	const char *session;
};

/* The result as an object with its keys in the order of the design. NULL without memory. The caller drops it. */
json_t *result_build(const struct result *result);

/* Words of a user, or any text, as a JSON string, whatever bytes they hold. */
json_t *result_words(const char *words);
json_t *result_text(const char *bytes, size_t size);

/* Writes an object as one line. False with errno set when it could not be written whole. */
bool result_write(const json_t *object, int file);

#endif
