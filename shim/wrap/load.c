/* SPDX-License-Identifier: MIT */
/*
 * dlsym of a library that was opened finds what stands there, not what stands before it: who asks libc itself for one of
 * our names gets ours, as every other caller does.
 *
 * A library that is loaded with RTLD_DEEPBIND, or into a namespace of its own (dlmopen), is bound to libc past us, and to
 * change that would change what the program means: what it opens only the backstop sees. Without one such a library is
 * what coverage.uncovered is about.
 *
 * dlopen of a path. The loader looks at the return address to learn who asks: RUNPATH, $ORIGIN and namespaces depend on
 * it. So all these are stubs that ask, put the registers back and jump: the real function sees its caller, not us.
 */
#include <dlfcn.h>
#include <limits.h>
#include <string.h>

#include "describe/memory.h"
#include "real/lookup.h"
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
	"	xchgq %rsi, %rdi\n"
	"	call load_ask_namespace\n"
	"	movq %rdx, %r11\n"
	"	addq $8, %rsp\n"
	"	popq %rdx\n"
	"	popq %rdi\n"
	"	movq %rax, %rsi\n"
	"	jmpq *%r11\n"
	".size dlmopen, .-dlmopen\n"
	/* dlsym(handle: rdi, name: rsi); dlvsym has a version in rdx as well */
	".globl dlsym\n"
	".type dlsym, @function\n"
	"dlsym:\n"
	"	pushq %rdi\n"
	"	pushq %rsi\n"
	"	subq $8, %rsp\n"
	"	call load_ask_symbol\n"
	"	addq $8, %rsp\n"
	"	popq %rsi\n"
	"	popq %rdi\n"
	"	testq %rax, %rax\n"
	"	jnz 1f\n"
	"	jmpq *%rdx\n"
	"1:	ret\n"
	".size dlsym, .-dlsym\n"
	".globl dlvsym\n"
	".type dlvsym, @function\n"
	"dlvsym:\n"
	"	pushq %rdi\n"
	"	pushq %rsi\n"
	"	pushq %rdx\n"
	"	call load_ask_version\n"
	"	movq %rdx, %r11\n"
	"	popq %rdx\n"
	"	popq %rsi\n"
	"	popq %rdi\n"
	"	testq %rax, %rax\n"
	"	jnz 1f\n"
	"	jmpq *%r11\n"
	"1:	ret\n"
	".size dlvsym, .-dlvsym\n");
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
	"	mov x16, x0\n"
	"	mov x0, x1\n"
	"	mov x1, x16\n"
	"	bl load_ask_namespace\n"
	"	mov x16, x1\n"
	"	mov x1, x0\n"
	"	ldp x0, x2, [sp, #16]\n"
	"	ldp x29, x30, [sp], #32\n"
	"	br x16\n"
	".size dlmopen, .-dlmopen\n"
	".globl dlsym\n"
	".type dlsym, %function\n"
	"dlsym:\n"
	"	stp x29, x30, [sp, #-32]!\n"
	"	stp x0, x1, [sp, #16]\n"
	"	bl load_ask_symbol\n"
	"	mov x16, x1\n"
	"	mov x17, x0\n"
	"	ldp x0, x1, [sp, #16]\n"
	"	ldp x29, x30, [sp], #32\n"
	"	cbnz x17, 1f\n"
	"	br x16\n"
	"1:	mov x0, x17\n"
	"	ret\n"
	".size dlsym, .-dlsym\n"
	".globl dlvsym\n"
	".type dlvsym, %function\n"
	"dlvsym:\n"
	"	stp x29, x30, [sp, #-48]!\n"
	"	stp x0, x1, [sp, #16]\n"
	"	str x2, [sp, #32]\n"
	"	bl load_ask_version\n"
	"	mov x16, x1\n"
	"	mov x17, x0\n"
	"	ldp x0, x1, [sp, #16]\n"
	"	ldr x2, [sp, #32]\n"
	"	ldp x29, x30, [sp], #48\n"
	"	cbnz x17, 1f\n"
	"	br x16\n"
	"1:	mov x0, x17\n"
	"	ret\n"
	".size dlvsym, .-dlvsym\n");
#endif

/* There is no such file: the loader fails in its own way, and dlerror() says this. */
static const char refused[] = "/bridle: to load this library is refused";

/* A bare name is looked up in the system's own places; "$ORIGIN/..." is only known to the loader. */
static const char *judge(const char *name, const char *path)
{
	if (!path || !memory_string_readable(path) || !strchr(path, '/') || *path == '$')
		return path;
	if (guard_file(&(struct file_call){name, AT_FDCWD, path, OP_LOAD, FILE_FOLLOW}) == -EACCES)
		return refused;
	return path;
}

/* Of a library that will be bound past us; path is what judge() has let pass. */
static const char *judge_unseen(const char *name, const char *path)
{
	const struct start *sessions = start();
	struct judgement judgement;
	char copy[NAME_MAX + 1];

	if (!path || path == refused || sessions->state != START_READY)
		return path;
	if (__atomic_load_n((uint64_t *)&raw_word, __ATOMIC_RELAXED))
		return path; /* the backstop sees what it does */
	if (memory_string(copy, sizeof(copy), path) <= 0)
		copy[0] = '\0'; /* cut: it is only for the line */
	struct request request = {.op = OP_LOAD, .call = name, .subject = copy};
	guard_cover(sessions, &request, RULE_COVERAGE_RAW, &judgement);
	return judgement.denied && guard_settle(sessions, &request, &judgement) ? refused : path;
}

struct load_answer load_ask(const char *path, int flags)
{
	path = judge("dlopen", path);
	if (flags & RTLD_DEEPBIND)
		path = judge_unseen("dlopen", path);
	return (struct load_answer){path, real_find(REAL_dlopen)};
}

struct load_answer load_ask_namespace(const char *path, long space, int flags)
{
	path = judge("dlmopen", path);
	if (space != LM_ID_BASE || flags & RTLD_DEEPBIND)
		path = judge_unseen("dlmopen", path);
	return (struct load_answer){path, real_find(REAL_dlmopen)};
}

/* Is this a name of ours that nobody but libc stands behind? A library that wraps it too asks for libc's own. */
static bool is_ours(const void *handle, const char *name)
{
	enum real which;

	if (handle == RTLD_NEXT || handle == RTLD_DEFAULT || !memory_string_readable(name) || start()->state == START_INERT)
		return false;
	which = real_named(name);
	return which < REAL_COUNT && real_is_libc(which);
}

/* found: by the real function, in some library. */
static void *ours_for(void *found, const char *name)
{
	void *own = found == real_find(real_named(name)) ? lookup_own(name) : NULL;

	return own ? own : found;
}

struct symbol_answer load_ask_symbol(void *handle, const char *name)
{
	void *(*function)(void *, const char *) = (void *(*)(void *, const char *))real_find(REAL_dlsym);

	return (struct symbol_answer){is_ours(handle, name) ? ours_for(function(handle, name), name) : NULL, function};
}

struct symbol_answer load_ask_version(void *handle, const char *name, const char *version)
{
	typedef void *versioned(void *, const char *, const char *);
	versioned *function = (versioned *)real_find(REAL_dlvsym);

	return (struct symbol_answer){
		is_ours(handle, name) ? ours_for(function(handle, name, version), name) : NULL, function};
}
