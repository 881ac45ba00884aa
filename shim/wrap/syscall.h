/* SPDX-License-Identifier: MIT */
/* Between the stub of syscall() and its C part: not for anyone else. */
#ifndef BRIDLE_WRAP_SYSCALL_H
#define BRIDLE_WRAP_SYSCALL_H

#include <stdbool.h>

/* Two registers wide, so that the stub finds both parts in registers. */
struct syscall_answer {
	long result; /* what the caller gets, errno set, when real is NULL */
	void *real;  /* else: where to go on, registers as they came */
};

/*
 * saved: the number and the arguments as the stub saved them. On x86-64 the sixth argument stands on the stack and
 * the return address between it and the rest.
 */
struct syscall_answer syscall_ask(const long *saved);

/*
 * Judges a raw system call as what it is by name. True when it was answered here, *ret as the kernel would give it; false
 * when the kernel may be asked.
 */
bool syscall_judge(long number, const long arguments[6], long *ret);

/* An argument that is a path. */
static inline const char *syscall_text(long argument)
{
	return (const char *)argument;
}

/* syscall_judge of the numbers that name files, but for those that open one. */
bool syscall_judge_file(long number, const long arguments[6], long *ret);

/*
 * Makes a call that was allowed, where the backstop's fast lane takes it: a sixth argument leaves no register for the word.
 * False when libc is to make it.
 */
bool syscall_make(long number, const long *arguments, long *ret);

#endif
