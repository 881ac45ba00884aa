/* SPDX-License-Identifier: MIT */
/*
 * The seccomp program. One section an ABI: a ladder of comparisons with the call's number, each followed by the few
 * instructions that say what passes. Calls that are not in calls.def cost nothing: the kernel runs a constant answer
 * once and remembers it by number.
 */
#include "backstop/filter.h"

#include <endian.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/net.h>
#include <linux/prctl.h>
#include <linux/ptrace.h>
#include <linux/seccomp.h>

#include "backstop/calls.h"

#define X32_BIT 0x40000000u
#define BODY_MAX 16 /* instructions behind one comparison */

_Static_assert(__BYTE_ORDER == __LITTLE_ENDIAN, "halves of an argument are addressed as little-endian");

#define ARGUMENT_LOW(n) (offsetof(struct seccomp_data, args) + 8 * (n))
#define ARGUMENT_HIGH(n) (ARGUMENT_LOW(n) + 4)
#define REFUSE(error) (SECCOMP_RET_ERRNO | ((error)&SECCOMP_RET_DATA))

struct section {
	uint32_t arch;
	enum abi abi;
	bool wide; /* 64-bit arguments: the word fits, both halves of an address count */
};

static const struct section sections[] = {
#if defined(__x86_64__)
	{AUDIT_ARCH_X86_64, ABI_X86_64, true},
	{AUDIT_ARCH_I386, ABI_I386, false},
#elif defined(__aarch64__)
	{AUDIT_ARCH_AARCH64, ABI_AARCH64, true},
	{AUDIT_ARCH_ARM, ABI_ARM, false},
#endif
	{0, ABI_NONE, false},
};

static void statement(struct filter *filter, unsigned code, uint32_t k)
{
	if (filter->length < FILTER_MAX)
		filter->code[filter->length] = (struct sock_filter)BPF_STMT((unsigned short)code, k);
	filter->length++;
}

static void jump(struct filter *filter, unsigned test, uint32_t k, unsigned yes, unsigned no)
{
	if (filter->length < FILTER_MAX)
		filter->code[filter->length] = (struct sock_filter)BPF_JUMP(
			(unsigned short)(BPF_JMP | test | BPF_K), k, (unsigned char)yes, (unsigned char)no);
	filter->length++;
}

static void load(struct filter *filter, size_t offset)
{
	statement(filter, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset);
}

static void answer(struct filter *filter, uint32_t value)
{
	statement(filter, BPF_RET | BPF_K, value);
}

/* Passes when the argument is exactly value. */
static void pass_when(struct filter *filter, unsigned argument, uint64_t value, bool wide)
{
	load(filter, ARGUMENT_LOW(argument));
	jump(filter, BPF_JEQ, (uint32_t)value, 0, wide ? 3 : 1);
	if (wide) {
		load(filter, ARGUMENT_HIGH(argument));
		jump(filter, BPF_JEQ, (uint32_t)(value >> 32), 0, 1);
	}
	answer(filter, SECCOMP_RET_ALLOW);
	answer(filter, SECCOMP_RET_USER_NOTIF);
}

/* Stops when the argument's low half is one of the values, passes otherwise. */
static void stop_when(struct filter *filter, unsigned argument, const uint32_t *values, unsigned count)
{
	load(filter, ARGUMENT_LOW(argument));
	for (unsigned i = 0; i < count; i++)
		jump(filter, BPF_JEQ, values[i], count - i, 0);
	answer(filter, SECCOMP_RET_ALLOW);
	answer(filter, SECCOMP_RET_USER_NOTIF);
}

/* Says 0 without doing it when the two arguments are these; passes otherwise. */
static void pretend_when(struct filter *filter, uint32_t first, uint32_t second)
{
	load(filter, ARGUMENT_LOW(0));
	jump(filter, BPF_JEQ, first, 0, 3);
	load(filter, ARGUMENT_LOW(1));
	jump(filter, BPF_JEQ, second, 0, 1);
	answer(filter, REFUSE(0));
	answer(filter, SECCOMP_RET_ALLOW);
}

static void body(struct filter *filter, const struct call *call, uint64_t word, bool wide)
{
	static const uint32_t seizing[] = {PTRACE_ATTACH, PTRACE_SEIZE};
	static const uint32_t addressing[] = {SYS_CONNECT, SYS_BIND, SYS_SENDTO, SYS_SENDMSG, SYS_SENDMMSG};

	switch ((enum pass)call->pass) {
	case PASS_WORD:
		if (wide)
			pass_when(filter, 5, word, true);
		else
			answer(filter, SECCOMP_RET_USER_NOTIF);
		break;
	case PASS_UNADDRESSED:
		pass_when(filter, 4, 0, wide);
		break;
	case PASS_UNATTACHED:
		stop_when(filter, 0, seizing, 2);
		break;
	case PASS_SUBCALLS:
		stop_when(filter, 0, addressing, 5);
		break;
	case PASS_REFUSED:
		answer(filter, REFUSE(ENOSYS));
		break;
	case PASS_OPENLY:
		pretend_when(filter, PR_SET_DUMPABLE, 0);
		break;
	case PASS_NOTHING:
		answer(filter, SECCOMP_RET_USER_NOTIF);
		break;
	}
}

/* The ladder of one ABI; the number is loaded and, where bodies load an argument, never needed again. */
static void ladder(struct filter *filter, enum abi abi, uint64_t word, bool wide)
{
	for (size_t i = 0; i < call_count; i++) {
		size_t comparison, length;

		if (calls[i].numbers[abi] < 0)
			continue;
		comparison = filter->length;
		jump(filter, BPF_JEQ, (uint32_t)calls[i].numbers[abi], 0, 0);
		body(filter, &calls[i], word, wide);
		length = filter->length - comparison - 1;
		if (comparison < FILTER_MAX)
			filter->code[comparison].jf = (unsigned char)length;
	}
	answer(filter, SECCOMP_RET_ALLOW);
}

/* Comparison with an ABI's mark, then its ladder; a jump over it has 32 bits, unlike a comparison's. */
static void section(struct filter *filter, const struct section *which, uint64_t word)
{
	size_t over;

	jump(filter, BPF_JEQ, which->arch, 1, 0);
	over = filter->length;
	statement(filter, BPF_JMP | BPF_JA, 0);
	load(filter, offsetof(struct seccomp_data, nr));
	if (which->abi == ABI_X86_64) {
		size_t x32;

		jump(filter, BPF_JSET, X32_BIT, 1, 0);
		x32 = filter->length;
		statement(filter, BPF_JMP | BPF_JA, 0);
		statement(filter, BPF_ALU | BPF_AND | BPF_K, ~X32_BIT);
		ladder(filter, ABI_X32, word, true);
		if (x32 < FILTER_MAX)
			filter->code[x32].k = (uint32_t)(filter->length - x32 - 1);
	}
	ladder(filter, which->abi, word, which->wide);
	if (over < FILTER_MAX)
		filter->code[over].k = (uint32_t)(filter->length - over - 1);
}

bool filter_build(struct filter *ret_filter, uint64_t word)
{
	ret_filter->length = 0;
	load(ret_filter, offsetof(struct seccomp_data, arch));
	for (size_t i = 0; sections[i].abi != ABI_NONE; i++)
		section(ret_filter, &sections[i], word);
	answer(ret_filter, REFUSE(ENOSYS));
	return sections[0].abi != ABI_NONE && ret_filter->length <= FILTER_MAX;
}
