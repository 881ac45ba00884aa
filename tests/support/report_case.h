/* SPDX-License-Identifier: MIT */
/* What the tests of launcher/report/ share. Everything here fails the test instead of returning an error. */
#ifndef BRIDLE_TEST_REPORT_CASE_H
#define BRIDLE_TEST_REPORT_CASE_H

#include <jansson.h>

#include "report/format.h"

#define REPORT_CASES "tests/cases/report/"

/* A finished summary of lines (NULL-terminated; each a JSON object without the keys v and session), to be freed. */
struct summary *test_summary(const char *const *lines);

/* A finished summary of a file below REPORT_CASES. */
struct summary *test_summary_file(const char *name);

typedef void test_writer(FILE *out, const void *data);

/* What a writer writes, to be freed. */
char *test_written(test_writer *writer, const void *data);

/* Does `value` fit the JSON schema in file `name`? Fails the test with the place that does not. */
void test_schema(const char *name, const json_t *value);

#endif
