/* SPDX-License-Identifier: MIT */
/* The seccomp program, run by a small machine of our own: what passes, what stops, for every ABI. */
#include "backstop/filter.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

#include "backstop/calls.h"

#define WORD 0x1122334455667788u

#if defined(__x86_64__)
#define LIBRARIES 0x6f00
#else
#define LIBRARIES 0xde00
#endif
static const struct filter_sites sites = {{0x001, 0xb1d}, 2, LIBRARIES}, nowhere;
static struct filter filter;

static void build(void)
{
	cr_assert(filter_build(&filter, WORD, &sites));
}

TestSuite(backstop_filter, .init = build);

/* The instructions that a filter is made of; anything else fails the test. */
static uint32_t run(const struct seccomp_data *data)
{
	uint32_t value = 0;

	for (size_t at = 0; at < filter.length; at++) {
		const struct sock_filter *code = &filter.code[at];
		bool yes = false;

		switch (code->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			cr_assert_leq(code->k, sizeof(*data) - 4);
			memcpy(&value, (const char *)data + code->k, 4);
			continue;
		case BPF_ALU | BPF_AND | BPF_K:
			value &= code->k;
			continue;
		case BPF_JMP | BPF_JA:
			at += code->k;
			continue;
		case BPF_JMP | BPF_JEQ | BPF_K:
			yes = value == code->k;
			break;
		case BPF_JMP | BPF_JGE | BPF_K:
			yes = value >= code->k;
			break;
		case BPF_JMP | BPF_JSET | BPF_K:
			yes = value & code->k;
			break;
		case BPF_RET | BPF_K:
			return code->k;
		default:
			cr_assert_fail("instruction %x", code->code);
		}
		at += yes ? code->jt : code->jf;
	}
	cr_assert_fail("the program runs over its end");
	return 0;
}

static uint32_t call(uint32_t arch, int number, uint64_t fourth, uint64_t sixth)
{
	struct seccomp_data data = {.arch = arch, .nr = number, .args = {[4] = fourth, [5] = sixth}};

	return run(&data);
}

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#define NATIVE_ABI ABI_X86_64
#define NARROW AUDIT_ARCH_I386
#define NARROW_ABI ABI_I386
#else
#define NATIVE AUDIT_ARCH_AARCH64
#define NATIVE_ABI ABI_AARCH64
#define NARROW AUDIT_ARCH_ARM
#define NARROW_ABI ABI_ARM
#endif
#define REFUSED (SECCOMP_RET_ERRNO | ENOSYS)

Test(backstop_filter, the_kernel_takes_it)
{
	for (size_t at = 0; at < filter.length; at++)
		if (BPF_CLASS(filter.code[at].code) == BPF_JMP && filter.code[at].code != (BPF_JMP | BPF_JA)) {
			cr_expect_lt(at + 1 + filter.code[at].jf, filter.length);
			cr_expect_lt(at + 1 + filter.code[at].jt, filter.length);
		}
	cr_expect_leq(filter.length, 4096);
}

/* Does it stop by other arguments than the fourth and the sixth? */
static bool looks_at_others(const struct call *call)
{
	return call->pass == PASS_UNATTACHED || call->pass == PASS_SUBCALLS || call->pass == PASS_OPENLY ||
	       call->pass == PASS_UNSHARED;
}

Test(backstop_filter, every_call_stops_and_the_word_passes)
{
	for (size_t i = 0; i < call_count; i++) {
		int number = calls[i].numbers[NATIVE_ABI];
		bool refused = calls[i].pass == PASS_REFUSED, word = calls[i].pass <= PASS_LIBC;
		uint32_t stopped = refused ? REFUSED : SECCOMP_RET_USER_NOTIF;

		if (number < 0 || looks_at_others(&calls[i]))
			continue;
		cr_expect_eq(call(NATIVE, number, 1, 0), stopped, "%s", calls[i].name);
		cr_expect_eq(call(NATIVE, number, 1, WORD), word ? SECCOMP_RET_ALLOW : stopped, "%s", calls[i].name);
		cr_expect_eq(call(NATIVE, number, 1, WORD ^ 1), stopped, "%s: low half", calls[i].name);
		cr_expect_eq(call(NATIVE, number, 1, WORD ^ (uint64_t)1 << 40), stopped, "%s: high half", calls[i].name);
	}
}

#if defined(__x86_64__)
#define LIBRARY 0x7f8496000000u
#define PROGRAM 0x555555000000u
#else
#define LIBRARY 0xffff96000000u
#define PROGRAM 0xaaaa55000000u
#endif

static uint32_t open_from(uint64_t pointer, uint64_t folder, uint64_t flags)
{
	struct seccomp_data data = {
		.arch = NATIVE, .nr = SYS_openat, .instruction_pointer = pointer, .args = {folder, 0, flags}};

	return run(&data);
}

