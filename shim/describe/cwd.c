/* SPDX-License-Identifier: MIT */
/*
 * getcwd costs more than the open that it is needed for, hence the memory. Two dangers shape it:
 *
 * - After fork the child has a working directory of its own: the page is given empty to it (MADV_WIPEONFORK).
 * - A vfork child (or clone with CLONE_VM) writes to its parent's memory: only the process that owns the memory may
 *   store, and once a child that shares it has moved, the memory is not trusted any more.
 *
 * A folder above us may get another name from any process: the session counts that (start_moves), and the backstop what
 * goes around the library, a chdir by a raw system call included. Without it that is not seen; nor is what a process of
 * another user renames in root's session: it counts in a page of its own (include/handoff.h).
 */
#include "describe/cwd.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "describe/own.h"
#include "handoff.h"
#include "print.h"
#include "real/syscall.h"
#include "sequence.h"
#include "start.h"

#include "forbid.h"

#define TEXT 1024

struct cwd {
	unsigned sequence;
	unsigned valid;
	int owner; /* 0: nobody yet */
	bool distrusted;
	size_t length;
	uint64_t print;                          /* of the path */
	uint64_t stamp;                          /* what cwd_changes was when it was asked for ... */
	uint64_t moves;                          /* ... and start_moves() */
	uint64_t words[TEXT / sizeof(uint64_t)]; /* the path, no NUL */
};

/* Alone on its page, as the kernel wipes whole pages. */
static union {
	struct cwd cwd;
	char page[HANDOFF_PAGE];
} kept START_PAGE __attribute__((aligned(HANDOFF_PAGE)));
static struct cwd *const remembered = &kept.cwd;
static bool wiped_on_fork START_HOT; /* and written since */
static bool shared START_HOT;        /* with a process that has a memory of its own: children inherit this word */
uint64_t cwd_changes START_HOT;

/* Has it ever been written? Its page is not touched before. */
static bool is_empty(void)
{
	return !__atomic_load_n(&wiped_on_fork, __ATOMIC_ACQUIRE);
}

static bool read_remembered(char *path, size_t size, size_t *ret_length)
{
	if (is_empty())
		return false;

	unsigned began;

	if (!sequence_read(&remembered->sequence, &began) || !__atomic_load_n(&remembered->valid, __ATOMIC_ACQUIRE))
		return false;
	size_t length = __atomic_load_n(&remembered->length, __ATOMIC_RELAXED);
	if (length >= size || length >= TEXT)
		return false;
	for (size_t i = 0; i < length; i += sizeof(uint64_t)) {
		uint64_t word = __atomic_load_n(&remembered->words[i / sizeof(word)], __ATOMIC_RELAXED);

		if (i + sizeof(word) <= size)
			__builtin_memcpy(path + i, &word, sizeof(word));
		else
			memcpy(path + i, &word, size - i);
	}
	if (__atomic_load_n(&remembered->moves, __ATOMIC_RELAXED) != start_moves())
		return false;
	path[length] = '\0';
	*ret_length = length;
	return sequence_held(&remembered->sequence, began);
}

bool cwd_stamp(struct cwd_stamp *ret)
{
	if (is_empty())
		return false;

	unsigned began;

	if (!sequence_read(&remembered->sequence, &began) || !__atomic_load_n(&remembered->valid, __ATOMIC_ACQUIRE))
		return false;
	ret->print = __atomic_load_n(&remembered->print, __ATOMIC_RELAXED);
	ret->changes = __atomic_load_n(&remembered->stamp, __ATOMIC_RELAXED);
	ret->moves = __atomic_load_n(&remembered->moves, __ATOMIC_RELAXED);
	return sequence_held(&remembered->sequence, began) && cwd_is_still(ret);
}

bool cwd_is_still(const struct cwd_stamp *stamp)
{
	return cwd_stands(stamp) && start_moves() == stamp->moves;
}

static bool may_remember(void)
{
	if (is_empty()) {
		if (!own_wiped(remembered))
			return false;
		__atomic_store_n(&remembered->valid, 0, __ATOMIC_SEQ_CST); /* written before it is read: one fault */
		__atomic_store_n(&wiped_on_fork, true, __ATOMIC_RELEASE);
	}
	return !__atomic_load_n(&shared, __ATOMIC_RELAXED) && !__atomic_load_n(&remembered->distrusted, __ATOMIC_RELAXED) &&
	       own_is_ours(&remembered->owner);
}

