/* SPDX-License-Identifier: MIT */
/*
 * The seccomp program. One section an ABI: a tree of comparisons with the call's number, whose leaves answer or jump to
 * the few instructions that say what passes. Calls that are not in calls.def cost nothing: the kernel runs a constant
 * answer once, when the program is installed, and remembers it by number. That is 900 runs and a check of every
 * instruction at each start of a session, so the program is kept short and its ways are.
 */
#include "backstop/filter.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/net.h>
#include <linux/prctl.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/seccomp.h>

#include "backstop/calls.h"

#define X32_BIT 0x40000000u
#define RUNS_MAX 256

_Static_assert(__BYTE_ORDER == __LITTLE_ENDIAN, "halves of an argument are addressed as little-endian");

#define ARGUMENT_LOW(n) (offsetof(struct seccomp_data, args) + 8 * (n))
#define ARGUMENT_HIGH(n) (ARGUMENT_LOW(n) + 4)
#define REFUSE(error) (SECCOMP_RET_ERRNO | ((error)&SECCOMP_RET_DATA))

/* What passes besides: the shim's calls and libc's own. */
struct lanes {
	uint64_t word;
	const struct filter_sites *sites;
};

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

/* Passes when the argument is exactly value, else goes on. */
static void pass_when(struct filter *filter, unsigned argument, uint64_t value, bool wide)
{
	load(filter, ARGUMENT_LOW(argument));
	jump(filter, BPF_JEQ, (uint32_t)value, 0, wide ? 3 : 1);
	if (wide) {
		load(filter, ARGUMENT_HIGH(argument));
		jump(filter, BPF_JEQ, (uint32_t)(value >> 32), 0, 1);
	}
	answer(filter, SECCOMP_RET_ALLOW);
}

/*
 * Passes plain reading from the working directory when it is called from one of the sites, stops the rest: a test that fails
 * jumps over the instructions that are left before the answer to stop, of which one is each site's.
 */
