/* SPDX-License-Identifier: MIT */
/*
 * dlopen of a path. The loader looks at the return address to learn who asks: RUNPATH, $ORIGIN and namespaces depend on
 * it. So these two are stubs that ask, put the registers back and jump: the real function sees its caller, not us.
 */
#include <string.h>

#include "describe/memory.h"
#include "wrap/load.h"
#include "wrap/wrap.h"

#include "forbid.h"

#if defined(__x86_64__)
/* dlopen(path: rdi, flags: rsi); load_ask returns the path to use in rax and the function to go to in rdx. */
__asm__(".text\n"
	".globl dlopen\n"
	".type dlopen, @function\n"
	"dlopen:\n"
	"	pushq %rsi\n"
	"	call load_ask\n"
	"	popq %rsi\n"
	"	movq %rax, %rdi\n"
	"	jmpq *%rdx\n"
	".size dlopen, .-dlopen\n"
	/* dlmopen(namespace: rdi, path: rsi, flags: rdx) */
	".globl dlmopen\n"
	".type dlmopen, @function\n"
	"dlmopen:\n"
	"	pushq %rdi\n"
	"	pushq %rdx\n"
	"	subq $8, %rsp\n"
	"	movq %rsi, %rdi\n"
	"	call load_ask_namespace\n"
	"	movq %rdx, %r11\n"
	"	addq $8, %rsp\n"
	"	popq %rdx\n"
	"	popq %rdi\n"
	"	movq %rax, %rsi\n"
	"	jmpq *%r11\n"
	".size dlmopen, .-dlmopen\n");
#elif defined(__aarch64__)
__asm__(".text\n"
	".globl dlopen\n"
	".type dlopen, %function\n"
	"dlopen:\n"
	"	stp x29, x30, [sp, #-32]!\n"
	"	str x1, [sp, #16]\n"
	"	bl load_ask\n"
	"	mov x16, x1\n"
	"	ldr x1, [sp, #16]\n"
	"	ldp x29, x30, [sp], #32\n"
	"	br x16\n"
	".size dlopen, .-dlopen\n"
	".globl dlmopen\n"
	".type dlmopen, %function\n"
	"dlmopen:\n"
	"	stp x29, x30, [sp, #-32]!\n"
	"	stp x0, x2, [sp, #16]\n"
	"	mov x0, x1\n"
	"	bl load_ask_namespace\n"
	"	mov x16, x1\n"
	"	mov x1, x0\n"
	"	ldp x0, x2, [sp, #16]\n"
	"	ldp x29, x30, [sp], #32\n"
	"	br x16\n"
	".size dlmopen, .-dlmopen\n");
#endif

/* There is no such file: the loader fails in its own way, and dlerror() says this. */
static const char refused[] = "/bridle: loading a library from outside of the allowed folders is refused";

/* A bare name is looked up in the system's own places; "$ORIGIN/..." is only known to the loader. */
static const char *judge(const char *name, const char *path)
{
	if (!path || !memory_string_readable(path) || !strchr(path, '/') || *path == '$')
		return path;
	if (guard_file(&(struct file_call){name, AT_FDCWD, path, OP_LOAD, FILE_FOLLOW}) == -EACCES)
		return refused;
	return path;
}

struct load_answer load_ask(const char *path)
{
	return (struct load_answer){judge("dlopen", path), real_find(REAL_dlopen)};
}

struct load_answer load_ask_namespace(const char *path)
{
	return (struct load_answer){judge("dlmopen", path), real_find(REAL_dlmopen)};
}
