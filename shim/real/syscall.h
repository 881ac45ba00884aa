/* SPDX-License-Identifier: MIT */
/*
 * The kernel, asked directly: no libc, no errno, no cancellation point. Result as the kernel gives it: -errno on
 * failure. Safe anywhere: any thread, signal handler, vfork child, before and after everything.
 *
 * raw_guarded() is for the calls that the backstop's filter watches: it carries the session's word in the sixth
 * register (include/handoff.h), and the register is cleared again before anyone else makes a call.
 */
#ifndef BRIDLE_REAL_SYSCALL_H
#define BRIDLE_REAL_SYSCALL_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>

/* The fast-lane word of the backstop; 0 until a session with one is mapped. Written once by start.c. */
extern _Atomic uint64_t raw_word;

/* Run by valgrind, which complains of calls that it does not know (real/simulator.h). Written by start.c, before any other. */
extern bool raw_simulated;

#if defined(__x86_64__)

static inline long raw_six(long number, long a, long b, long c, long d, long e, long f)
{
	register long fourth __asm__("r10") = d;
	register long fifth __asm__("r8") = e;
	register long sixth __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall\n\txorl %%r9d, %%r9d"
			 : "=a"(result), "+r"(sixth)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth)
			 : "rcx", "r11", "memory", "cc");
	return result;
}

#elif defined(__aarch64__)

static inline long raw_six(long number, long a, long b, long c, long d, long e, long f)
{
	register long eighth __asm__("x8") = number;
	register long first __asm__("x0") = a;
	register long second __asm__("x1") = b;
	register long third __asm__("x2") = c;
	register long fourth __asm__("x3") = d;
	register long fifth __asm__("x4") = e;
	register long sixth __asm__("x5") = f;

	__asm__ volatile("svc 0\n\tmov x5, xzr"
			 : "+r"(first), "+r"(sixth)
			 : "r"(eighth), "r"(second), "r"(third), "r"(fourth), "r"(fifth)
			 : "memory", "cc");
	return first;
}

#else
#error "bridle knows the system call convention of x86-64 and aarch64 only"
#endif

#define RAW_PICK(_0, _1, _2, _3, _4, _5, _6, picked, ...) picked
#define RAW_0(n) raw_six(n, 0, 0, 0, 0, 0, 0)
#define RAW_1(n, a) raw_six(n, (long)(a), 0, 0, 0, 0, 0)
#define RAW_2(n, a, b) raw_six(n, (long)(a), (long)(b), 0, 0, 0, 0)
#define RAW_3(n, a, b, c) raw_six(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define RAW_4(n, a, b, c, d) raw_six(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define RAW_5(n, a, b, c, d, e) raw_six(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)
#define RAW_6(n, a, b, c, d, e, f) \
	raw_six(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

/* raw(SYS_close, fd) */
#define raw(...) RAW_PICK(__VA_ARGS__, RAW_6, RAW_5, RAW_4, RAW_3, RAW_2, RAW_1, RAW_0)(__VA_ARGS__)

/* The same with the fast-lane word; at most five arguments, all given: raw_guarded(SYS_openat, fd, path, flags, mode, 0) */
#define raw_guarded(n, a, b, c, d, e)                                     \
	raw_six(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), \
		(long)__atomic_load_n((uint64_t *)&raw_word, __ATOMIC_RELAXED))

/* openat2, as the kernel answers it that does not have it where valgrind runs the program. how: a pointer. */
#define raw_openat2(dirfd, path, how) \
	(__builtin_expect(raw_simulated, 0) ? -ENOSYS : raw_guarded(SYS_openat2, dirfd, path, how, sizeof(*(how)), 0))

#endif