/* Reading passes from libc's own places, and from nowhere else; nothing but reading does. */
Test(backstop_filter, libc_reads_for_itself)
{
	uint64_t here = (uint32_t)AT_FDCWD;

	for (unsigned place = 0; place < 0x1000; place++)
		cr_expect_eq(open_from(LIBRARY + place, here, O_CLOEXEC),
			     place == 0x001 || place == 0xb1d ? SECCOMP_RET_ALLOW : SECCOMP_RET_USER_NOTIF, "%x", place);
	cr_expect_eq(open_from(LIBRARY + 0x5b1d, here, O_RDONLY), SECCOMP_RET_ALLOW);
	cr_expect_eq(open_from(PROGRAM + 0xb1d, here, O_CLOEXEC), SECCOMP_RET_USER_NOTIF, "a program's own code");
	cr_expect_eq(open_from(0x400b1d, here, O_CLOEXEC), SECCOMP_RET_USER_NOTIF, "a program at a fixed address");
	cr_expect_eq(open_from(LIBRARY + 0xb1d, 3, O_CLOEXEC), SECCOMP_RET_USER_NOTIF, "below a descriptor");
	for (unsigned bit = 0; bit < 32; bit++)
		if (1u << bit != O_CLOEXEC)
			cr_expect_eq(open_from(LIBRARY + 0xb1d, here, O_CLOEXEC | 1u << bit), SECCOMP_RET_USER_NOTIF,
				     "flag %x", 1u << bit);
}

/* Kernels of aarch64 are built with 39 bits of addresses too. */
Test(backstop_filter, libraries_of_a_small_address_space)
{
	struct filter_sites small = {{0xb1d}, 1, 0x6f};

	cr_assert(filter_build(&filter, WORD, &small));
	cr_expect_eq(open_from(0x7f96000b1d, (uint32_t)AT_FDCWD, O_CLOEXEC), SECCOMP_RET_ALLOW);
	cr_expect_eq(open_from(0x5555000b1d, (uint32_t)AT_FDCWD, O_CLOEXEC), SECCOMP_RET_USER_NOTIF);
}

Test(backstop_filter, without_sites_libc_is_judged)
{
	cr_assert(filter_build(&filter, WORD, &nowhere));
	for (unsigned place = 0; place < 0x1000; place++)
		cr_expect_eq(open_from(LIBRARY + place, (uint32_t)AT_FDCWD, O_CLOEXEC), SECCOMP_RET_USER_NOTIF);
}

Test(backstop_filter, other_abis_have_no_fast_lane)
{
	for (size_t i = 0; i < call_count; i++) {
		int number = calls[i].numbers[NARROW_ABI];

		if (number < 0 || looks_at_others(&calls[i]))
			continue;
		cr_expect_eq(call(NARROW, number, 1, WORD),
			     calls[i].pass == PASS_REFUSED ? REFUSED : SECCOMP_RET_USER_NOTIF, "%s", calls[i].name);
	}
#if defined(__x86_64__)
	for (size_t i = 0; i < call_count; i++)
		if (calls[i].numbers[ABI_X32] >= 0 && !looks_at_others(&calls[i]))
			cr_expect_neq(call(NATIVE, 0x40000000 + calls[i].numbers[ABI_X32], 1, 0), SECCOMP_RET_ALLOW,
				      "x32 %s", calls[i].name);
#endif
}

static bool is_listed(enum abi abi, int number)
{
	for (size_t i = 0; i < call_count; i++)
		if (calls[i].numbers[abi] == number)
			return true;
	return false;
}

/* Runs of numbers end where they should. */
Test(backstop_filter, only_what_is_listed_stops)
{
	for (int number = -1; number < 700; number++) {
		if (!is_listed(NATIVE_ABI, number))
			cr_expect_eq(call(NATIVE, number, 1, 1), SECCOMP_RET_ALLOW, "%d", number);
		if (!is_listed(NARROW_ABI, number))
			cr_expect_eq(call(NARROW, number, 1, 1), SECCOMP_RET_ALLOW, "narrow %d", number);
	}
}

Test(backstop_filter, the_rest_runs)
{
	static const int free_calls[] = {SYS_getpid, SYS_read, SYS_write, SYS_mmap, SYS_exit_group, SYS_recvmsg};

	for (size_t i = 0; i < sizeof(free_calls) / sizeof(free_calls[0]); i++)
		cr_expect_eq(call(NATIVE, free_calls[i], 0, 0), SECCOMP_RET_ALLOW);
	cr_expect_eq(call(NATIVE, SYS_sendto, 0, 0), SECCOMP_RET_ALLOW, "a connected socket's send");
	cr_expect_eq(call(NATIVE, SYS_sendto, (uint64_t)1 << 32, 0), SECCOMP_RET_USER_NOTIF, "an address above 4 GB");
}