static void pass_from(struct filter *filter, const struct filter_sites *sites)
{
	unsigned count = sites->count;

	load(filter, ARGUMENT_LOW(2));
	jump(filter, BPF_JEQ, O_RDONLY, 1, 0);
	jump(filter, BPF_JEQ, O_RDONLY | O_CLOEXEC, 0, 6 + count);
	load(filter, ARGUMENT_LOW(0));
	jump(filter, BPF_JEQ, (uint32_t)AT_FDCWD, 0, 4 + count);
	load(filter, offsetof(struct seccomp_data, instruction_pointer) + 4);
	jump(filter, BPF_JGE, sites->from, 0, 2 + count);
	load(filter, offsetof(struct seccomp_data, instruction_pointer));
	statement(filter, BPF_ALU | BPF_AND | BPF_K, FILTER_SITE_MASK);
	for (unsigned i = 0; i < count; i++)
		jump(filter, BPF_JEQ, sites->place[i], count - i, 0);
	answer(filter, SECCOMP_RET_USER_NOTIF);
	answer(filter, SECCOMP_RET_ALLOW);
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

/* Stops when of the flags in the mask, all in the first argument's low half, exactly those are set; passes otherwise. */
static void stop_with(struct filter *filter, uint32_t mask, uint32_t flags)
{
	load(filter, ARGUMENT_LOW(0));
	statement(filter, BPF_ALU | BPF_AND | BPF_K, mask);
	jump(filter, BPF_JEQ, flags, 0, 1);
	answer(filter, SECCOMP_RET_USER_NOTIF);
	answer(filter, SECCOMP_RET_ALLOW);
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

/* The call numbers from `first` on, up to the next run. */
struct run {
	uint32_t first;
	bool guarded; /* false: all pass */
	enum pass pass;
};

/* The numbers of one ABI in order. */
struct runs {
	struct run run[RUNS_MAX];
	size_t count;
	size_t leaf[RUNS_MAX]; /* where the run's jump to its body stands; 0: it has none */
};

/* What passes by the word must show all of it; half an argument cannot. */
static enum pass pass_of(const struct call *call, bool wide)
{
	return call->pass <= PASS_LIBC && !wide ? PASS_NOTHING : (enum pass)call->pass;
}

static void add_run(struct runs *runs, struct run run)
{
	const struct run *last = runs->count ? &runs->run[runs->count - 1] : NULL;

	if (last && last->guarded == run.guarded && (!run.guarded || last->pass == run.pass))
		return;
	if (runs->count < RUNS_MAX)
		runs->run[runs->count++] = run;
}

/* The call with the lowest number of at least `number`; NULL: there is none. */
static const struct call *next_call(enum abi abi, int number)
{
	const struct call *next = NULL;

	for (size_t i = 0; i < call_count; i++)
		if (calls[i].numbers[abi] >= number && (!next || calls[i].numbers[abi] < next->numbers[abi]))
			next = &calls[i];
	return next;
}

static void find_runs(struct runs *runs, enum abi abi, bool wide)
{
	const struct call *call;
	uint32_t number = 0;

	runs->count = 0;
	while ((call = next_call(abi, (int)number))) {
		if ((uint32_t)call->numbers[abi] > number)
			add_run(runs, (struct run){number, false, PASS_NOTHING});
		number = (uint32_t)call->numbers[abi];
		add_run(runs, (struct run){number++, true, pass_of(call, wide)});
	}
	add_run(runs, (struct run){number, false, PASS_NOTHING});
}

static void leaf(struct filter *filter, struct runs *runs, size_t index)
{
	const struct run *run = &runs->run[index];

	runs->leaf[index] = 0;
	if (!run->guarded) {
		answer(filter, SECCOMP_RET_ALLOW);
	} else if (run->pass == PASS_NOTHING) {
		answer(filter, SECCOMP_RET_USER_NOTIF);
	} else if (run->pass == PASS_REFUSED) {
		answer(filter, REFUSE(ENOSYS));
	} else {
		runs->leaf[index] = filter->length;
		statement(filter, BPF_JMP | BPF_JA, 0);
	}
}

/* Finds the run of the loaded number among those from first on, `count` of them, at least one. */
static void tree(struct filter *filter, struct runs *runs, size_t first, size_t count)
{
	size_t half = count / 2, comparison = filter->length, length;

	if (count == 1) {
		leaf(filter, runs, first);
		return;
	}
	jump(filter, BPF_JGE, runs->run[first + half].first, 0, 0);
	tree(filter, runs, first, half);
	length = filter->length - comparison - 1;
	if (comparison < FILTER_MAX)
		filter->code[comparison].jt = (unsigned char)length;
	if (length > UINT8_MAX)
		filter->length = FILTER_MAX + 1; /* too long for a comparison: not built */
	tree(filter, runs, first + half, count - half);
}

static void body(struct filter *filter, enum pass pass, const struct lanes *lanes, bool wide)
{
	static const uint32_t seizing[] = {PTRACE_ATTACH, PTRACE_SEIZE};
	static const uint32_t addressing[] = {SYS_CONNECT, SYS_BIND, SYS_SENDTO, SYS_SENDMSG, SYS_SENDMMSG};

	switch (pass) {
	case PASS_WORD:
		pass_when(filter, 5, lanes->word, true);
		answer(filter, SECCOMP_RET_USER_NOTIF);
		break;
	case PASS_LIBC:
		pass_when(filter, 5, lanes->word, true);
		pass_from(filter, lanes->sites);
		break;
	case PASS_UNADDRESSED:
		pass_when(filter, 4, 0, wide);
		answer(filter, SECCOMP_RET_USER_NOTIF);
		break;
	case PASS_UNATTACHED:
		stop_when(filter, 0, seizing, 2);
		break;
	case PASS_SUBCALLS:
		stop_when(filter, 0, addressing, 5);
		break;
	case PASS_UNSHARED:
		stop_with(filter, CLONE_FS | CLONE_VM, CLONE_FS);
		break;
	case PASS_OPENLY:
		pretend_when(filter, PR_SET_DUMPABLE, 0);
		break;
	case PASS_REFUSED:
	case PASS_NOTHING:
		break; /* a leaf says it */
	}
}

/* One body for all the runs that jump to it. */
static void bodies(struct filter *filter, const struct runs *runs, const struct lanes *lanes, bool wide)
{
	for (enum pass pass = PASS_WORD; pass <= PASS_OPENLY; pass++) {
		size_t at = filter->length;
		bool used = false;

		for (size_t i = 0; i < runs->count; i++) {
			if (!runs->leaf[i] || runs->run[i].pass != pass)
				continue;
			used = true;
			if (runs->leaf[i] < FILTER_MAX)
				filter->code[runs->leaf[i]].k = (uint32_t)(at - runs->leaf[i] - 1);
		}
		if (used)
			body(filter, pass, lanes, wide);
	}
}

/* The calls of one ABI; the number is loaded and, where bodies load an argument, never needed again. */
static void numbers(struct filter *filter, enum abi abi, const struct lanes *lanes, bool wide)
{
	struct runs runs;

	find_runs(&runs, abi, wide);
	tree(filter, &runs, 0, runs.count);
	bodies(filter, &runs, lanes, wide);
}

/* openat2 is how the shim opens, and what it asks for most: its number is compared before the tree, and stays loaded. */
static void open_first(struct filter *filter, enum abi abi, const struct lanes *lanes)
{
	for (size_t i = 0; i < call_count; i++) {
		if (calls[i].shape != SHAPE_OPEN_HOW || calls[i].numbers[abi] < 0)
			continue;
		jump(filter, BPF_JEQ, (uint32_t)calls[i].numbers[abi], 0, 6);
		pass_when(filter, 5, lanes->word, true);
		answer(filter, SECCOMP_RET_USER_NOTIF);
	}
}

/* Comparison with an ABI's mark, then the tree of its numbers; a jump over it has 32 bits, unlike a comparison's. */
static void section(struct filter *filter, const struct section *which, const struct lanes *lanes)
{
	size_t over;

	jump(filter, BPF_JEQ, which->arch, 1, 0);
	over = filter->length;
	statement(filter, BPF_JMP | BPF_JA, 0);
	load(filter, offsetof(struct seccomp_data, nr));
	if (which->wide)
		open_first(filter, which->abi, lanes);
	if (which->abi == ABI_X86_64) {
		size_t x32;

		jump(filter, BPF_JSET, X32_BIT, 1, 0);
		x32 = filter->length;
		statement(filter, BPF_JMP | BPF_JA, 0);
		statement(filter, BPF_ALU | BPF_AND | BPF_K, ~X32_BIT);
		numbers(filter, ABI_X32, lanes, true);
		if (x32 < FILTER_MAX)
			filter->code[x32].k = (uint32_t)(filter->length - x32 - 1);
	}
	numbers(filter, which->abi, lanes, which->wide);
	if (over < FILTER_MAX)
		filter->code[over].k = (uint32_t)(filter->length - over - 1);
}

bool filter_build(struct filter *ret_filter, uint64_t word, const struct filter_sites *sites)
{
	const struct lanes lanes = {word, sites};

	ret_filter->length = 0;
	load(ret_filter, offsetof(struct seccomp_data, arch));
	for (size_t i = 0; sections[i].abi != ABI_NONE; i++)
		section(ret_filter, &sections[i], &lanes);
	answer(ret_filter, REFUSE(ENOSYS));
	return sections[0].abi != ABI_NONE && ret_filter->length <= FILTER_MAX;
}
