/* SPDX-License-Identifier: MIT */
/* Small stacks: a signal handler on an alternate one, a 16 KiB thread, an 8 KiB clone that executes. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "life.h"

extern char **environ;

static volatile sig_atomic_t handled;

static void handler(int number)
{
	(void)number;
	handled = is_refused(OUTSIDE) && is_opened(INSIDE);
}

/* A stack whose lowest page cannot be touched: who needs more than size dies. */
static char *make_stack(size_t size)
{
	char *memory = mmap(NULL, size + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must(memory != MAP_FAILED);
	must(mprotect(memory, 4096, PROT_NONE) == 0);
	return memory + 4096;
}

/* 4 KiB beside what the kernel itself puts there, in whole pages so that the guard page touches it. */
static void test_signal(void)
{
	size_t frame = getauxval(AT_MINSIGSTKSZ);
	size_t size = ((frame ? frame : 2048) + 2 * 4096 + 4095) / 4096 * 4096;
	stack_t stack = {.ss_sp = make_stack(size), .ss_size = size};
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};

	must(sigaltstack(&stack, NULL) == 0);
	must(sigaction(SIGUSR1, &action, NULL) == 0);
	must(raise(SIGUSR1) == 0);
	must(handled);
}

static void *in_thread(void *result)
{
	*(bool *)result = is_refused(OUTSIDE) && is_opened(INSIDE) && is_opened("/bin/sh");
	return NULL;
}

static void test_thread(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	bool good = false;

	must(pthread_attr_init(&attributes) == 0);
	must(pthread_attr_setstacksize(&attributes, 16384) == 0);
	must(pthread_create(&thread, &attributes, in_thread, &good) == 0);
	must(pthread_join(thread, NULL) == 0);
	must(good);
}

static int in_clone(void *unused)
{
	char *argv[] = {(char *)(size_t) "./fine", NULL};

	(void)unused;
	if (!is_refused(OUTSIDE))
		_exit(1);
	execv("./forbidden", argv);
	if (errno != EACCES)
		_exit(2);
	execv("./fine", argv);
	_exit(3);
}

static void test_clone(void)
{
	char *stack = make_stack(8192);

	must(ended_well(clone(in_clone, stack + 8192, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL)));
}

int main(void)
{
	test_signal();
	test_thread();
	test_clone();
	return 0;
}
