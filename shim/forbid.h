/* SPDX-License-Identifier: MIT */
/*
 * Names that no file of the shim may use: what allocates, locks, uses stdio, ends the program, or would come back into
 * our own wrappers. Include it last. tests/support/layers.sh proves the same of the objects; this says it at the line.
 */
#ifndef BRIDLE_FORBID_H
#define BRIDLE_FORBID_H

#pragma GCC poison malloc calloc realloc free strdup asprintf
#pragma GCC poison printf fprintf sprintf snprintf vsnprintf puts fputs perror fflush
#pragma GCC poison abort atexit pthread_mutex_lock pthread_once pthread_key_create
#pragma GCC poison getenv setenv putenv unsetenv secure_getenv
#pragma GCC poison dladdr strerror strtok setlocale
#pragma GCC poison __thread _Thread_local

/* Around the functions that long paths are left to; every other frame stays below 2 KiB (SHIM_FLAGS). */
#define LONG_FRAME_BEGIN \
	_Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wframe-larger-than=\"")
#define LONG_FRAME_END _Pragma("GCC diagnostic pop")

#endif
