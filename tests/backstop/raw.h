/* SPDX-License-Identifier: MIT */
/* The kernel without libc: what no preload can see. Result as the kernel gives it, -errno on failure. */
#ifndef TESTS_BACKSTOP_RAW_H
#define TESTS_BACKSTOP_RAW_H

#include <stdint.h>
#include <sys/syscall.h>

static inline long raw_call(long number, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
	register long fourth __asm__("r10") = d;
	register long fifth __asm__("r8") = e;
	register long sixth __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
			 : "rcx", "r11", "memory");
	return result;
#elif defined(__aarch64__)
	register long eighth __asm__("x8") = number;
	register long first __asm__("x0") = a;
	register long second __asm__("x1") = b;
	register long third __asm__("x2") = c;
	register long fourth __asm__("x3") = d;
	register long fifth __asm__("x4") = e;
	register long sixth __asm__("x5") = f;

	__asm__ volatile("svc 0"
			 : "+r"(first)
			 : "r"(eighth), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
			 : "memory");
	return first;
#endif
}

#define RAW(number, a, b, c, d, e) raw_call(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)

#endif
