/* SPDX-License-Identifier: MIT */
/* The table of real functions, filled entry by entry on first use; racing threads write the same value. */
#include "real/real.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "real/lookup.h"
#include "start.h"

#include "forbid.h"

#define NAME_MAX_BYTES 40

static const char names[REAL_COUNT][NAME_MAX_BYTES] = {
#define SYM(name, family) #name,
#include "symbols.def"
#undef SYM
#define SYM(name) #name,
	REAL_FINISHERS(SYM)
#undef SYM
};

uintptr_t real_found[REAL_COUNT] START_HOT;

/* An entry is the address shifted up by one (user addresses leave the top bit free); bit 0 says that libc defines it. */
#define FOUND_NOTHING 2u

static uintptr_t entry(enum real which)
{
	uintptr_t value = __atomic_load_n(&real_found[which], __ATOMIC_ACQUIRE);
	struct lookup result;

	if (value)
		return value;
	if (lookup_next(names[which], &result))
		value = (uintptr_t)result.address << 1 | (result.in_libc ? REAL_IN_LIBC : 0);
	else
		value = FOUND_NOTHING;
	__atomic_store_n(&real_found[which], value, __ATOMIC_RELEASE);
	return value;
}

/* A program may find our export of a name that its libc does not have, and call it. */
static long missing(void)
{
	errno = ENOSYS;
	return -1;
}

void *real_find(enum real which)
{
	uintptr_t value = entry(which);

	return value == FOUND_NOTHING ? (void *)missing : (void *)(value >> 1);
}

bool real_look_up(enum real which)
{
	return entry(which) & REAL_IN_LIBC;
}

bool real_is_libc_named(const char *name)
{
	for (unsigned i = 0; i < REAL_COUNT; i++)
		if (strcmp(names[i], name) == 0)
			return real_is_libc((enum real)i);
	return true;
}

enum real real_named(const char *name)
{
	unsigned which = 0;

	while (which < REAL_COUNT && strcmp(names[which], name) != 0)
		which++;
	return (enum real)which;
}