Test(backstop_filter, seizing_stops_and_stepping_does_not)
{
	struct seccomp_data data = {.arch = NATIVE, .nr = SYS_ptrace};

	data.args[0] = 16; /* PTRACE_ATTACH */
	cr_expect_eq(run(&data), SECCOMP_RET_USER_NOTIF);
	data.args[0] = 0x4206; /* PTRACE_SEIZE */
	cr_expect_eq(run(&data), SECCOMP_RET_USER_NOTIF);
	data.args[0] = 7; /* PTRACE_CONT */
	cr_expect_eq(run(&data), SECCOMP_RET_ALLOW);
}

/* A child stops that shares its parent's working directory and not its memory. */
Test(backstop_filter, sharing_a_folder_stops)
{
	struct seccomp_data data = {.arch = NATIVE, .nr = SYS_clone};

	data.args[0] = CLONE_FS | SIGCHLD;
	cr_expect_eq(run(&data), SECCOMP_RET_USER_NOTIF);
	data.args[0] = CLONE_FS | CLONE_FILES | CLONE_PARENT_SETTID | SIGCHLD;
	cr_expect_eq(run(&data), SECCOMP_RET_USER_NOTIF);
	data.args[0] = CLONE_FS | CLONE_VM | CLONE_THREAD;
	cr_expect_eq(run(&data), SECCOMP_RET_ALLOW);
	data.args[0] = SIGCHLD;
	cr_expect_eq(run(&data), SECCOMP_RET_ALLOW);
}

/* Who closes itself to others could not be judged any more: it is told yes, and stays open. */
Test(backstop_filter, nobody_closes_itself)
{
	struct seccomp_data data = {.arch = NATIVE, .nr = SYS_prctl};

	data.args[0] = 4; /* PR_SET_DUMPABLE */
	cr_expect_eq(run(&data), SECCOMP_RET_ERRNO);
	data.args[1] = 1;
	cr_expect_eq(run(&data), SECCOMP_RET_ALLOW);
	data.args[0] = 15; /* PR_SET_NAME */
	data.args[1] = 0;
	cr_expect_eq(run(&data), SECCOMP_RET_ALLOW);
}

Test(backstop_filter, an_unknown_abi_gets_nothing)
{
	cr_expect_eq(call(AUDIT_ARCH_PPC64, 1, 0, 0), REFUSED);
	cr_expect_eq(call(0, 1, 0, WORD), REFUSED);
}

/* The numbers against the headers of the machine that this is built on. */
Test(backstop_filter, numbers_are_the_machine_s)
{
	static const struct {
		const char *name;
		int number;
	} known[] = {
		{"openat", SYS_openat},
		{"execve", SYS_execve},
		{"execveat", SYS_execveat},
		{"unlinkat", SYS_unlinkat},
		{"renameat2", SYS_renameat2},
		{"linkat", SYS_linkat},
		{"symlinkat", SYS_symlinkat},
		{"mkdirat", SYS_mkdirat},
		{"mknodat", SYS_mknodat},
		{"fchmod", SYS_fchmod},
		{"fchmodat", SYS_fchmodat},
		{"fchown", SYS_fchown},
		{"fchownat", SYS_fchownat},
		{"truncate", SYS_truncate},
		{"utimensat", SYS_utimensat},
		{"setxattr", SYS_setxattr},
		{"lsetxattr", SYS_lsetxattr},
		{"fsetxattr", SYS_fsetxattr},
		{"removexattr", SYS_removexattr},
		{"chroot", SYS_chroot},
		{"mount", SYS_mount},
		{"umount2", SYS_umount2},
		{"pivot_root", SYS_pivot_root},
		{"unshare", SYS_unshare},
		{"setns", SYS_setns},
		{"connect", SYS_connect},
		{"bind", SYS_bind},
		{"sendto", SYS_sendto},
		{"sendmsg", SYS_sendmsg},
		{"sendmmsg", SYS_sendmmsg},
		{"ptrace", SYS_ptrace},
		{"process_vm_writev", SYS_process_vm_writev},
		{"open_by_handle_at", SYS_open_by_handle_at},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct call *found = call_find(NATIVE_ABI, known[i].number);

		cr_assert_not_null(found, "%s", known[i].name);
		cr_expect_str_eq(found->name, known[i].name);
	}
}

Test(backstop_filter, no_number_stands_twice)
{
	for (int abi = 0; abi < ABI_COUNT; abi++)
		for (size_t i = 0; i < call_count; i++)
			for (size_t j = 0; j < i; j++)
				cr_expect(calls[i].numbers[abi] < 0 || calls[i].numbers[abi] != calls[j].numbers[abi],
					  "%s and %s", calls[i].name, calls[j].name);
}