static void remember(const char *path, size_t length, uint64_t changes, uint64_t moves)
{
	uint64_t print = (uintptr_t)remembered;

	if (length >= TEXT || start_moving() || !may_remember() || !sequence_lock(&remembered->sequence))
		return;
	for (size_t i = 0; i < length; i += sizeof(uint64_t)) {
		uint64_t word = 0;

		memcpy(&word, path + i, length - i < sizeof(word) ? length - i : sizeof(word));
		__atomic_store_n(&remembered->words[i / sizeof(word)], word, __ATOMIC_RELAXED);
		print = print_word(print, word);
	}
	__atomic_store_n(&remembered->print, print, __ATOMIC_RELAXED);
	__atomic_store_n(&remembered->stamp, changes, __ATOMIC_RELAXED);
	__atomic_store_n(&remembered->moves, moves, __ATOMIC_RELAXED);
	__atomic_store_n(&remembered->length, length, __ATOMIC_RELAXED);
	__atomic_store_n(&remembered->valid, __atomic_load_n(&cwd_changes, __ATOMIC_SEQ_CST) == changes,
			 __ATOMIC_SEQ_CST);
	sequence_unlock(&remembered->sequence);
	/* A change that came between: its own invalidation may have been overwritten by the line above. */
	if (__atomic_load_n(&cwd_changes, __ATOMIC_SEQ_CST) != changes)
		__atomic_store_n(&remembered->valid, 0, __ATOMIC_SEQ_CST);
}

long cwd_ask(char *path, size_t size)
{
	long got;

	if (start_filtered)
		return -ENOENT;
	got = raw(SYS_getcwd, path, size);
	if (got == -ERANGE || got == -ENAMETOOLONG)
		return -ENAMETOOLONG;
	if (got < 2 || path[0] != '/') /* "(unreachable)/...": outside of our root */
		return -ENOENT;
	return got - 1;
}

long cwd_get(char *path, size_t size)
{
	uint64_t moves = start_moves();
	size_t length;
	uint64_t changes;
	long got;

	if (read_remembered(path, size, &length))
		return (long)length;
	changes = __atomic_load_n(&cwd_changes, __ATOMIC_SEQ_CST);
	got = cwd_ask(path, size);
	if (got > 0 && changes < CWD_MOVING)
		remember(path, (size_t)got, changes, moves);
	return got;
}

static char remembered_byte(size_t at)
{
	uint64_t word = __atomic_load_n(&remembered->words[at / sizeof(word)], __ATOMIC_RELAXED);
	char bytes[sizeof(word)];

	memcpy(bytes, &word, sizeof(word));
	return bytes[at % sizeof(word)];
}

/* Is a component of the remembered path called so? True as well when that cannot be told. */
static bool may_hold(const char *name, size_t length)
{
	unsigned began;
	bool still = sequence_read(&remembered->sequence, &began), whole = false; /* so far the name's beginning */
	size_t end = __atomic_load_n(&remembered->length, __ATOMIC_RELAXED), same = 0;

	if (!still || !__atomic_load_n(&remembered->valid, __ATOMIC_ACQUIRE) || end >= TEXT)
		return true;
	for (size_t at = 0; at <= end; at++) {
		char byte = at < end ? remembered_byte(at) : '/';

		if (byte == '/') {
			if (whole && same == length)
				return true;
			whole = true;
			same = 0;
		} else {
			whole = whole && same < length && name[same] == byte;
			same++;
		}
	}
	return !sequence_held(&remembered->sequence, began);
}

void cwd_moved(const char *path)
{
	size_t end = strlen(path), start;
	uint64_t moves = start_moved();

	while (end > 1 && path[end - 1] == '/')
		end--;
	for (start = end; start && path[start - 1] != '/'; start--)
		;
	if (start == end || may_hold(path + start, end - start))
		cwd_changed();
	else /* what was true until this move is true behind it */
		__atomic_compare_exchange_n(&remembered->moves, &moves, moves + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

static void change(uint64_t by)
{
	int owner;

	__atomic_fetch_add(&cwd_changes, by, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&shared, __ATOMIC_RELAXED) || start_sharing())
		start_moved(); /* the other one may have become a program that remembers */
	if (is_empty())
		return;
	owner = __atomic_load_n(&remembered->owner, __ATOMIC_RELAXED);
	__atomic_store_n(&remembered->valid, 0, __ATOMIC_SEQ_CST);
	if (owner != 0 && owner != (int)raw(SYS_getpid))
		cwd_distrust();
}

void cwd_changed(void)
{
	change(1);
}

void cwd_leave(void)
{
	change(CWD_MOVING + 1);
}

void cwd_arrive(void)
{
	change(1 - CWD_MOVING);
}

void cwd_distrust(void)
{
	__atomic_store_n(&remembered->distrusted, true, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&cwd_changes, 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&remembered->valid, 0, __ATOMIC_SEQ_CST);
}

void cwd_shared(void)
{
	__atomic_store_n(&shared, true, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&cwd_changes, 1, __ATOMIC_SEQ_CST);
	if (!is_empty())
		__atomic_store_n(&remembered->valid, 0, __ATOMIC_SEQ_CST);
}
