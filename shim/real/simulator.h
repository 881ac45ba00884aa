/* SPDX-License-Identifier: MIT */
/*
 * Is this program run by valgrind? It takes a sequence of instructions that changes nothing on a processor for a question,
 * and complains on the program's standard error of what an ordinary program does not do.
 */
#ifndef BRIDLE_REAL_SIMULATOR_H
#define BRIDLE_REAL_SIMULATOR_H

#include <stdbool.h>

#define SIMULATOR_RUNS 0x1001

static inline bool simulator_runs(void)
{
	volatile unsigned long question[6] = {SIMULATOR_RUNS};
#if defined(__x86_64__)
	unsigned long answer = 0;

	__asm__ volatile("rolq $3, %%rdi\n\trolq $13, %%rdi\n\trolq $61, %%rdi\n\trolq $51, %%rdi\n\txchgq %%rbx, %%rbx"
			 : "+d"(answer)
			 : "a"(&question[0])
			 : "cc", "memory");
#else
	register unsigned long answer __asm__("x3") = 0;
	register volatile unsigned long *asked __asm__("x4") = &question[0];

	__asm__ volatile("ror x12, x12, #3\n\tror x12, x12, #13\n\tror x12, x12, #51\n\tror x12, x12, #61\n\torr x10, x10, x10"
			 : "+r"(answer)
			 : "r"(asked)
			 : "cc", "memory");
#endif
	return answer != 0;
}

#endif
