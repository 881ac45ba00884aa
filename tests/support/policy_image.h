/* SPDX-License-Identifier: MIT */
/* Policies and images for tests: from a text to what the checks read. */
#ifndef BRIDLE_TESTS_POLICY_IMAGE_H
#define BRIDLE_TESTS_POLICY_IMAGE_H

#include <stddef.h>

#include "failure.h"
#include "image.h"
#include "policy/policy.h"

/* A fresh folder, resolved; static storage, one a process. Removed at exit when empty again. */
const char *test_folder(void);

/* Writes FOLDER/name and returns its path, from malloc. */
char *test_file(const char *name, const char *text);

/* Loads the text as FOLDER/test.cfg with the folder as its root. NULL with the words in failure where it is bad. */
struct policy *test_policy(const char *text, struct failure *failure);

/* The image of the text, home /home/dev, TMPDIR /scratch/tmp, no PATH; fails the test where it is bad. From malloc. */
struct image *test_image(const char *text, size_t *ret_size);

/* The same of "%s" formats: `root` is replaced for each "@" in text, so that tables can name paths below it. */
char *test_rooted(const char *text);

#endif
