/* SPDX-License-Identifier: MIT */
#ifndef BRIDLE_CHECK_BUILD_H
#define BRIDLE_CHECK_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image.h"

/* As much of a program's file as its build-id needs nearly always: ELF header, program headers, first notes. */
#define BUILD_HEAD 1024

/*
 * The GNU build-id of the program whose file starts with these bytes: the linker's hash of its contents, the same in every
 * copy whatever it is called. Longer ids are cut, shorter ones filled with zeros. False where there is none within the
 * bytes, or they are no 64-bit ELF file of this byte order. Pure: any thread, signal handler, after vfork.
 */
bool check_build_id(const void *head, size_t size, uint8_t ret_id[IMAGE_BUILD_SIZE]);

#endif
