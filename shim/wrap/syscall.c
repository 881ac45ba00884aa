/* SPDX-License-Identifier: MIT */
/*
 * syscall(): what goes through it is decoded and judged like the function of that name. A stub, not a function: numbers
 * that are not ours (clone and vfork among them, whose child must not return into a frame here) go on with every
 * register and the stack as they came.
 */
#include "wrap/syscall.h"

#include "wrap/wrap.h"

#include "forbid.h"

#if defined(__x86_64__)
__asm__(".text\n"
	".globl syscall\n"
	".type syscall, @function\n"
	"syscall:\n"
	"	pushq %r9\n"
	"	pushq %r8\n"
	"	pushq %rcx\n"
	"	pushq %rdx\n"
	"	pushq %rsi\n"
	"	pushq %rdi\n"
	"	movq %rsp, %rdi\n"
	"	subq $8, %rsp\n"
	"	call syscall_ask\n"
	"	addq $8, %rsp\n"
	"	movq %rdx, %r11\n"
	"	popq %rdi\n"
	"	popq %rsi\n"
	"	popq %rdx\n"
	"	popq %rcx\n"
	"	popq %r8\n"
	"	popq %r9\n"
	"	testq %r11, %r11\n"
	"	jz 1f\n"
	"	jmpq *%r11\n"
	"1:	ret\n"
	".size syscall, .-syscall\n");
#elif defined(__aarch64__)
__asm__(".text\n"
	".globl syscall\n"
	".type syscall, %function\n"
	"syscall:\n"
	"	sub sp, sp, #80\n"
	"	stp x0, x1, [sp]\n"
	"	stp x2, x3, [sp, #16]\n"
	"	stp x4, x5, [sp, #32]\n"
	"	stp x6, x7, [sp, #48]\n"
	"	stp x29, x30, [sp, #64]\n"
	"	mov x0, sp\n"
	"	bl syscall_ask\n"
	"	mov x16, x1\n"
	"	ldp x29, x30, [sp, #64]\n"
	"	cbz x16, 1f\n"
	"	ldp x0, x1, [sp]\n"
	"	ldp x2, x3, [sp, #16]\n"
	"	ldp x4, x5, [sp, #32]\n"
	"	ldp x6, x7, [sp, #48]\n"
	"	add sp, sp, #80\n"
	"	br x16\n"
	"1:	add sp, sp, #80\n"
	"	ret\n"
	".size syscall, .-syscall\n");
#endif

#if defined(__x86_64__)
#define SIXTH 7 /* five registers behind the number, then the return address */
#else
#define SIXTH 6
#endif

struct syscall_answer syscall_ask(const long *saved)
{
	long arguments[6] = {saved[1], saved[2], saved[3], saved[4], saved[5], saved[SIXTH]}, result;

	if (syscall_judge(saved[0], arguments, &result))
		return (struct syscall_answer){wrap_result(result), NULL};
	return (struct syscall_answer){0, real_find(REAL_syscall)};
}
