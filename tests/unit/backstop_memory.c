/* SPDX-License-Identifier: MIT */
/* Reading a caller's memory; the caller is this test itself. */
#include "backstop/memory.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Two pages with nothing mapped behind them. */
static char *two_pages(void)
{
	size_t largest = 65536; /* page that a kernel has */
	char *area = mmap(NULL, 2 * largest, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	cr_assert_neq(area, MAP_FAILED);
	cr_assert_eq(munmap(area + largest, largest), 0);
	return area + largest - 2 * MEMORY_PAGE;
}

static int read_string(const char *at, char *buffer, size_t size, size_t *ret_length)
{
	struct memory memory;

	memory_open(&memory, getpid());
	return memory_string(&memory, (uintptr_t)at, buffer, size, ret_length);
}

Test(backstop_memory, strings_across_pages)
{
	char *area = two_pages(), buffer[64];
	size_t length = 0;

	strcpy(area + MEMORY_PAGE - 5, "/etc/passwd");
	cr_expect_eq(read_string(area + MEMORY_PAGE - 5, buffer, sizeof(buffer), &length), 0);
	cr_expect_str_eq(buffer, "/etc/passwd");
	cr_expect_eq(length, 11);
	strcpy(area + 2 * MEMORY_PAGE - 4, "end");
	cr_expect_eq(read_string(area + 2 * MEMORY_PAGE - 4, buffer, sizeof(buffer), &length), 0);
	cr_expect_str_eq(buffer, "end");
	cr_expect_eq(read_string(area + 2 * MEMORY_PAGE - 1, buffer, sizeof(buffer), &length), 0);
	cr_expect_eq(length, 0);
}

Test(backstop_memory, what_cannot_be_read)
{
	char *area = two_pages(), buffer[64];
	size_t length;

	memset(area + 2 * MEMORY_PAGE - 4, 'x', 4);
	cr_expect_eq(read_string(area + 2 * MEMORY_PAGE - 4, buffer, sizeof(buffer), &length), EFAULT);
	cr_expect_eq(read_string(NULL, buffer, sizeof(buffer), &length), EFAULT);
	cr_expect_eq(read_string((char *)(uintptr_t)-MEMORY_PAGE, buffer, sizeof(buffer), &length), EFAULT);
	memset(area, 'x', MEMORY_PAGE);
	cr_expect_eq(read_string(area, buffer, sizeof(buffer), &length), ENAMETOOLONG);
}

/* As the sandboxes of some agents do it for all of their commands. */
static void take_vm_readv(int error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = sizeof(code) / sizeof(code[0]), .filter = code};

	cr_assert_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	cr_assert_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

static void read_by_file(int error)
{
	char *area = two_pages(), buffer[64];
	size_t length = 0;

	take_vm_readv(error);
	strcpy(area + MEMORY_PAGE - 5, "/etc/passwd");
	cr_expect_eq(read_string(area + MEMORY_PAGE - 5, buffer, sizeof(buffer), &length), 0);
	cr_expect_str_eq(buffer, "/etc/passwd");
	memset(area + 2 * MEMORY_PAGE - 4, 'x', 4);
	cr_expect_eq(read_string(area + 2 * MEMORY_PAGE - 4, buffer, sizeof(buffer), &length), EFAULT);
	cr_expect_eq(read_string(NULL, buffer, sizeof(buffer), &length), EFAULT);
	cr_expect_eq(read_string((char *)(uintptr_t)-MEMORY_PAGE, buffer, sizeof(buffer), &length), EFAULT);
}

Test(backstop_memory, without_the_call_for_it)
{
	read_by_file(EPERM);
}

Test(backstop_memory, without_the_call_in_the_kernel)
{
	read_by_file(ENOSYS);
}

Test(backstop_memory, a_string_that_just_fits)
{
	char *area = two_pages(), buffer[8];
	size_t length;

	strcpy(area, "1234567");
	cr_expect_eq(read_string(area, buffer, sizeof(buffer), &length), 0);
	strcpy(area, "12345678");
	cr_expect_eq(read_string(area, buffer, sizeof(buffer), &length), ENAMETOOLONG);
}

Test(backstop_memory, vectors)
{
	static char longest[3 * MEMORY_PAGE];
	struct memory_arguments arguments;
	const char *argv[] = {"a", "", longest, "z", NULL};
	struct memory memory;

	memset(longest, 'l', sizeof(longest) - 1);
	memory_open(&memory, getpid());
	cr_assert_eq(memory_arguments(&memory, (uintptr_t)argv, true, &arguments), 0);
	cr_assert_eq(arguments.argc, 4);
	for (size_t i = 0; i < 4; i++)
		cr_expect_str_eq(arguments.argv[i], argv[i]);
	cr_expect_null(arguments.argv[4]);
	free(arguments.argv);
	cr_assert_eq(memory_arguments(&memory, 0, true, &arguments), 0);
	cr_expect_eq(arguments.argc, 0);
	free(arguments.argv);
}

Test(backstop_memory, vectors_of_narrow_callers)
{
	char *low = mmap((void *)0x10000000, MEMORY_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct memory_arguments arguments;
	struct memory memory;
	uint32_t *vector = (uint32_t *)(low + 64);

	if (low == MAP_FAILED || (uintptr_t)low > UINT32_MAX)
		cr_skip_test("no low memory to be had");
	strcpy(low, "one");
	strcpy(low + 8, "two");
	vector[0] = (uint32_t)(uintptr_t)low;
	vector[1] = (uint32_t)(uintptr_t)(low + 8);
	memory_open(&memory, getpid());
	cr_assert_eq(memory_arguments(&memory, (uintptr_t)vector, false, &arguments), 0);
	cr_assert_eq(arguments.argc, 2);
	cr_expect_str_eq(arguments.argv[0], "one");
	cr_expect_str_eq(arguments.argv[1], "two");
	free(arguments.argv);
}

Test(backstop_memory, broken_vectors)
{
	struct memory_arguments arguments;
	struct memory memory;
	const char *argv[] = {"a", (char *)1, NULL};

	memory_open(&memory, getpid());
	cr_expect_eq(memory_arguments(&memory, 1, true, &arguments), EFAULT);
	cr_expect_eq(memory_arguments(&memory, (uintptr_t)argv, true, &arguments), EFAULT);
}

Test(backstop_memory, a_caller_that_is_gone)
{
	pid_t child = fork();
	struct memory memory;
	char byte;

	if (child == 0)
		_exit(0);
	waitpid(child, NULL, 0);
	memory_open(&memory, child);
	cr_expect_eq(memory_read(&memory, (uintptr_t)&byte, &byte, 1), ESRCH);
}
