/* SPDX-License-Identifier: MIT */
/*
 * Small stacks: a signal handler on an alternate one, a 16 KiB thread, an 8 KiB clone that executes. And how deep each
 * door goes: what it leaves untouched of a painted stack.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

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
	char *memory = mmap(NULL, size + LIFE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must(memory != MAP_FAILED);
	must(mprotect(memory, LIFE_PAGE, PROT_NONE) == 0);
	return memory + LIFE_PAGE;
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
	must(pthread_attr_setstacksize(&attributes, (size_t)sysconf(_SC_THREAD_STACK_MIN)) == 0);
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

#define PAINTED 65536
#define PAINT 0x5a
#define DEEPEST 7680 /* a short path, with what writes its line */
#define LONGEST 17408

static char long_path[1024];

static void door_open(void)
{
	must(is_opened(INSIDE));
}

static void door_refused_open(void)
{
	must(is_refused(OUTSIDE));
}

static void door_link(void)
{
	must(is_refused("link"));
}

static void door_unlink(void)
{
	must(unlink("dir/missing") == -1 && errno == ENOENT);
}

static void door_rename(void)
{
	must(rename("dir/inner", "dir/moved") == 0 && rename("dir/moved", "dir/inner") == 0);
}

static void door_refused_rename(void)
{
	must(rename("dir/inner", "../out/new") == -1 && errno == EACCES);
}

static void door_chmod(void)
{
	must(chmod("dir/inner", 0640) == 0);
}

static void door_system_call(void)
{
	must(syscall(SYS_renameat2, AT_FDCWD, "dir/inner", AT_FDCWD, "dir/inner", 0) == 0);
}

static void door_refused_exec(void)
{
	char *argv[] = {(char *)(size_t) "./forbidden", NULL};

	must(execv(argv[0], argv) == -1 && errno == EACCES);
}

static void door_exec(void)
{
	char *argv[] = {(char *)(size_t) "./fine", NULL};

	if (vfork() == 0) {
		execv(argv[0], argv);
		_exit(1);
	}
	must(wait(NULL) > 0);
}

static void door_connect(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(10)};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	must(connect(fd, (struct sockaddr *)&address, sizeof(address)) == -1 && errno == EACCES);
	close(fd);
}

static void door_long_open(void)
{
	must(is_opened(long_path));
}

static void door_long_chmod(void)
{
	must(chmod(long_path, 0640) == 0);
}

/* A folder that is too young to be remembered (describe/folder.h) is looked up again, some 250 bytes deeper. */
#define FOLDER 4096

static const struct door {
	const char *name;
	void (*walk)(void);
	size_t most;
} doors[] = {
	{"open", door_open, 2048},
	{"open that is refused", door_refused_open, DEEPEST},
	{"open through a link that is refused", door_link, DEEPEST},
	{"unlink", door_unlink, FOLDER},
	{"rename", door_rename, FOLDER},
	{"rename that is refused", door_refused_rename, DEEPEST},
	{"chmod", door_chmod, FOLDER},
	{"syscall", door_system_call, FOLDER},
	{"exec", door_exec, 5632},
	{"exec that is refused", door_refused_exec, DEEPEST},
	{"connect that is refused", door_connect, DEEPEST},
	{"open with a long path", door_long_open, LONGEST},
	{"chmod with a long path", door_long_chmod, LONGEST},
};

static int walk(void *door)
{
	((const struct door *)door)->walk();
	_exit(0);
}

/* Bytes that the door has touched, its own frames and libc's included. */
static size_t depth(const struct door *door)
{
	char *stack = make_stack(PAINTED);
	size_t untouched = 0;

	memset(stack, PAINT, PAINTED);
	must(ended_well(clone(walk, stack + PAINTED, CLONE_VM | CLONE_VFORK | SIGCHLD, (void *)(size_t)door)));
	while (untouched < PAINTED && stack[untouched] == PAINT)
		untouched++;
	return PAINTED - untouched;
}

/* lines: every call writes one. */
static void test_depths(bool tell, bool lines)
{
	for (size_t i = 0; i < sizeof(long_path) - 2; i += 2)
		memcpy(long_path + i, "./", 2);
	strcpy(long_path + sizeof(long_path) - 2, "f");
	for (size_t i = 0; i < sizeof(doors) / sizeof(*doors); i++) {
		size_t deep = (depth(&doors[i]), depth(&doors[i])); /* the loader looks names up the first time */
		size_t most = lines && doors[i].most < DEEPEST ? DEEPEST : doors[i].most;

		if (tell || deep > most)
			dprintf(2, "%-40s %6zu bytes of stack\n", doors[i].name, deep);
		must(deep <= most);
	}
}

int main(int argc, char **argv)
{
	test_depths(argc > 1 && strcmp(argv[1], "tell") == 0, argc > 1 && strcmp(argv[1], "lines") == 0);
	test_signal();
	test_thread();
	test_clone();
	return 0;
}
