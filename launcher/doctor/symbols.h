/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_DOCTOR_SYMBOLS_H
#define BRIDLE_DOCTOR_SYMBOLS_H

#include <jansson.h>
#include <stdbool.h>

#include "failure.h"

/* The interposed names as an array of objects: name, family. */
json_t *symbols_list(void);

/*
 * What an ELF file imports, as an object: guarded, unguarded (arrays of objects: name, words). NULL with the reason in
 * failure: no such file, or not an ELF file of this machine's kind.
 */
json_t *symbols_imports(const char *path, struct failure *failure);

#endif
